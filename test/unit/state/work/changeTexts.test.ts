import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../../../src/shared/slices.ts';
import type { FileChange } from '../../../../src/state/tools/toolCall.ts';
import { changeTexts as applyingChanges } from '../../../../src/state/work/changeTexts.ts';

const changeTexts = (changes: readonly FileChange[]) => withoutPause(applyingChanges(changes));
const edit = (...pieces: (readonly [string, string])[]): FileChange => ({
  path: 'a.ts',
  change: 'edited',
  pieces: pieces.map(([oldText, newText]) => ({ oldText, newText })),
  isWhole: false,
});
const whole = (newText: string): FileChange => ({ ...edit(['', newText]), change: 'created', isWhole: true });
const deleted: FileChange = { path: 'a.ts', change: 'deleted', pieces: [], isWhole: false };

describe('the texts of a changed file', () => {
  it('are the replaced pieces in order, separated by a line', () => {
    expect(changeTexts([edit(['let a;', 'const a;'], ['b();\n', '']), edit(['c', 'd'])])).toEqual({
      before: 'let a;\n⋯\nb();\n⋯\nc',
      after: 'const a;\n⋯\n⋯\nd',
    });
  });

  it('are the whole file if a call wrote it, with later changes applied', () => {
    const changes = [whole('one\ntwo\n'), edit(['two', '$& two']), edit(['absent', 'new'])];
    expect(changeTexts(changes)).toEqual({ before: 'absent', after: 'one\n$& two\n⋯\nnew' });
    expect(changeTexts([whole('first'), whole('second')])).toEqual({ before: '', after: 'second' });
    const createdByEdits: FileChange = { ...edit(['', 'one\n'], ['one', 'two']), change: 'created' };
    expect(changeTexts([createdByEdits])).toEqual({ before: '', after: 'two\n' });
    expect(changeTexts([edit(['x', 'y']), whole('all\n')])).toEqual({ before: 'x', after: 'y\n⋯\nall\n' });
  });

  it('do not guess which of several places a change applies to', () => {
    expect(changeTexts([whole('a\na\n'), edit(['a', 'b'])])).toEqual({ before: 'a', after: 'a\na\n⋯\nb' });
  });

  it('have every occurrence replaced if the call says so', () => {
    const everywhere = (occurrences: 'all' | number): FileChange => ({
      ...edit(),
      pieces: [{ oldText: 'a', newText: '$&b', occurrences }],
    });
    expect(changeTexts([whole('a\na\n'), everywhere('all')])).toEqual({ before: '', after: '$&b\n$&b\n' });
    expect(changeTexts([whole('a\na\n'), everywhere(2)])?.after).toBe('$&b\n$&b\n');
    expect(changeTexts([whole('a\na\n'), everywhere(3)])?.after).toBe('a\na\n⋯\n$&b');
    expect(changeTexts([whole('a\n'), everywhere(2)])?.after).toBe('a\n⋯\n$&b');
    expect(changeTexts([everywhere('all')])).toEqual({ before: 'a', after: '$&b' });
  });

  it.each([
    ['one\r\ntwo\r\nthree\r\n', 'one\ntwo', '1\n2', '1\r\n2\r\nthree\r\n'],
    ['one\ntwo\nthree\n', 'one\r\ntwo', '1\r\n2', '1\n2\nthree\n'],
    ['one\r\ntwo\nthree\n', 'one\ntwo', '1\n2', '1\n2\nthree\n'],
    ['one\r\ntwo\r\n', 'one\r\ntwo', '1\n2', '1\n2\r\n'],
  ])('match with other line breaks: %j', (text, oldText, newText, after) => {
    expect(changeTexts([whole(text), edit([oldText, newText])])).toEqual({ before: '', after });
  });

  it('end with nothing for a deleted file', () => {
    expect(changeTexts([edit(['x', 'y']), deleted])).toEqual({ before: 'x', after: '' });
    expect(changeTexts([whole('x'), deleted, whole('z')])).toEqual({ before: '', after: 'z' });
  });

  it.each([
    ['without text', [deleted]],
    ['that is binary', [edit(['a', 'b\0c'])]],
    ['that is huge', [whole('x'.repeat(1_000_001))]],
  ])('are absent for a change %s', (_, changes) => {
    expect(changeTexts(changes)).toBeUndefined();
  });
});
