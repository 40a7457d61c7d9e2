import { describe, expect, it } from 'vitest';
import { failureOf, isFailedResult, readRejection } from '../../../../src/state/tools/outcome.ts';

const isFailed = (...texts: string[]) =>
  isFailedResult({ type: 'tool_result', isError: false, content: texts.map((text) => ({ type: 'text', text })) });

const kinds = [
  ...(['write', 'read', 'list', 'search', 'execute', 'fetch', 'plan', 'question', 'agent', 'skill', 'other'] as const),
  'result',
] as const;
const isFailedAs = (kind: (typeof kinds)[number], text: string) =>
  isFailedResult({ type: 'tool_result', isError: false, content: [{ type: 'text', text }] }, kind);

describe('a result', () => {
  it('with the error flag is failed', () => {
    expect(isFailedResult({ type: 'tool_result', isError: true, content: [] })).toBe(true);
    expect(isFailedResult({ type: 'tool_result', isError: false, content: [] })).toBe(false);
  });

  it.each([
    'Exit code 1\nnpm error missing script: tset',
    'Exit code: 2\nWall time: 0.1 seconds\nOutput:\nerror TS2304',
    'Chunk ID: 3f\nWall time: 0.5 seconds\nProcess exited with code 101\nOriginal token count: 9\nOutput:\nno',
    'Chunk ID: 3f\nProcess exited with code 101',
    'FAIL test/basket.test.ts\n\nExit Code: 1\n',
    '1 failed\n<exited with exit code 1>',
    '1 failed\r\n[The command completed with exit code 127.]',
    'not found\n[Command finished with exit code -1]',
    '1 failed\n\nCommand exited with code 1',
    'killed\nProcess exited with code 137',
    "Command executed in terminal 1 within working directory '/web'. Exit code: 1\nOutput:\nfailed",
    '{"output":"failed","metadata":{"exit_code":1,"duration_seconds":0.4}}',
    '{"stdout":"","stderr":"no","exit_status":"1"}',
    ' {"exitCode":1,"output":""}\n',
    '{"success":false,"message":"The text was not found."}',
    '{"error":"File not found: src/basket.ts"}',
    '{"output":"","error":{"code":"ENOENT"}}',
    '<tool_use_error>File has not been read yet.</tool_use_error>',
    '<error>\nThe text was not found\n</error>',
    'The tool execution failed with the following error:\n<error>no</error>',
    'apply_patch verification failed: Failed to find expected lines in src/basket.ts',
    'Exit code 137 (SIGKILL)\nbuilding',
    'Command exited with non-zero status 1',
    'The command exited with status code 1',
    'Error: Exit code 1\nno such file',
    'Error: Process exited with code 1',
    'Error: Command failed with exit code 1: npm test',
    '1 failed\n<system>ERROR: Command failed with exit code: 1.</system>',
    "Command executed in terminal  within working directory '/web'. Command execution was not successful, inspect the cause and adjust as needed.\nExit code: 1\nOutput:\nfailed",
    'Command timed out after 2m 0.0s\nbuilding',
    'The command timed out after 120000ms',
    'Command "npm test" timed out after 5000ms. Output captured before timeout:\n\n```\nbuilding\n```',
    'building\n\nCommand timed out after 30s',
    'building\n\nCommand terminated by signal SIGKILL',
    'building\n[The command timed out after 30 seconds. You may wait longer.]',
    'building\n<error>Command was aborted before completion</error>',
    'Wall time: 3.4 seconds\naborted by user',
    'aborted by user after 3.4s',
    'Command: x\nOutput: building\nError: (none)\nExit Code: (none)\nSignal: SIGKILL\nBackground PIDs: (none)',
    'Output: building\nSignal: 9\nProcess Group PGID: 12',
    'Output: building\nError: spawn ENOENT\nExit Code: (none)\nSignal: (none)\nProcess Group PGID: 12',
    '{"stdout":"","stderr":"no","code":1}',
    '{"stdout":"","stderr":"","exitCode":null,"signal":"SIGKILL"}',
    '{"stdout":"","stderr":"","exit_code":null,"timed_out":true}',
    '{"stdout":"a","stderr":"","interrupted":true,"isImage":false}',
    '{"status":"error","message":"The tool execution failed","error":"no"}',
    '{"content":[{"type":"text","text":"no"}],"isError":true}',
    '{"is_error":true,"content":"no"}',
  ])('is failed: %j', (text) => {
    expect(isFailed(text)).toBe(true);
  });

  it.each([
    '',
    'ok',
    'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nExit code: 1 is documented below',
    'Chunk ID: 3f\nWall time: 0.5 seconds\nProcess exited with code 0\nOutput:\nProcess exited with code 1\nfine',
    'fine\n<exited with exit code 0>',
    "Command executed in terminal 1 within working directory '/web'. Exit code: 0\nOutput:\nfine",
    '{"output":"1 error","metadata":{"exit_code":0}}',
    '{"success":true,"error":null,"output":"fine"}',
    '{"error":"","output":"fine"}',
    '{"error":false,"output":"fine"}',
    '{"exit_code":"none","output":""}',
    '{"stdout":"","stderr":"a warning","exitCode":0,"interrupted":false}',
    '{"status":"completed","result":"error"}',
    '{"code":1,"message":"the content of a file"}',
    '{"content":"error","isError":false}',
    '{"signal":"SIGTERM","exitCode":0,"stdout":"handled"}',
    'Output: building\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 12',
    'Output: building\nExit Code: 0\nSignal: SIGPIPE\nProcess Group PGID: 12',
    'the last line of a log\nSignal: 9',
    'the last line of a log\nCommand timed out after 30 seconds',
    'test\t1\n##[error]Process completed with exit code 1.',
    'Tests: 10 passed, 0 failed',
    '{"exit_code":"","output":""}',
    // The content of files and pages that mention failures.
    'Error: this is the first line of a log file\nmore',
    'The exit code 1 means that the test failed.',
    '1  if (failed) process.exit(1);\n2  // Exit code: 1',
    'export class ApiError extends Error {}\nfailed\nerror',
    '{"name":"shop","error":"a field of a file","version":"1.0.0"}',
    '{"error":"a","errors":[]}',
    '[{"error":"a"}]',
    '{"success":false',
    'src/basket.ts:3: <error>',
    '{"__proto__":{"success":false},"output":"fine"}',
  ])('is not failed: %j', (text) => {
    expect(isFailed(text)).toBe(false);
  });

  it('is searched in its first and its last text', () => {
    expect(isFailed('Exit code: 1', 'some output')).toBe(true);
    expect(isFailed('some output', 'Exit code: 1')).toBe(true);
    expect(isFailed('some output', 'Exit code: 1', 'more output')).toBe(false);
    expect(isFailed('{"success":false}', '{"success":true}')).toBe(false);
  });

  it('of ten megabytes is not read as a whole', () => {
    const large = 'x\n'.repeat(5_000_000);
    expect(isFailed(`${large}Exit code: 1`)).toBe(true);
    expect(isFailed(`Exit code: 1\n${large}`)).toBe(true);
    expect(isFailed(`{"success":false,"output":${JSON.stringify(large)}}`)).toBe(false);
  });
});

