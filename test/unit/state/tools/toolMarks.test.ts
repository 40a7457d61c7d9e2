import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import { readToolMarks, toolMarksOf } from '../../../../src/state/tools/toolMarks.ts';

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
      { type: 'call', index: 1, callId: 'a', kind: 'other', label: 'mystery', done: 0, total: 0, files: [] },
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
