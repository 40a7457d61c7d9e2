import type { FollowUpAction, ToolCall } from '../../../../src/state/tools/toolCall.ts';

/** A call of a public agent, and what Lineside recognizes in it. docs/tools.md has the sources of the shapes. */
export interface AgentCall {
  readonly agent: string;
  readonly name: string;
  readonly input: unknown;
  readonly call: ToolCall;
}

/** A patch with every kind of file section. */
export const patchText = [
  '*** Begin Patch',
  '*** Update File: src/basket.ts',
  '@@ export function total',
  ' let sum = 0;',
  '-sum += price;',
  '+sum += price * count;',
  '+sum -= discount;',
  '@@',
  '-return sum',
  '+return round(sum);',
  '*** Add File: src/round.ts',
  '+export const round = Math.round;',
  '+',
  '*** Delete File: src/old.ts',
  '*** Update File: src/tax.ts',
  '*** Move to: src/vat.ts',
  '@@',
  '-const rate = 16;',
  '+const rate = 19;',
  '*** End Patch',
].join('\n');

export const patchCall: ToolCall = {
  kind: 'write',
  changes: [
    {
      path: 'src/basket.ts',
      change: 'edited',
      pieces: [
        {
          oldText: 'let sum = 0;\nsum += price;',
          newText: 'let sum = 0;\nsum += price * count;\nsum -= discount;',
        },
        { oldText: 'return sum', newText: 'return round(sum);' },
      ],
      isWhole: false,
    },
    {
      path: 'src/round.ts',
      change: 'created',
      pieces: [{ oldText: '', newText: 'export const round = Math.round;\n\n' }],
      isWhole: true,
    },
    { path: 'src/old.ts', change: 'deleted', pieces: [], isWhole: false },
    {
      path: 'src/tax.ts',
      change: 'renamed',
      newPath: 'src/vat.ts',
      pieces: [{ oldText: 'const rate = 16;', newText: 'const rate = 19;' }],
      isWhole: false,
    },
  ],
};

export const unifiedDiff = [
  'diff --git a/src/basket.ts b/src/basket.ts',
  'index 1c2d3e4..5f6a7b8 100644',
  '--- a/src/basket.ts',
  '+++ b/src/basket.ts\t2026-01-01 10:00:00',
  '@@ -1,3 +1,3 @@ export',
  ' a',
  '--- b',
  '+++ c',
  '@@ -9 +9 @@',
  '-d',
  '\\ No newline at end of file',
  '+e',
  'diff --git a/new.ts b/new.ts',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/new.ts',
  '@@ -0,0 +1 @@',
  '+x',
  'diff --git a/gone.ts b/gone.ts',
  'deleted file mode 100644',
  '--- a/gone.ts',
  '+++ /dev/null',
  '@@ -1 +0,0 @@',
  '-y',
  'diff --git a/one.ts b/two.ts',
  'similarity index 100%',
  'rename from one.ts',
  'rename to two.ts',
  'diff --git a/logo.png b/logo.png',
  'Binary files a/logo.png and b/logo.png differ',
  '',
].join('\n');

const path = 'src/basket.ts';
const piece = { oldText: 'a\nb', newText: 'a\nc' };

const read = { kind: 'read', paths: [path] } as const satisfies ToolCall;
const list: ToolCall = { kind: 'list', path: 'src' };
const search: ToolCall = { kind: 'search', query: 'total\\(' };
const run: ToolCall = { kind: 'execute', command: 'npm test -- --run basket' };
const fetch: ToolCall = { kind: 'fetch', address: 'https://example.com/docs?a=1' };
const subagent: ToolCall = { kind: 'agent', task: 'Find the callers' };
const edit = written({ pieces: [piece] });
const twoEdits = written({ pieces: [piece, { oldText: 'x', newText: '' }] });
const write = written({ pieces: [{ oldText: '', newText: 'a\nb\n' }], isWhole: true });
const creation = written({ change: 'created', pieces: [{ oldText: '', newText: 'a\nb\n' }], isWhole: true });
const insertion = written({ pieces: [{ oldText: '', newText: 'a\nb\n' }] });
const withoutText = written({});
const deletion = written({ change: 'deleted' });
const question = asks('Which currency?');
const approval: ToolCall = { kind: 'question', text: '1. Move the code', isApproval: true };
const plan: ToolCall = {
  kind: 'plan',
  items: [
    { text: 'Read', state: 'done' },
    { text: 'Change', state: 'current' },
    { text: 'Test', state: 'open' },
  ],
};

