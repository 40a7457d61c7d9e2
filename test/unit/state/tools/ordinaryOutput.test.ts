import { describe, expect, it } from 'vitest';
import type { ToolKind } from '../../../../src/state/tools/toolCall.ts';
import { failureOf, isFailedResult } from '../../../../src/state/tools/outcome.ts';

const resultOf = (text: string) =>
  ({ type: 'tool_result', isError: false, content: [{ type: 'text', text }] }) as const;
const isFailedAs = (kind: ToolKind | 'result', text: string) => isFailedResult(resultOf(text), kind);

describe('the output of a program is not a failure of the command', () => {
  it.each([
    // Fields in the style of a trailer.
    'PID: 1234\nSignal: SIGHUP',
    'MainPID: 3\nSignal: TERM\nDuration: 1s',
    'Signal: -55 dBm\nDuration: 3s',
    'Signal: 70/100\nPID: 3',
    'Signal: None\nPID: 5',
    'done\nError: 0\nDuration: 2s\nPID: 4',
    'done\nError: (None)\nDuration: 2s\nPID: 4',
    'Error: retrying (1/3)\nDuration: 2s\nPID: 4',
    'Output: -55 dBm\nSignal: -55 dBm\nProcess Group PGID: 12',
    'Output: done\nSignal: (None)\nProcess Group PGID: 12',
    'Output: done\nSignal: 0\nProcess Group PGID: 12',
    'Process Group PGID: 12\nSignal: 15',
    'Exit Code: (none)\nDuration: 1s\nSignal: SIGTERM',
    'Output: done\nError: 3 warnings\nBackground PIDs: 7\nProcess Group PGID: 12',
    'Output: done\nError: 0\nExit Code: (none)\nSignal: (none)\nProcess Group PGID: 12',
    'Output: done\nError: (None)\nExit Code: (none)\nSignal: (none)\nProcess Group PGID: 12',
    // First lines.
    'Command timed out after 5 seconds\nretrying\nall tests passed',
    'Command timed out after 30s\nok',
    "Command executed in '/web'. Exit code: 0\n\nOutput (9KB) persisted. Artifact ID: a\n\nPreview:\nExit code: 1",
    'The command timed out after 120000ms\nretrying\nok',
    'Process terminated by signal 15\nProcess started again\nready',
    'Process terminated by signal 15',
    'Command terminated by signal 11\n0.00user 0.00system 0:00.04elapsed\n0inputs+0outputs',
    'log\n\nCommand terminated by signal 11',
    'aborted by user',
    'aborted by user\nok',
    'aborted by user after 3.4s\nok',
    'Status: running\naborted by user\nready',
    'Wall time: 3.4 seconds\naborted by user\nready',
    'Command was aborted before completion\nretrying\nok',
    'Error: code 404 is expected\nok',
    'Error: code 404 is expected',
    'Error: exit code 1 was ignored\nok',
    'Error: Process exited with code 1\nrestarted\nready',
    'Error: Command failed with exit code 1: npm test\nretrying\nok',
    'The command completed with status code 200',
    'The command exited with status code 1\nretrying\nok',
    'Command exited with non-zero status 1\n0.00user 0.00system 0:00.04elapsed\n0inputs+0outputs',
    'log\nThe command exited with status code 1',
    // A command that Zed quotes ends on the same line.
    'Command "ls" was executed.\nOutput:\nstep "b" timed out, retried, ok',
    'Command "ls" was executed.\nOutput:\nstep "b" timed out. Output captured before timeout: none',
    'Command "ls" was executed.\nCommand "make" failed with exit code 1, retried, ok',
    'Command "echo "a b"" was executed.\nCommand "make" failed with exit code 1, retried, ok',
    'Command "ls" timed out, retried, ok',
    'Command "ls" timed out after 5 attempts. Retried.',
  ])('%j', (text) => {
    expect(isFailedAs('execute', text)).toBe(false);
  });

  it.each([
    '{"status":"failed"}',
    '{"status":"failed","message":"Build #12 failed","duration":31}',
    '{"status":"rejected","message":"PR #3 was rejected in review"}',
    '{"status":"denied","message":"The request was denied."}',
    '{"status":"error","message":"Build #12 failed"}',
    '{"message":"Wait timed out.","timed_out":true}',
    '{"output":"listening on 3000","timed_out":true}',
    '{"output":"listening on 3000","interrupted":true}',
    '{"stdout":"fine","stderr":"","exit_code":0,"timed_out":true}',
    '{"isError":true,"message":"the state of a page"}',
    '{"ok":false,"message":"channel_not_found"}',
    '{"signal":"SIGKILL"}',
    '{"code":null,"signal":"SIGKILL","stdout":""}',
  ])('or of a server: %j', (text) => {
    for (const kind of ['execute', 'other', 'result'] as const)
      expect([kind, isFailedAs(kind, text)]).toEqual([kind, false]);
  });
});

