import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import { readToolMarks, toolMarksOf } from '../../../../src/state/tools/toolMarks.ts';
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

  it('are absent from messages without tools', () => {
    expect(toolMarksOf([{ type: 'text', text: 'hello' }])).toBeUndefined();
    expect(readToolMarks(undefined)).toEqual([]);
  });

  it.each(['', 'null', '{}', '[["c"]]', '[["x",0,null,true,""]]'])('are empty if they cannot be read: %j', (stored) => {
    expect(readToolMarks(stored)).toEqual([]);
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
      expect(mark.kind).toBe(call.kind);
      if (call.kind === 'other') expect(mark.label).toBe(name);
      if (call.kind === 'execute') expect(mark.label).toBe(call.command);
      if (call.kind === 'plan') expect([mark.label, mark.done, mark.total]).toEqual(['Change', 1, 3]);
      if (call.kind !== 'write') expect(mark.files).toEqual([]);
      else expect(mark.files.map(({ path }) => path)).toEqual(call.changes.map((each) => each.newPath ?? each.path));
    }
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