/** The forms in which agents can send the same text. */
const dressings: readonly (readonly [string, (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['CRLF', (text) => text.replaceAll('\n', '\r\n')],
  ['blank lines before it', (text) => `\n \n${text}`],
  ['blank lines after it', (text) => `${text}\n\n`],
  ['colors', (text) => text.replace(/^(.*)$/gm, '\u001b[31m$1\u001b[0m')],
];

describe.each(dressings)('the result of a command, with %s', (_name, dressed) => {
  it.each([
    // Codex repeats the command, in one line or several, before its header. The order of the fields of a header varies.
    'Command: /bin/zsh -lc "npm test"\nChunk ID: 3f\nWall time: 0.5 seconds\nProcess exited with code 2\nOutput:\nno',
    'Command: bash -lc "cat <<EOF\nfirst\nOutput: x\nEOF"\nChunk ID: 3f\nWall time: 1 s\nProcess exited with code 2\nOutput:\nno',
    'Wall time: 0.5 seconds\nChunk ID: 3f\nOriginal token count: 9\nProcess exited with code 2\nOutput:\nfine',
    'Warning: truncated output (original token count: 9)\nExit code: 2\nWall time: 1 seconds\nOutput:\nfine',
    // Gemini CLI, with and without other fields.
    'Output: no\nExit Code: 3\nProcess Group PGID: 1234',
    'Command: npm test\nDirectory: (root)\nOutput: no\nError: (none)\nExit Code: 3\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 7',
    // Zed, droid, mini-SWE-agent, Claude Code's background tasks.
    'Command "cargo test" failed with exit code 101.\n\n```\nerror: no\n```',
    'Command "cargo test &&\ncargo run" failed with exit code 101.',
    'Error: Command failed (exit code: 1)\nls: /nope: No such file or directory\n\n\n[Process exited with code 1]',
    '<returncode>1</returncode>\n<output>\nno\n</output>',
    '<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<status>failed</status>\n\n<exit_code>1</exit_code>\n\n<output>\nno\n</output>',
    'no\n<command with shellId: 3 exited with exit code 1>',
    '<untrusted_context>\nOutput: no\nExit Code: 3\nProcess Group PGID: 1234\n</untrusted_context>',
    // The command itself looks like a header.
    'Command: echo Output: x\nDirectory: (root)\nExit Code: 1\nlog',
    'Command: echo Process running with session ID 4\nExit code: 1\nlog',
    // The tool ended the command: opencode, pi, Gemini CLI, Codex.
    'a\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 120000 ms\n</bash_metadata>',
    '(no output)\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>',
    'a\n\n<metadata>\nUser aborted the command\n</metadata>',
    'a\n\nCommand timed out after 5 seconds',
    'Command aborted',
    'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output. Below is the output before it was cancelled:\na',
    '<untrusted_context>\nCommand was cancelled by user before it could complete. There was no output before it was cancelled.\n</untrusted_context>',
    'command timed out after 10000 milliseconds\nfine',
  ])('is failed: %j', (text) => {
    expect(isFailed(dressed(text))).toBe(true);
  });

  it.each([
    // A header decides before any later line.
    'Command: /bin/zsh -lc "tail log"\nChunk ID: 3f\nWall time: 1 s\nProcess exited with code 0\nOutput:\nProcess completed with exit code 1.',
    'Chunk ID: 3f\nWall time: 1 s\nProcess running with session ID 42\nOutput:\nExit code: 1',
    '<returncode>0</returncode>\n<output>\nExit code: 1\n</output>',
    'Exit code: 0\nWall time: 1 seconds\nOutput:\n[Process exited with code 1]',
    // Only headers that consist of tags can contain blank lines.
    'Wall time: 1 s\n\nExit code: 1\nlog',
    'Output: Exit Code: 1 is documented\nExit Code: 0\nProcess Group PGID: 7',
    '<untrusted_context>\nOutput: fine\nProcess Group PGID: 1234\n</untrusted_context>',
    'a\n\n<bash_metadata>\nbash tool truncated output as it exceeded 30000 char limit\n</bash_metadata>',
    'Exit code: 0\nWall time: 1 seconds\nOutput:\ncommand timed out after 10 milliseconds',
    'Exit code: 0\nWall time: 1 seconds\nOutput:\n\nCommand timed out after 5 seconds',
    // Lines that contain other text in addition to a recognized form.
    'log\nsee Exit code: 1',
    'log\nExit code: 1 of 3',
    'log\nx <exit_code>1</exit_code>',
    'log\n<exit_code>1</exit_code> x',
    'x Command failed (exit code: 1)\nlog',
    'x Command executed in terminal 1. Exit code: 1\nlog',
    'Command executed in terminal 1. Exit code: 1 of 3\nlog',
    'x Command "a" failed with exit code 1\nlog',
    'x Command was cancelled by user before it could complete.\nlog',
    'log\n\nThe Command aborted',
    'log\n\nCommand aborted the rest',
    'x <status>failed</status>\nlog',
    '<status>failed</status> x\nlog',
    'see Chunk ID: 3f\nProcess exited with code 1\nlog',
    'log\nExit Code: 3\nthe Signal: none',
    // What other programs print last.
    'curl\nCommand timed out after 5 seconds',
    'pasted: bash tool terminated command after exceeding timeout 1 ms',
    'retry\ncommand timed out after 10000 milliseconds\nfine',
    'failed to run\nexit status 1',
    'exit=1',
    'error: list refs: http 400: no\n\nexit status 1',
  ])('is not failed: %j', (text) => {
    expect(isFailed(dressed(text))).toBe(false);
  });

  it.each([
    'collab spawn failed: agent thread limit reached (max 6)',
    'write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true',
    'failed to parse function arguments: missing field `cmd` at line 1',
    "resources/read failed: unknown MCP server 'a'",
    'exec_command failed for `/bin/zsh -lc ls`: CreateProcess',
    'ERROR while calling tool: File does not exist',
    'An error occurred while running the tool. Please try again. Error: no such file',
    '<tool_use_error>File does not exist.</tool_use_error>',
  ])('of any kind is failed if the tool says so at the very start: %j', (text) => {
    for (const kind of kinds) expect([kind, isFailedAs(kind, dressed(text))]).toEqual([kind, true]);
    expect(isFailedAs('execute', `fine\n${text}`)).toBe(false);
  });
});

describe('a call that the person rejected', () => {
  it.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).",
    "The user doesn't want to take this action right now. STOP what you are doing.",
    'exec command rejected by user',
    'patch rejected by user',
    'The user denied this operation and provided the following feedback:\n<feedback>\nno\n</feedback>',
    '{"status":"denied","message":"The user denied this operation."}',
    'The user rejected permission to use this specific tool call.',
    '[Operation Cancelled] Reason: User did not allow tool call',
    'Tool execution denied by policy.',
    'The user chose to skip the tool call, they want to proceed without running it',
    '{"status":"denied","feedback":"Use pnpm"}',
  ])('is failed without the error flag: %j', (text) => {
    expect(isFailedAs('execute', text)).toBe(true);
    expect(isFailedAs('write', text)).toBe(true);
    expect(isFailedAs('other', text)).toBe(true);
  });

  const claude =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
  it.each([
    [claude, ''],
    [`${claude} STOP what you are doing and wait for the user to tell you how to proceed.`, ''],
    [`${claude} To tell you how to proceed, the user said:\nUse pnpm instead\nand commit`, 'Use pnpm instead'],
    [`${claude} The user provided the following reason for the rejection:  Use pnpm`, 'Use pnpm'],
    ["The user doesn't want to take this action right now. STOP what you are doing.", ''],
    ['exec command rejected by user', ''],
    ['patch rejected by user\n', ''],
    ['The user denied this operation.', ''],
    [
      'The user denied this operation and provided the following feedback:\n<feedback>\nUse pnpm\n</feedback>',
      'Use pnpm',
    ],
    ['{"status":"denied","message":"The user denied this operation."}', ''],
    ['The user rejected permission to use this specific tool call.', ''],
    [
      `Error: The user has specified a rule which prevents you from using this specific tool call. [${'{}, '.repeat(900)}]`,
      '',
    ],
    ['Permission for this tool use was denied: it requires interactive approval.', ''],
    ['The user rejected permission to use this specific tool call with the following feedback: Use pnpm', 'Use pnpm'],
    ['Tool execution denied by policy. You are in Plan Mode.', ''],
    ['[Operation Cancelled] Reason: User did not allow tool call', ''],
    ['[Operation Cancelled] Reason: User denied execution.', ''],
    [
      'The user rejected permission to use this specific tool call with the following feedback: Use pnpm\nand commit',
      'Use pnpm',
    ],
    [
      'The user has specified a rule which prevents you from using this specific tool call. Here are the rules [{}]',
      '',
    ],
    ['{"status":"denied","feedback":"Use pnpm\\nand commit"}', 'Use pnpm'],
    [
      'Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit). The user said:\nUse pnpm',
      'Use pnpm',
    ],
    [
      'The agent proposed a plan that was rejected by the user. The user chose to stay in plan mode.\n\nRejected plan:\nAddress the following feedback: rename it',
      '',
    ],
    ['The user chose to skip the tool call, they want to proceed without running it', ''],
  ])('has the words of the person as its reason: %j', (text, reason) => {
    expect(readRejection(text)).toBe(reason);
    for (const isError of [false, true]) {
      const content = [{ type: 'text', text }] as const;
      expect(failureOf({ type: 'tool_result', isError, content })).toEqual({ form: 'rejection', reason });
    }
  });

  it.each([
    '[Operation Cancelled] Reason: User cancelled the operation.',
    "The agent proposed a plan that was rejected by the user's manager, so it waits.",
    '{"status":"denied","feedback":"Use pnpm","request":7}',
    '{"success":true,"feedback":"Well done"}',
    'The user cancelled the tool call.',
    '<tool_use_error>File not found</tool_use_error>',
    '{"status":"error","message":"The tool execution failed"}',
    'patch rejected by user\nmore log',
    'Permission denied',
  ])('is not the outcome of a call that ran, or may have run: %j', (text) => {
    expect(readRejection(text)).toBeUndefined();
  });
});

