import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import { readToolMarks, toolMarksOf } from '../../../../src/state/tools/toolMarks.ts';
import type { ToolCall } from '../../../../src/state/tools/toolCall.ts';
import { agentCalls, patchText } from './agentCalls.ts';

const edit = { old_string: 'a', new_string: 'b' };
const result = (toolUseId: string, isError: boolean, text: string): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  isError,
  content: [{ type: 'text', text }],
});

describe('tool marks', () => {
  it('describe the calls and results of a message', () => {
    const content: ContentBlock[] = [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', toolUseId: 'a', name: 'mystery', input: { anything: 1 } },
      result('b', true, '\nNo such file\nat line 2'),
      result('c', false, 'fine'),
    ];
    expect(readToolMarks(toolMarksOf(content))).toEqual([
      {
        type: 'call',
        index: 1,
        callId: 'a',
        kind: 'other',
        label: 'mystery',
        done: 0,
        total: 0,
        isApproval: false,
        files: [],
      },
      { type: 'result', index: 2, callId: 'b', isFailed: true, label: 'No such file' },
      { type: 'result', index: 3, callId: 'c', isFailed: false, label: '' },
    ]);
  });

  it('keep both paths of a renamed file', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-old\n+new\n*** End Patch';
    const call: ContentBlock = { type: 'tool_use', toolUseId: 'a', name: 'apply_patch', input: { input: patch } };
    const files = [{ path: 'b.ts', change: 'renamed', added: 1, removed: 1, oldPath: 'a.ts' }];
    expect(readToolMarks(toolMarksOf([call]))).toMatchObject([{ kind: 'write', files }]);
  });

  it('name a plan to approve by its title', () => {
    const call = {
      type: 'tool_use',
      toolUseId: 'a',
      name: 'ExitPlanMode',
      input: { plan: '\n## Move **it**\n\n1. Read' },
    } as const;
    expect(readToolMarks(toolMarksOf([call]))).toMatchObject([
      { kind: 'question', isApproval: true, label: 'Move it' },
    ]);
  });

  it('are absent from messages without tools', () => {
    expect(toolMarksOf([{ type: 'text', text: 'hello' }])).toBeUndefined();
    expect(readToolMarks(undefined)).toEqual([]);
  });

  it.each(['', 'null', '{}', '[["c"]]', '[["x",0,null,true,""]]'])('are empty if they cannot be read: %j', (stored) => {
    expect(readToolMarks(stored)).toEqual([]);
  });
});

describe('the marks of results', () => {
  const markOf = (text: string) => readToolMarks(toolMarksOf([result('a', false, text)]))[0];

  it('say in which form they report a failure', () => {
    expect(markOf('Exit code: 1\nno')).toMatchObject({ isFailed: true, form: 'exit' });
    expect(markOf('fine\nExit code: 1')).toMatchObject({ isFailed: true, form: 'ending' });
    expect(markOf('<tool_use_error>no</tool_use_error>')).toEqual({
      ...{ type: 'result', index: 0, callId: 'a', isFailed: true, label: 'no' },
    });
  });

  it.each([
    ['Chunk ID: 3f\nWall time: 1 seconds\nProcess running with session ID 42\nOutput:\n', ['42']],
    ["Command: /bin/zsh -lc 'a\nb'\r\nChunk ID: 3f\r\nProcess running with session ID 42\r\nOutput:\r\n", ['42']],
    ['Command running in background with ID: b1a2. Output is being written to: /tmp/b', ['b1a2']],
    ['Async agent launched successfully.\nagentId: a59f (internal ID)', ['a59f']],
    ['{"agent_id":"019d-7d09","nickname":"Harvey"}', ['019d-7d09']],
    ['\n<command started in background with shellId: 3>', ['3']],
    ['Task #12 created successfully: Add tax', ['#12']],
    ['src/a.ts: Process running with session ID 42', undefined],
    ['fine', undefined],
  ])('have the IDs by which later calls name what was started: %j', (text, handles) => {
    expect(markOf(text)).toMatchObject({ isFailed: false, ...(handles ? { handles } : {}) });
    if (!handles) expect(markOf(text)).not.toHaveProperty('handles');
  });
});

