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
      { type: 'call', index: 1, callId: 'a', kind: 'other', label: 'mystery', done: 0, total: 0, isApproval: false, files: [] },
      { type: 'result', index: 2, callId: 'b', isFailed: true, label: 'No such file' },
      { type: 'result', index: 3, callId: 'c', isFailed: false, label: '' },
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