describe('a call that a policy denied', () => {
  const advice =
    ' IMPORTANT: You *may* attempt to accomplish this action using other tools that might naturally be used to accomplish this goal.';
  const denials = [
    "Claude requested permissions to use Bash, but you haven't granted it yet.",
    "Claude requested permissions to use mcp__files__list, but you haven't granted it yet.",
    "Claude requested permissions to write to /web/my notes.md, but you haven't granted it yet.",
    "Claude requested permissions to read from /etc/passwd, but you haven't granted it yet.",
    'Claude requested permissions to edit /web/.claude/settings.json which is a sensitive file.',
    'Permission to use Bash has been denied.',
    `Permission to use Bash has been denied because Claude Code is running in don't ask mode.${advice}`,
    `Permission to use mcp__files__list has been denied.${advice}`,
    'Permission to use Bash with command rm -rf build has been denied.',
    'Permission to use Bash with command cat <<END\nThe user said: do it\nEND has been denied.',
    `Permission to use Bash with command ${'echo a; '.repeat(2_000)} has been denied.`,
    'Permission to read /web/.env has been denied.',
    'Permission to edit C:\\web\\.env has been denied.',
    'This command requires approval',
    'Answer questions?',
    'Exit plan mode?',
    'This Bash command contains multiple operations. The following parts require approval: git fetch, npm test',
    'This PowerShell command contains multiple operations. The following part requires approval: npm test',
    'Permission for this action was denied by the Claude Code auto mode classifier. Reason: [Data Exfiltration].\nIf you have other tasks, continue.',
    'Permission for this action has been denied. Reason: Deletes files.',
    "ls in '/data' was blocked. For security, Claude Code may only list files in the allowed working directories for this session: '/web'.",
    'File is in a directory that is denied by your permission settings.',
    '<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>',
    'Tool execution denied by policy.',
  ];

  it.each(denials)('is rejected without words of the person: %j', (text) => {
    expect(readRejection(text)).toBe('');
    for (const isError of [false, true]) {
      const content = [{ type: 'text', text }] as const;
      expect(failureOf({ type: 'tool_result', isError, content })).toEqual({ form: 'rejection', reason: '' });
    }
  });

  it.each([...denials, '[Operation Cancelled] Reason: User did not allow tool call'])(
    'is rejected if the message is the error of a JSON object: %j',
    (text) => {
      for (const error of [text, { message: text }]) {
        expect(readRejection(JSON.stringify({ error }))).toBe('');
      }
      expect(readRejection(JSON.stringify({ success: false, error: text }))).toBe('');
    },
  );

  it.each([
    "1\tClaude requested permissions to use Bash, but you haven't granted it yet.",
    "Claude requested permissions to use Bash, but you haven't granted it yet.\nWhat does that mean?",
    'This command requires approval\nfrom an admin',
    'Answer questions?\nYes, all of them.',
    'Permission to use Bash has been denied.\nlog',
    'Permission to use the camera has been denied.',
    'Permission to read the mailbox has been denied.',
    'Some file was blocked. For security, Claude Code may only do so.\nlog',
    '# Notes\n\nPermission for this action was denied by the Claude Code auto mode classifier. Reason: none',
    '{"output":"This command requires approval"}',
    '{"error":"","output":"This command requires approval"}',
  ])('is not a result that only mentions such a message: %j', (text) => {
    expect(readRejection(text)).toBeUndefined();
    expect(kinds.filter((kind) => isFailedAs(kind, text))).toEqual([]);
  });

  it('keeps other errors of JSON objects as failures', () => {
    const failure = { form: 'envelope', reason: 'Permission denied' };
    const content = [{ type: 'text', text: '{"error":"Permission denied"}' }] as const;
    expect(failureOf({ type: 'tool_result', isError: false, content })).toEqual(failure);
  });
});

