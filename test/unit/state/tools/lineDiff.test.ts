import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countChangedLines } from '../../../../src/state/tools/changedLines.ts';
import { ComparisonBudget, diffLines } from '../../../../src/state/tools/lineDiff.ts';

const signs = { same: ' ', removed: '-', added: '+' } as const;
const diff = (oldText: string, newText: string) =>
  Array.from(diffLines(oldText, newText, new ComparisonBudget()), ({ kind, line }) => signs[kind] + line);

describe('a line diff', () => {
  it.each([
    ['', 'a\nb\n', '+a|+b'],
    ['a\nb', '', '-a|-b'],
    ['a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
    ['a\nb\nc\nd', 'a\nx\ny\nd', ' a|-b|-c|+x|+y| d'],
    ['a\nb\nc', 'x\nb\ny', '-a|+x| b|-c|+y'],
    ['a\nc', 'a\nb\nc', ' a|+b| c'],
    ['a\n', 'a', ' a'],
  ])('from %j to %j is %s', (oldText, newText, expected) => {
    expect(diff(oldText, newText).join('|')).toBe(expected);
  });

  it('contains both texts, and as many changes as are counted', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'c', '', 'd e'), { minLength: 1, maxLength: 30 })
      .map((lines) => `${lines.join('\n')}\n`);
    fc.assert(
      fc.property(texts, texts, (oldText, newText) => {
        const lines = diff(oldText, newText);
        const textOf = (sign: string) =>
          lines.flatMap((line) => (line.startsWith(sign) ? [] : [`${line.slice(1)}\n`])).join('');
        expect(textOf('+')).toBe(oldText);
        expect(textOf('-')).toBe(newText);
        const pieces = [{ oldText, newText }];
        const { added, removed } = countChangedLines({ path: 'a', change: 'edited', pieces, isWhole: false });
        expect(lines.filter((line) => line.startsWith('+'))).toHaveLength(added);
        expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(removed);
      }),
      { seed: 13, numRuns: 2_000 },
    );
  });

  it('compares up to 200 lines for each line of the texts', () => {
    const text = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${at}\n`).join('');
    const apart = (count: number) => `${text('a', count)}same\n${text('b', count)}`;
    expect(diff(apart(90), `${text('c', 90)}same\n${text('d', 90)}`)).toContain(' same');
    expect(diff(apart(500), `${text('c', 500)}same\n${text('d', 500)}`)).not.toContain(' same');
  });

  it('replaces all lines between the first and the last difference of texts that differ too much', () => {
    const before = Array.from({ length: 6_000 }, (_, at) => `before ${at}`);
    const after = before.map((line, at) => (at % 2 === 0 ? line : `after ${at}`));
    const lines = diff(before.join('\n'), after.join('\n'));
    expect(lines.slice(0, 3)).toEqual([' before 0', '-before 1', '-before 2']);
    expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(5_999);
  });
});
