import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countChangedLines } from '../../../../src/state/tools/changedLines.ts';
import type { FilePiece } from '../../../../src/state/tools/toolCall.ts';

const count = (...pieces: FilePiece[]) => countChangedLines({ path: 'a', change: 'edited', pieces, isWhole: false });
const counted = (oldText: string, newText: string) => {
  const { added, removed } = count({ oldText, newText });
  return `+${added} -${removed}`;
};

/** The length of the longest common subsequence, computed with the textbook algorithm. */
function commonLines(before: readonly string[], after: readonly string[]): number {
  const lengths = before.map(() => after.map(() => 0));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (const [row, line] of before.entries()) {
    for (const [column, other] of after.entries()) {
      const cells = lengths[row] ?? [];
      cells[column] = line === other ? at(row - 1, column - 1) + 1 : Math.max(at(row - 1, column), at(row, column - 1));
    }
  }
  return at(before.length - 1, after.length - 1);
}

describe('the lines that a change adds and removes', () => {
  it.each([
    ['', '', '+0 -0'],
    ['', 'a', '+1 -0'],
    ['', 'a\nb\n', '+2 -0'],
    ['', '\n', '+1 -0'],
    ['a\nb', '', '+0 -2'],
    ['a', 'b', '+1 -1'],
    ['a', 'a', '+0 -0'],
    ['a\nb\nc', 'a\nx\nc', '+1 -1'],
    ['a\nc', 'a\nb\nc', '+1 -0'],
    ['a\nb\nc', 'c\na\nb', '+1 -1'],
    ['a\nb\na', 'a\na\nb', '+1 -1'],
    ['a\n', 'a', '+0 -0'],
  ])('from %j to %j are %s', (oldText, newText, expected) => {
    expect(counted(oldText, newText)).toBe(expected);
  });

  it('are the sum of those of its pieces', () => {
    expect(count({ oldText: 'a', newText: 'b' }, { oldText: '', newText: 'c\nd' })).toEqual({ added: 3, removed: 1 });
    expect(count()).toEqual({ added: 0, removed: 0 });
  });

  it('do not include line breaks of another kind, unless nothing else changes', () => {
    expect(counted('a\r\nb\r\nc', 'a\nx\nc')).toBe('+1 -1');
    expect(counted('a\nb\n', 'a\r\nb\r\nc\r\n')).toBe('+1 -0');
    expect(counted('a\r\nb', 'a\nb')).toBe('+1 -1');
  });

  it('are those of the longest common subsequence', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd e'), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const common = commonLines(before, after);
        // An empty text has no lines, and a line break at the end doesn't begin one.
        const [oldText, newText] = [`${before.join('\n')}\n`, `${after.join('\n')}\n`];
        expect(count({ oldText, newText })).toEqual({ added: after.length - common, removed: before.length - common });
      }),
      { seed: 13, numRuns: 2_000 },
    );
  });

  it('are an upper bound for texts that differ too much to be compared', () => {
    const before = Array.from({ length: 20_000 }, (_, at) => `before ${at}`);
    const after = Array.from({ length: 20_000 }, (_, at) => (at % 2 === 0 ? `before ${at}` : `after ${at}`));
    expect(counted(['same', ...before, 'same'].join('\n'), ['same', ...after, 'same'].join('\n'))).toBe(
      '+19999 -19999',
    );
  });

  it('are exact for edits as large as a model writes', () => {
    const before = Array.from({ length: 5_000 }, (_, at) => `line ${at}`);
    const after = before.map((line, at) => (at % 20 === 0 ? `new ${line}` : line));
    expect(counted(before.join('\n'), after.join('\n'))).toBe('+250 -250');
  });

  it('share one budget for all pieces of a change', () => {
    const oldText = Array.from({ length: 3_000 }, (_, at) => `old ${at}`).join('\n');
    const newText = Array.from({ length: 3_000 }, (_, at) => `new ${at}`).join('\n');
    const pieces = Array.from({ length: 200 }, () => ({ oldText, newText }));
    // Without a shared budget, this takes minutes.
    expect(count(...pieces)).toEqual({ added: 600_000, removed: 600_000 });
  });

  it('are only counted for texts that are too long to be compared', () => {
    const text = 'same\n'.repeat(50_001);
    expect(counted(text, `${text}new`)).toBe('+50002 -50001');
    expect(counted(text.slice(10), `${text.slice(10)}new`)).toBe('+1 -0');
  });
});
