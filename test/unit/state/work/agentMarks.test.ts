import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { markLines, type WrittenPiece } from '../../../../src/state/work/agentMarks.ts';

const piece = (source: string, oldText: string, newText: string, createdAt = 1): WrittenPiece<string> => ({
  ...{ source, oldText, newText, createdAt },
});
const marks = (text: string, ...pieces: readonly WrittenPiece<string>[]) =>
  withoutPause(markLines(text, pieces)).map(({ start, end, source }) => `${source} ${start}-${end}`);

const file = [
  'import { total } from "./total";',
  'export function pay(cart) {',
  '  const sum = total(cart.items);',
  '  if (!sum) {',
  '    return undefined;',
  '  }',
  '  return round(sum, cart.currency);',
  '}',
  'export function pay2(cart) {',
  '  return undefined;',
  '}',
].join('\n');
const body = file.split('\n').slice(2, 8).join('\n');

describe('the lines that agents wrote', () => {
  it('are those of a piece, with the short ones between others', () => {
    expect(marks(file, piece('a', '  return 0;\n}', body))).toEqual(['a 2-7']);
    expect(marks(file.replaceAll('\n', '\r\n'), piece('a', '  return 0;\n}', body))).toEqual(['a 2-7']);
  });

  it('are found elsewhere, and next to local edits', () => {
    expect(marks(`// one\n// two\n${file}`, piece('a', '', body))).toEqual(['a 4-10']);
    const edited = file.replace('  if (!sum) {', '  if (sum === 0) {');
    expect(marks(edited, piece('a', '', body))).toEqual(['a 2-3', 'a 4-8']);
  });

  it('are those before and after a certain one, without blank lines at the end', () => {
    const text = ['{', '', 'if (x) {', '  callOf(first, second, third);', '}', '', '}', ''];
    const own = ['', 'if (x) {', '  callOf(first, second, third);', '}', ''].join('\n');
    expect(marks(text.join('\n'), piece('a', '', own))).toEqual(['a 2-5']);
    expect(marks(own, piece('a', '', own))).toEqual(['a 1-4']);
    // A line that was there before isn't the agent's.
    expect(marks(text.join('\n'), piece('a', 'if (x) {\n}', own))).toEqual(['a 3-4']);
    const edited = text.join('\n').replace('if (x)', 'if (y)');
    expect(marks(edited, piece('a', '', own))).toEqual(['a 3-5']);
  });

  it("aren't the lines around a change, nor those that are ambiguous", () => {
    expect(marks(file, piece('a', body, body.replace('total(', 'sumOf(')))).toEqual([]);
    expect(marks(file, piece('a', 'x', '}'), piece('a', 'x', '  }'), piece('a', 'x', '  return undefined;'))).toEqual([
      'a 9-10',
    ]);
    // The old line is still there, so the new one was there before.
    expect(marks(file, piece('a', '  if (!sum) {', '    return undefined;'))).toEqual([]);
    expect(marks(`${file}\n${file}`, piece('a', '', body))).toEqual([]);
  });

  it('belong to the last piece that wrote them', () => {
    const all = piece('a', '', file, 1);
    const one = piece('b', 'x', '  return round(sum, cart.currency);', 2);
    expect(marks(file, all, one)).toEqual(['a 0-6', 'b 6-7', 'a 7-11']);
    expect(marks(file, { ...all, createdAt: 3 }, one)).toEqual(['a 0-11']);
  });

  it('are never lines that no piece wrote, for generated files and pieces', () => {
    const line = fc.constantFrom(
      'alpha(one, two);',
      'betaBeta(three, four, five);',
      'gamma(six, seven);',
      '}',
      '',
      '  }',
    );
    const lines = fc.array(line, { maxLength: 15 });
    fc.assert(
      fc.property(lines, fc.array(fc.tuple(lines, lines), { maxLength: 4 }), (text, given) => {
        const pieces = given.map(([old, own], index) => piece(String(index), old.join('\n'), own.join('\n'), index));
        const found = withoutPause(markLines(text.join('\n'), pieces));
        for (const { start, end, source } of found) {
          const [old = [], own = []] = given[Number(source)] ?? [];
          for (const one of text.slice(start, end)) {
            expect(own).toContain(one);
            expect(old).not.toContain(one);
          }
        }
        expect(found.every(({ start }, index) => start >= (found[index - 1]?.end ?? 0))).toBe(true);
      }),
    );
  });
});