describe('the message of a tool that was not found, or that failed', () => {
  it.each([
    'Error executing tool read_file: File not found: /a.ts',
    'Error: Tool "reed" not found in registry.',
    'Tool "reed" not found. Did you mean one of: "read"?',
    'Error: No such tool available: reed',
  ])('decides for every call: %j', (text) => {
    expect(kinds.filter((kind) => !isFailedAs(kind, text))).toEqual([]);
  });

  it.each([
    'Failed to edit, 0 occurrences found for old_string (a).',
    'Failed to apply patch',
    'Failed to find expected lines in /a.ts:\na',
  ])('decides for changes of files: %j', (text) => {
    expect(kinds.filter((kind) => isFailedAs(kind, text))).toEqual(['write']);
  });
});

describe('an exit code', () => {
  it.each([
    ['log\nProcess completed with exit code 1.', ['execute']],
    ['log\n[Process exited with code 1]', ['execute']],
    ['Exit code: 1\nlog', ['execute', 'write', 'other', 'result']],
    ['Chunk ID: 3f\nProcess exited with code 1\nOutput:\nlog', ['execute', 'write', 'other', 'result']],
    ['{"output":"log","metadata":{"exit_code":1}}', ['execute', 'write', 'other', 'result']],
    ['{"error":"no"}', kinds.filter((kind) => kind !== 'read' && kind !== 'fetch')],
    ['{"success":false,"message":"no"}', kinds.filter((kind) => kind !== 'read' && kind !== 'fetch')],
    ['MCP error -32602: Invalid arguments\nmore', kinds.filter((kind) => kind !== 'read' && kind !== 'fetch')],
    ['ERROR:\nno such table', kinds.filter((kind) => kind !== 'read' && kind !== 'fetch')],
    ['ERROR: a line of a log', []],
    ['Error: oldString not found in content', ['write']],
    ['fine\nError: oldString not found in content', []],
    ['Error:', []],
    ['Task not found', kinds.filter((kind) => kind !== 'read' && kind !== 'fetch')],
    ['Task not found in the list of the file', []],
  ] as const)('decides only for calls whose result is not content: %j', (text, failed) => {
    const expected: readonly string[] = failed;
    expect(kinds.filter((kind) => isFailedAs(kind, text))).toEqual(kinds.filter((kind) => expected.includes(kind)));
  });
});