const searchBlocks =
  '------- SEARCH\na\nb\n=======\na\nc\n+++++++ REPLACE\n------- SEARCH\nx\n=======\n+++++++ REPLACE\n';
const numberedBlocks = '<<<<<<< SEARCH\n:start_line:12\n-------\na\nb\n=======\na\nc\n>>>>>>> REPLACE';
const todos = (text: string, done: string, current: string, open: string) => [
  { [text]: 'Read', status: done },
  { [text]: 'Change', status: current, activeForm: 'Changing' },
  { [text]: 'Test', status: open, priority: 'low' },
];
const choices = [{ question: 'Which currency?', header: 'Currency', options: [{ label: 'EUR', description: 'Euro' }] }];
const cancelled = { description: 'Celebrate', status: 'cancelled' };
const command = 'npm test -- --run basket';
const url = 'https://example.com/docs?a=1';

/** The calls of each agent: name of the tool, arguments, and what they are recognized as. */
const callsByAgent: Record<string, readonly (readonly [string, unknown, ToolCall])[]> = {
  'Claude Code': [
    ['Write', { file_path: path, content: 'a\nb\n' }, write],
    ['Edit', { file_path: path, old_string: piece.oldText, new_string: piece.newText, replace_all: false }, edit],
    ['Edit', { file_path: path, old_string: '', new_string: 'a\nb\n' }, creation],
    [
      'MultiEdit',
      { file_path: path, edits: [editAs('old_string', 'new_string'), { old_string: 'x', new_string: '' }] },
      twoEdits,
    ],
    ['NotebookEdit', { notebook_path: path, cell_id: 'c1', new_source: 'x', edit_mode: 'replace' }, withoutText],
    ['Read', { file_path: path, offset: 10, limit: 20 }, read],
    ['LS', { path: 'src', ignore: ['*.js'] }, list],
    ['Grep', { pattern: 'total\\(', path: 'src', output_mode: 'content', '-n': true }, search],
    ['Glob', { pattern: '**/*.ts' }, { kind: 'search', query: '**/*.ts' }],
    ['Bash', { command, description: 'Run the tests', timeout: 1_000 }, run],
    ['WebFetch', { url, prompt: 'Summarize the page' }, fetch],
    ['WebSearch', { query: 'vitest run' }, { kind: 'search', query: 'vitest run' }],
    ['TodoWrite', { todos: todos('content', 'completed', 'in_progress', 'pending') }, plan],
    ['AskUserQuestion', { questions: [...choices, { question: 'When?' }] }, asks('Which currency?\nWhen?')],
    ['ExitPlanMode', { plan: '1. Move the code' }, approval],
    ['Task', { description: 'Find the callers', prompt: 'Find every caller.', subagent_type: 'Explore' }, subagent],
    [
      'TaskCreate',
      { subject: 'Add tax', description: 'In every country', activeForm: 'Adding tax' },
      { kind: 'task', change: { text: 'Add tax' } },
    ],
    ['TaskUpdate', { taskId: '3', status: 'completed' }, { kind: 'task', change: { id: '#3', state: 'done' } }],
    [
      'TaskUpdate',
      { taskId: '3', status: 'in_progress', subject: 'Add taxes' },
      { kind: 'task', change: { id: '#3', text: 'Add taxes', state: 'current' } },
    ],
    ['TaskUpdate', { taskId: 3, status: 'deleted' }, { kind: 'task', change: { id: '#3', state: 'removed' } }],
    ['TaskUpdate', { taskId: '4', addBlockedBy: ['3'] }, { kind: 'task', change: { id: '#4' } }],
    ['TaskList', {}, { kind: 'task' }],
    ['TaskGet', { taskId: '3' }, { kind: 'task' }],
    ['ToolSearch', { query: 'select:TaskCreate', max_results: 2 }, { kind: 'search', query: 'select:TaskCreate' }],
    ['Skill', { skill: 'superpowers:writing-plans' }, { kind: 'skill', name: 'superpowers:writing-plans' }],
    ['BashOutput', { bash_id: '1' }, continues('execute', 'wait', '1')],
    ['TaskOutput', { task_id: 'b1', block: true }, continues('execute', 'wait', 'b1')],
    ['KillShell', { shell_id: '1' }, continues('execute', 'stop', '1')],
    ['TaskStop', { task_id: 'b1' }, continues('execute', 'stop', 'b1')],
    [
      'Edit',
      { file_path: path, old_string: 'a', new_string: 'b', replace_all: true },
      written({ pieces: [{ oldText: 'a', newText: 'b', occurrences: 'all' }] }),
    ],
    [
      'MultiEdit',
      {
        file_path: path,
        edits: [{ old_string: 'a', new_string: 'b', replace_all: true }, editAs('old_string', 'new_string')],
      },
      written({ pieces: [{ oldText: 'a', newText: 'b', occurrences: 'all' }, piece] }),
    ],
  ],
  'Factory droid': [
    ['Create', { file_path: path, content: 'a\nb\n' }, creation],
    ['Edit', { file_path: path, old_str: piece.oldText, new_str: piece.newText, change_all: false }, edit],
    [
      'MultiEdit',
      { file_path: path, changes: [editAs('old_str', 'new_str'), { old_str: 'x', new_str: '' }] },
      twoEdits,
    ],
    ['ApplyPatch', { input: patchText }, patchCall],
    ['Read', { file_path: path }, read],
    ['LS', { directory_path: 'src' }, list],
    ['Glob', { patterns: ['*.ts', '*.css'], folder: 'src' }, { kind: 'search', query: '*.ts, *.css' }],
    ['Execute', { command, riskLevel: { value: 'low', reason: 'tests' } }, run],
    ['FetchUrl', { url }, fetch],
    ['TodoWrite', { todos: '1. [completed] Read\n2. [in_progress] Change\n3. [pending] Test' }, plan],
    [
      'AskUser',
      { questionnaire: '1. [question] Which currency?\n[topic] Money\n[option] EUR\n[option] USD' },
      question,
    ],
    ['ExitSpecMode', { plan: '1. Move the code', title: 'Basket' }, approval],
  ],
  'OpenAI Codex': [
    ['apply_patch', patchText, patchCall],
    ['apply_patch', JSON.stringify({ input: patchText }), patchCall],
    [
      'shell',
      { command: ['bash', '-lc', `cd web && apply_patch <<'EOF'\n${patchText}\nEOF`], workdir: '.' },
      { ...patchCall, folder: './web' },
    ],
    [
      'shell',
      { command: ['bash', '-lc', `cd /web && apply_patch <<'EOF'\n${patchText}\nEOF`], workdir: '/r' },
      { ...patchCall, folder: '/web' },
    ],
    ['exec_command', { cmd: `apply_patch <<'EOF'\n${patchText}\nEOF`, workdir: '/r' }, { ...patchCall, folder: '/r' }],
    ['exec_command', { cmd: command, workdir: '/r' }, { ...run, folder: '/r' }],
    ['shell', { command: ['apply_patch', patchText] }, patchCall],
    ['shell', { command: ['bash', '-lc', command], timeout_ms: 1_000 }, run],
    ['shell', { command: ['git', 'commit', '-m', "it's"] }, { kind: 'execute', command: "git commit -m 'it'\\''s'" }],
    ['exec_command', { cmd: command, yield_time_ms: 1_000 }, run],
    ['local_shell', { action: { type: 'exec', command: ['npm', 'test', '--', '--run', 'basket'] } }, run],
    ['update_plan', { explanation: 'Going on', plan: todos('step', 'completed', 'in_progress', 'pending') }, plan],
    ['list_dir', { dir_path: 'src', depth: 2 }, list],
    ['grep_files', { pattern: 'total\\(', include: '*.ts' }, search],
    ['view_image', { path }, read],
    ['request_user_input', { questions: [{ id: 'money', ...choices[0] }] }, question],
    ['spawn_agent', { message: 'Find the callers', agent_type: 'explorer' }, subagent],
    ['write_stdin', { session_id: 1, chars: 'y\n' }, continues('execute', 'input', '1', 'y\n')],
    ['write_stdin', { session_id: 80697, chars: '', yield_time_ms: 1500 }, continues('execute', 'wait', '80697')],
    [
      'wait_agent',
      { targets: ['a1', 'b2'], timeout_ms: 300_000 },
      { ...continues('agent', 'wait', 'a1'), handles: ['a1', 'b2'] },
    ],
    ['close_agent', { target: 'a1' }, continues('agent', 'stop', 'a1')],
    ['send_input', { target: 'a1', message: 'Go on', interrupt: false }, continues('agent', 'input', 'a1', 'Go on')],
    ['web_search', { action: { type: 'open_page', url } }, fetch],
    ['web_search', { action: { type: 'search', query: 'vitest run' } }, { kind: 'search', query: 'vitest run' }],
  ],
  Cursor: [
    ['edit_file', { target_file: path, instructions: 'Add tax', code_edit: '// ... existing code ...' }, withoutText],
    ['search_replace', { file_path: path, old_string: piece.oldText, new_string: piece.newText }, edit],
    ['Write', { path, contents: 'a\nb\n' }, write],
    ['Delete', { path }, deletion],
    ['delete_file', { target_file: path, explanation: 'Unused' }, deletion],
    ['read_file', { target_file: path, should_read_entire_file: true }, read],
    ['list_dir', { relative_workspace_path: 'src' }, list],
    ['grep_search', { query: 'total\\(', include_pattern: '*.ts' }, search],
    ['codebase_search', { query: 'total\\(', target_directories: [] }, search],
    ['web_search', { search_term: 'total\\(' }, search],
    ['run_terminal_cmd', { command, is_background: false }, run],
    ['todo_write', { merge: false, todos: todos('content', 'completed', 'in_progress', 'pending') }, plan],
    [
      'todo_write',
      { merge: true, todos: [{ id: '1', content: 'Read', status: 'completed' }] },
      { kind: 'plan', isPartial: true, items: [{ text: 'Read', state: 'done' }] },
    ],
    [
      'todo_write',
      { merge: true, todos: [{ id: '1', status: 'completed' }] },
      { kind: 'plan', isPartial: true, items: [{ text: '1', state: 'done' }] },
    ],
  ],
  'GitHub Copilot': [
    ['create_file', { filePath: path, content: 'a\nb\n' }, creation],
    ['replace_string_in_file', { filePath: path, oldString: piece.oldText, newString: piece.newText }, edit],
    [
      'multi_replace_string_in_file',
      {
        explanation: 'Two edits',
        replacements: [
          { filePath: path, ...editAs('oldString', 'newString'), explanation: 'First' },
          { filePath: path, oldString: 'x', newString: '' },
        ],
      },
      twoEdits,
    ],
    ['insert_edit_into_file', { explanation: 'Add', filePath: path, code: '// ...existing code...' }, withoutText],
    ['apply_patch', { input: patchText, explanation: 'Fix' }, patchCall],
    ['read_file', { filePath: path, startLine: 1, endLine: 9 }, read],
    ['list_dir', { path: 'src' }, list],
    ['grep_search', { query: 'total\\(', isRegexp: true }, search],
    ['semantic_search', { query: 'total\\(' }, search],
    ['run_in_terminal', { command, explanation: 'Run', isBackground: false }, run],
    ['fetch_webpage', { urls: [url], query: 'api' }, fetch],
    [
      'manage_todo_list',
      { operation: 'write', todoList: todos('title', 'completed', 'in-progress', 'not-started') },
      plan,
    ],
    ['manage_todo_list', { operation: 'read' }, { kind: 'other' }],
    ['runSubagent', { prompt: 'Find every caller.', description: 'Find the callers' }, subagent],
    ['vscode_askQuestions', { questions: choices }, question],
    ['str_replace_editor', { command: 'create', path, file_text: 'a\nb\n' }, creation],
    ['ask_user', { question: 'Which currency?', choices: ['EUR', 'USD'] }, question],
    ['get_errors', { filePaths: [path] }, { kind: 'other' }],
  ],
  'Cline and Roo Code': [
    ['write_to_file', { path, content: 'a\nb\n' }, write],
    ['replace_in_file', { path, diff: searchBlocks }, twoEdits],
    ['apply_diff', { path, diff: numberedBlocks }, edit],
    ['insert_content', { path, line: 7, content: 'a\nb\n' }, insertion],
    ['search_and_replace', { path, search: piece.oldText, replace: piece.newText }, edit],
    ['read_file', { args: { file: [{ path }, { path: 'b.ts' }] } }, { kind: 'read', paths: [path, 'b.ts'] }],
    ['list_files', { path: 'src', recursive: 'true' }, list],
    ['search_files', { path: 'src', regex: 'total\\(', file_pattern: '*.ts' }, search],
    ['execute_command', { command, requires_approval: 'false' }, run],
    ['ask_followup_question', { question: 'Which currency?', follow_up: [{ text: 'EUR' }] }, question],
    ['plan_mode_respond', { response: '1. Move the code' }, approval],
    ['plan_mode_respond', { response: 'I look further', needs_more_exploration: true }, { kind: 'other' }],
    ['update_todo_list', { todos: '[x] Read\n[-] Change\n[ ] Test' }, plan],
    ['new_task', { mode: 'code', message: 'Find the callers', todos: '[ ] one' }, subagent],
    ['run_commands', { commands: [command, 'git status'] }, { kind: 'execute', command: `${command}\ngit status` }],
    [
      'run_commands',
      { commands: [{ command: 'git', args: ['log', '-1'] }] },
      { kind: 'execute', command: 'git log -1' },
    ],
    ['run_commands', { command: 'git', args: ['log', '-1'] }, { kind: 'execute', command: 'git log -1' }],
    ['run_commands', { commands: 'git status' }, { kind: 'execute', command: 'git status' }],
    ['editor', { path, old_text: piece.oldText, new_text: piece.newText }, edit],
    ['editor', { path, new_text: 'a\nb\n' }, creation],
    ['editor', { path, old_text: null, new_text: 'a\nb\n', insert_line: 3 }, insertion],
    ['editor', { path, old_text: '', new_text: 'a\nb\n', insert_line: 3 }, insertion],
    ['read_files', { files: [{ path, start_line: 1, end_line: 9 }] }, read],
    ['read_files', { files: { path } }, read],
    ['read_files', { file_paths: [path] }, read],
    ['search_codebase', { queries: ['total\\('] }, search],
    ['fetch_web_content', { requests: [{ url, prompt: 'Summarize the page' }] }, fetch],
    ['ask_question', { question: 'Which currency?', options: ['EUR', 'USD'] }, question],
    ['skills', { skill: 'release', args: null }, { kind: 'skill', name: 'release' }],
    ['attempt_completion', { result: 'Done', command: 'open index.html' }, { kind: 'other' }],
  ],
  'Gemini CLI': [
    [
      'replace',
      { file_path: path, old_string: 'a', new_string: 'b', expected_replacements: 3 },
      written({ pieces: [{ oldText: 'a', newText: 'b', occurrences: 3 }] }),
    ],
    [
      'replace',
      { file_path: path, old_string: 'a', new_string: 'b', allow_multiple: true },
      written({ pieces: [{ oldText: 'a', newText: 'b', occurrences: 'all' }] }),
    ],
    ['activate_skill', { name: 'release' }, { kind: 'skill', name: 'release' }],
    ['write_file', { file_path: path, content: 'a\nb\n' }, write],
    ['replace', { file_path: path, instruction: 'Fix', old_string: piece.oldText, new_string: piece.newText }, edit],
    ['read_file', { absolute_path: path }, read],
    ['read_many_files', { include: [path, 'b.ts'] }, { kind: 'read', paths: [path, 'b.ts'] }],
    ['list_directory', { dir_path: 'src' }, list],
    ['search_file_content', { pattern: 'total\\(' }, search],
    ['google_web_search', { query: 'total\\(' }, search],
    ['web_fetch', { prompt: `Summarize ${url} in one line` }, fetch],
    ['run_shell_command', { command, description: 'Run the tests' }, run],
    ['write_todos', { todos: [...todos('description', 'completed', 'in_progress', 'pending'), cancelled] }, plan],
    ['ask_user', { questions: choices }, question],
    ['exit_plan_mode', { plan_filename: 'plan.md' }, { kind: 'question', text: '', isApproval: true }],
    ['codebase_investigator', { objective: 'Find the callers' }, subagent],
    ['save_memory', { fact: 'Prefers tabs' }, { kind: 'other' }],
  ],
  opencode: [
    [
      'edit',
      { filePath: path, oldString: 'a', newString: 'b', replaceAll: true },
      written({ pieces: [{ oldText: 'a', newText: 'b', occurrences: 'all' }] }),
    ],
    ['skill', { name: 'release' }, { kind: 'skill', name: 'release' }],
    ['write', { filePath: path, content: 'a\nb\n' }, write],
    ['edit', { filePath: path, oldString: piece.oldText, newString: piece.newText }, edit],
    ['apply_patch', { patchText }, patchCall],
    ['read', { filePath: path }, read],
    ['list', { path: 'src' }, list],
    ['grep', { pattern: 'total\\(' }, search],
    ['bash', { command, description: 'Runs the tests' }, run],
    ['webfetch', { url, format: 'markdown' }, fetch],
    ['todowrite', { todos: todos('content', 'completed', 'in_progress', 'pending') }, plan],
    ['todoread', {}, { kind: 'other' }],
    ['task', { description: 'Find the callers', prompt: 'Find every caller.', subagent_type: 'general' }, subagent],
    ['question', { questions: choices }, question],
  ],
  'Amp, Zed, OpenHands, and tool servers': [
    ['create_file', { path, content: 'a\nb\n' }, creation],
    ['edit_file', { path, old_str: piece.oldText, new_str: piece.newText }, edit],
    ['Bash', { cmd: command, cwd: '/web' }, { ...run, folder: '/web' }],
    ['read_web_page', { url, objective: 'api' }, fetch],
    ['edit_file', { display_description: 'Add tax', path, mode: 'edit' }, withoutText],
    ['open', { path, line_number: 12 }, { ...read, isOpened: true }],
    ['create', { filename: path }, { ...written({ change: 'created' }), isOpened: true }],
    ['edit', { search: 'a', replace: 'b' }, { kind: 'openEdit', piece: { oldText: 'a', newText: 'b' } }],
    [
      'edit',
      { search: 'a', replace: 'b', 'replace-all': true },
      { kind: 'openEdit', piece: { oldText: 'a', newText: 'b', occurrences: 'all' } },
    ],
    ['delete_path', { path }, deletion],
    ['move_path', { source_path: path, destination_path: 'b.ts' }, written({ change: 'renamed', newPath: 'b.ts' })],
    ['copy_path', { source_path: 'b.ts', destination_path: path }, written({ change: 'created' })],
    ['find_path', { glob: '**/*.ts' }, { kind: 'search', query: '**/*.ts' }],
    ['terminal', { command, cd: 'web' }, run],
    ['str_replace_editor', { command: 'str_replace', path, old_str: piece.oldText, new_str: piece.newText }, edit],
    ['str_replace_editor', { command: 'insert', path, insert_line: 3, new_str: 'a\nb\n' }, insertion],
    ['str_replace_editor', { command: 'view', path, view_range: [1, 9] }, read],
    [
      'memory',
      { command: 'rename', old_path: path, new_path: 'b.ts' },
      written({ change: 'renamed', newPath: 'b.ts' }),
    ],
    ['task_tracker', { command: 'plan', task_list: todos('title', 'done', 'in_progress', 'todo') }, plan],
    ['task_tracker', { command: 'view' }, { kind: 'other' }],
    ['mcp__filesystem__edit_file', { path, edits: [{ ...editAs('oldText', 'newText') }] }, edit],
    ['mcp__filesystem__edit_file', { path, edits: [editAs('oldText', 'newText')], dryRun: true }, { kind: 'other' }],
    ['mcp__filesystem__read_multiple_files', { paths: [path] }, read],
    ['mcp__deepwiki__ask_question', { repoName: 'a/b', question: 'How?' }, { kind: 'other' }],
    ['mcp__github__add_comment', { path, line: 3, content: 'Nice' }, { kind: 'other' }],
  ],
};

export const agentCalls: readonly AgentCall[] = Object.entries(callsByAgent).flatMap(([agent, calls]) =>
  calls.map(([name, input, call]) => ({ agent, name, input, call })),
);

function editAs(oldName: string, newName: string): Readonly<Record<string, string>> {
  return { [oldName]: piece.oldText, [newName]: piece.newText };
}

function continues(
  of: 'execute' | 'agent',
  action: FollowUpAction,
  handle: string,
  text = '',
): Extract<ToolCall, { kind: 'followUp' }> {
  return { kind: 'followUp', of, action, handles: [handle], text };
}

function written(
  part: Partial<Extract<ToolCall, { kind: 'write' }>['changes'][number]>,
): Extract<ToolCall, { kind: 'write' }> {
  return { kind: 'write', changes: [{ path, change: 'edited', pieces: [], isWhole: false, ...part }] };
}

function asks(text: string): ToolCall {
  return { kind: 'question', text, isApproval: false };
}