describe('the marks of recognized calls', () => {
  const markOf = (name: string, input: unknown) => {
    const [mark] = readToolMarks(toolMarksOf([{ type: 'tool_use', toolUseId: 'a', name, input }]));
    if (mark?.type !== 'call') throw new Error('There is no call.');
    return mark;
  };

  it('have what every kind of call is about', () => {
    for (const { name, input, call } of agentCalls) {
      const mark = markOf(name, input);
      expect(mark.kind).toBe(kindOf(call));
      if (call.kind === 'other') expect(mark.label).toBe(name);
      if (call.kind === 'execute') expect(mark.label).toBe(call.command.replace('\n', ' '));
      if (call.kind === 'plan') expect(mark.isPartial).toBe(call.isPartial);
      if (call.kind === 'plan' && call.isPartial !== true) {
        expect([mark.label, mark.done, mark.total]).toEqual(['Change', 1, 3]);
      }
      if (call.kind === 'openEdit') expect(mark.files).toMatchObject([{ path: '' }]);
      else if (call.kind !== 'write') expect(mark.files).toEqual([]);
      else expect(mark.files.map(({ path }) => path)).toEqual(call.changes.map((each) => each.newPath ?? each.path));
    }
  });

  const kindOf = (call: ToolCall) => {
    if (call.kind === 'followUp') return call.of;
    if (call.kind === 'task') return 'plan';
    return call.kind === 'openEdit' ? 'write' : call.kind;
  };

  it('say what a call continues, opens, and changes in the plan', () => {
    expect(markOf('write_stdin', { session_id: 7, chars: 'y\n' })).toMatchObject({
      label: 'y',
      followUp: { action: 'input', handles: ['7'] },
    });
    expect(markOf('wait_agent', { targets: ['a1'] })).toMatchObject({ label: 'a1', leastForm: 'header' });
    expect(markOf('open', { path: 'a.ts' }).opens).toBe('a.ts');
    expect(markOf('create', { filename: 'b.ts' })).toMatchObject({ opens: 'b.ts', files: [{ change: 'created' }] });
    expect(markOf('TaskCreate', { subject: 'Add\ntax' }).task).toEqual({ text: 'Add tax' });
    expect(markOf('TaskUpdate', { taskId: '2', status: 'completed' })).toMatchObject({
      label: '#2',
      task: { id: '#2', state: 'done' },
    });
    expect(markOf('TaskList', {}).task).toEqual({});
  });

  it.each([
    ['npm test; echo "Exit code: $?"', 'header'],
    ['npm test; echo $?', 'header'],
    ['echo %ERRORLEVEL%', 'header'],
    ['npm test', undefined],
  ])('say which failures count after %s', (command, leastForm) => {
    expect(markOf('Bash', { command }).leastForm).toBe(leastForm);
  });

  it('count replaced texts as often as the call says, and not if it says everywhere', () => {
    const input = { file_path: 'a', old_string: 'x', new_string: 'y' };
    const countsOf = (more: object) => markOf('Edit', { ...input, ...more }).files;
    expect(countsOf({ replace_all: true })).toEqual([
      { path: 'a', change: 'edited', added: 0, removed: 0, isEverywhere: true },
    ]);
    expect(countsOf({ expected_replacements: 3 })).toEqual([{ path: 'a', change: 'edited', added: 3, removed: 3 }]);
    expect(countsOf({ replace_all: false })).toEqual([{ path: 'a', change: 'edited', added: 1, removed: 1 }]);
  });

  it('count the lines of each file of a patch', () => {
    expect(markOf('apply_patch', patchText).files).toEqual([
      { path: 'src/basket.ts', change: 'edited', added: 3, removed: 2 },
      { path: 'src/round.ts', change: 'created', added: 2, removed: 0 },
      { path: 'src/old.ts', change: 'deleted', added: 0, removed: 0 },
      { path: 'src/vat.ts', change: 'renamed', added: 1, removed: 1, oldPath: 'src/tax.ts' },
    ]);
  });

  it('stay small whatever the call contains', () => {
    const long = '\u202e😀x'.repeat(100_000);
    const replacements = Array.from({ length: 1_500 }, (_, at) => ({ path: `${long.slice(0, 4_000)}${at}`, ...edit }));
    const calls: readonly (readonly [string, unknown])[] = [
      [long, {}],
      ['bash', { command: long }],
      ['TodoWrite', { todos: [{ content: long, status: 'in_progress' }] }],
      ['ask_user', { question: long }],
      ['edit_file', { path: long.slice(0, 4_000), ...edit }],
      ['multi_edit', { replacements }],
    ];
    for (const [name, input] of calls) {
      const marks = toolMarksOf([{ type: 'tool_use', toolUseId: long, name, input }]);
      expect(marks?.length).toBeLessThan(50_000);
      expect(readToolMarks(marks)).toHaveLength(1);
    }
    expect(markOf('multi_edit', { replacements }).files).toHaveLength(50);
  });

  it('pair a call with its result by the same ID, however long', () => {
    const toolUseId = 'x'.repeat(1_000);
    const use: ContentBlock = { type: 'tool_use', toolUseId, name: 'a', input: {} };
    const [call, answer] = readToolMarks(toolMarksOf([use, result(toolUseId, false, 'fine')]));
    expect(call?.callId).toHaveLength(200);
    expect(answer?.callId).toBe(call?.callId);
  });
});