describe('the form of a failure', () => {
  it.each([
    ['Command "cargo test" failed with exit code 101.\nlog', 'header'],
    ['<returncode>1</returncode>\nlog', 'header'],
    ['Error: Command failed (exit code: 1)\nlog', 'header'],
    ['Exit code: 1\nWall time: 1 s\nOutput:\nlog', 'header'],
    ['Wall time: 1 s\nExit code: 1\nOutput:\nlog', 'header'],
    ['Output: log\nExit Code: 3\nProcess Group PGID: 7', 'header'],
    ['Exit code 1\nlog', 'exit'],
    ['log\nCommand exited with code 1', 'ending'],
    ['log\n\nCommand timed out after 5 seconds', 'ending'],
    ['Error: not found', 'message'],
    ['{"exit_code":1}', 'header'],
    ['{"error":"no"}', 'envelope'],
  ])('of %j is %s', (text, form) => {
    expect(failureOf({ type: 'tool_result', isError: false, content: [{ type: 'text', text }] })?.form).toBe(form);
  });
});

describe('several results of one call', () => {
  const fine = { query: 'git status', result: 'On branch main', success: true };
  const failed = { query: 'npm test', result: '2 failed\nmore', error: 'Command exited with code 1', success: false };

  it.each(kinds)('have an outcome each, also of a call of kind %s', (kind) => {
    expect(isFailedAs(kind, JSON.stringify([fine, failed]))).toBe(true);
    expect(isFailedAs(kind, JSON.stringify([fine, { ...fine, result: 'Exit code: 1' }]))).toBe(false);
    expect(isFailedAs(kind, JSON.stringify(failed))).toBe(true);
  });

  it('can be blocks that are not text', () => {
    const content = [fine, failed].map((raw) => ({ type: 'unknown', kind: 'unknown', raw }) as const);
    expect(failureOf({ type: 'tool_result', isError: false, content })).toEqual({ form: 'tool', reason: '2 failed' });
    expect(failureOf({ type: 'tool_result', isError: false, content: content.slice(0, 1) })).toBeUndefined();
    const text = { type: 'text', text: 'fine' } as const;
    expect(failureOf({ type: 'tool_result', isError: false, content: [text, ...content] })).toBeUndefined();
  });

  it('are content if they are not those of a tool', () => {
    expect(isFailed(JSON.stringify([{ success: false }]))).toBe(false);
    expect(isFailed(JSON.stringify([{ ...failed, name: 'x' }]))).toBe(false);
  });

  it('are not read after one that is not a result', () => {
    let readCount = 0;
    const watched = {
      get query(): string {
        readCount += 1;
        return 'a';
      },
      success: false,
    };
    const failureIn = (...raws: readonly unknown[]) =>
      failureOf({
        type: 'tool_result',
        isError: false,
        content: raws.map((raw) => ({ type: 'unknown', kind: 'unknown', raw }) as const),
      });
    expect(failureIn(fine, watched)?.form).toBe('tool');
    expect(readCount).toBeGreaterThan(0);
    readCount = 0;
    expect(failureIn(fine, { other: 1 }, watched)).toBeUndefined();
    expect(readCount).toBe(0);
  });
});