describe('what a call reads is not a failure of the call', () => {
  it.each([
    'Tool "eslint" not found\nusing fallback',
    'Tool "eslint" not found in registry.\nusing fallback',
    'Tool "eslint" not found, using fallback',
    'Error executing tool read_file: x\nmore log',
    'Error: No such tool available: reed\nmore log',
    'rejected by user',
    'exec command rejected by user\nmore log',
    'The user denied this operation for the third time.\nlog',
    'The user denied this operation.\nlog',
    'The user denied this operation and provided the following feedback:\nlog',
    'The user rejected permission to use this specific tool call.\nlog',
    "The user doesn't want to proceed with this tool use, says the log",
    '[Operation Cancelled] Reason: x\nlog',
    'Tool execution denied by policy\nlog',
    'The user cancelled the tool call twice.\nlog',
  ])('%j', (text) => {
    for (const kind of ['read', 'search', 'list', 'fetch', 'execute', 'other'] as const) {
      expect([kind, isFailedAs(kind, text)]).toEqual([kind, false]);
    }
  });
});

describe('a report of an agent is a failure', () => {
  it.each([
    'Output: building\nSignal: SIGTERM\nBackground PIDs: 7',
    'Output: building\nSignal: 15\nProcess Group PGID: 12',
    'Output: building\nExit Code: (none)\nSignal: SIGKILL',
    'Output: (empty)\nError: spawn ENOENT\nExit Code: (none)\nSignal: (none)',
    'Command "npm test" timed out. Output captured before timeout:\n\n```\nbuilding\n```',
    'Command "npm test" timed out. No output was captured.',
    'Command "npm test &&\nnpm start" timed out. No output was captured.',
    'Command "git commit -m "first\n\nsecond"" failed with exit code 1.\n\n```\nno\n```',
    'Command "echo "a" &&\nmake" failed with exit code 1.',
    'Exit code 143\nCommand timed out after 30s\nbuilding',
    "Command executed in terminal within working directory '/web'. Process terminated by signal SIGKILL\nOutput:\nbuilding",
    "Command executed in '/web'. Command execution was not successful, inspect the cause and adjust as needed.\nExit code: 1\n\nOutput (9KB) persisted. Artifact ID: a\n\nPreview:\nbuilding",
    '{"status":"error","message":"The tool execution failed"}',
    '{"status":"denied","message":"The user denied this operation."}',
    '{"output":"","exit_code":null,"timed_out":true}',
  ])('%j', (text) => {
    expect(isFailedAs('execute', text)).toBe(true);
  });

  it.each([
    'The user denied this operation.',
    'The user rejected permission to use this specific tool call with the following feedback: use pnpm',
    'Tool execution denied by policy. You are in Plan Mode.',
    'The user cancelled the tool call.',
  ])('of any call: %j', (text) => {
    for (const kind of ['read', 'search', 'execute', 'other'] as const) {
      expect([kind, isFailedAs(kind, text)]).toEqual([kind, true]);
    }
  });

  it.each([
    ['Command "npm test &&\nnpm start" timed out. No output was captured.', 'npm start" timed out.'],
    ['Wall time: 3.4 seconds\naborted by user', 'aborted by user'],
  ])('whose reason is one line: %j', (text, reason) => {
    expect(failureOf(resultOf(text))?.reason).toBe(reason);
  });
});