describe('the reason', () => {
  const reasonOf = (text: string, isError = false) =>
    failureOf({ type: 'tool_result', isError, content: [{ type: 'text', text }] })?.reason;

  it.each([
    // After headers, the first line that names an error.
    [
      'Chunk ID: 0ca2fe\nWall time: 1 s\nProcess exited with code 1\nOutput:\nrunning\nerror: no such field\nmore',
      'error: no such field',
    ],
    [
      'Command: zsh -lc "make error"\nChunk ID: 0ca2fe\nProcess exited with code 2\nOutput:\nmake\nmake: *** [all] Error 2',
      'make: *** [all] Error 2',
    ],
    ['Exit code: 1\nTraceback (most recent call last):\n  File "a.py", line 3\nValueError: no\n', 'ValueError: no'],
    [
      '✓ keeps errors\nran 3 tests, 0 failed\nsrc/errors.ts is fine\nAssertionError: 3\n[Process exited with code 1]',
      'AssertionError: 3',
    ],
    ['Output: fatal: not a git repository\nExit Code: 128\nProcess Group PGID: 7', 'fatal: not a git repository'],
    [
      `Command "${'error\n'.repeat(40)}" failed with exit code 101.\n\n\`\`\`\nerror[E0432]: no\n\`\`\``,
      'error[E0432]: no',
    ],
    [
      'first\nsecond\n[The command completed with exit code 1.]\n[Current working directory: /w]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 1]',
      'second',
    ],
    ['first\nno\n[The command completed with exit code 1.]\n[Current working directory: /w]', 'no'],
    ['Output: first\nno\nStderr: (empty)\nError: (none)\nExit Code: 3\nSignal: (none)\nProcess Group PGID: 7', 'no'],
    ['Output: first\nError: spawn npm ENOENT\nExit Code: 1\nSignal: (none)', 'Error: spawn npm ENOENT'],
    ['Exit code: 1\n\u001b[31mFAIL\u001b[0m test/a.test.ts\r\nmore', 'FAIL test/a.test.ts'],
    // What a compiler or linter reports about a place.
    [
      'Exit code 1\n# shop/cart\ncart.go:1: : # shop\ncart/data.go:68:2: declared and not used: n\ncart/data.go:70:1: missing return\nERROR task failed',
      'cart/data.go:68:2: declared and not used: n',
    ],
    ['Exit code: 1\na.c:3:1: warning: unused\na.c:3:1: note: here\na.c:9:2: expected ;\nmore', 'a.c:9:2: expected ;'],
    ['Exit code: 1\n10:20:30 started\nat 10:20:30 today\nhttp://a.test:80:1 x\nlast', 'last'],
    [`Exit code: 1\nerror ${'a'.repeat(113)}🚀\nlast`, `error ${'a'.repeat(113)}`],
    [`Exit code: 1\nGet ${'a'.repeat(110)}: no such host\nlast`, `Get ${'a'.repeat(110)}: no s`],
    // Otherwise, the last line with text.
    ['Exit code: 1\nfirst\nsecond\n\n', 'second'],
    ['first\nsecond\n\nCommand exited with code 1', 'second'],
    ['<returncode>1</returncode>\n<output>\nfirst\nsecond\n</output>', 'second'],
    // The tool ended the command.
    [
      'error: slow\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout 120000 ms. If this command is expected to take longer, retry.\n</shell_metadata>',
      'shell tool terminated command after exceeding timeout 120000 ms.',
    ],
    ['error: slow\n\nCommand timed out after 5 seconds', 'Command timed out after 5 seconds'],
    [
      '<untrusted_context>\nCommand was automatically cancelled because it exceeded the timeout of 5.0 minutes without output. Below is the output before it was cancelled:\nerror: slow\n</untrusted_context>',
      'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.',
    ],
    ['<untrusted_context>\nOutput: one\ntwo\nExit Code: 3\nProcess Group PGID: 7\n</untrusted_context>', 'two'],
    ['building\n\nCommand timed out after 30s', 'Command timed out after 30s'],
    ['Output: building\nExit Code: (none)\nSignal: SIGKILL\nProcess Group PGID: 7', 'Signal: SIGKILL'],
    [
      'Output: building\nError: spawn npm ENOENT\nExit Code: (none)\nSignal: (none)\nProcess Group PGID: 7',
      'Error: spawn npm ENOENT',
    ],
    // Only an exit code.
    ['Command exited with code 1', 'Command exited with code 1'],
    ['Error: Command failed with exit code 1: npm test', 'Error: Command failed with exit code 1: npm test'],
    ['{"content":[{"type":"text","text":"no such user"}],"isError":true}', 'no such user'],
    // What the tool says.
    [
      '<tool_use_error>Found 3 matches, but replace_all is false.\nString: error</tool_use_error>',
      'Found 3 matches, but replace_all is false.',
    ],
    [
      'The tool execution failed with the following error:\n<error>\nThe text is missing\n</error>',
      'The text is missing',
    ],
    [
      'apply_patch verification failed: Failed to find expected lines',
      'apply_patch verification failed: Failed to find expected lines',
    ],
    // JSON.
    ['{"error":"File not found: a.ts"}', 'File not found: a.ts'],
    ['{"error":"500 Internal Server Error\\n    at get (a.ts:1)"}', '500 Internal Server Error'],
    ['{"error":"The request failed with an error\\nTry again"}', 'The request failed with an error'],
    ['{"error":"Error\\nNo access"}', 'No access'],
    ['{"error":"Validation error:\\nNo name"}', 'No name'],
    ['{"error":{"message":"No access"},"output":""}', 'No access'],
    ['{"error":{"code":7},"output":"fine"}', '{"code":7}'],
    ['{"error":"Exit code: 1","output":""}', 'Exit code: 1'],
    ['{"exit_code":1,"stdout":"fine","stderr":"fatal: no"}', 'fatal: no'],
    ['{"exit_code":1,"stdout":"first\\nlast","stderr":" "}', 'last'],
    ['{"success":false,"message":"\\nNo rights\\nmore"}', 'No rights'],
    ['MCP error -32602: Invalid arguments', 'MCP error -32602: Invalid arguments'],
    ['ERROR:\nno such table', 'no such table'],
    ['Error: oldString not found in content\nmore', 'Error: oldString not found in content'],
    ['{"output":"first\\nfatal: no\\nmore","metadata":{"exit_code":1}}', 'fatal: no'],
    [
      '[{"query":"a","result":"x","success":true},{"query":"b","result":"x\\nerror: no","error":"Command exited with code 2","success":false}]',
      'error: no',
    ],
  ])('is the line that tells most: %j', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  it('of a flagged result is found in the same way', () => {
    expect(reasonOf('\nExit code 1\n> lint\nerror: no', true)).toBe('error: no');
    expect(reasonOf('The user rejected this.', true)).toBe('The user rejected this.');
    expect(reasonOf('', true)).toBe('');
    expect(reasonOf('Chunk ID: 3f\nProcess exited with code 0\nOutput:\nfine', true)).toBe('fine');
  });

  it('of a long result is in its edges', () => {
    const long = 'x\n'.repeat(1_000_000);
    expect(reasonOf(`${long}error: no\n${long}last\nExit code: 1`)).toBe('last');
    expect(reasonOf(`Exit code: 1\nerror: no\n${long}`)).toBe('error: no');
  });
});
