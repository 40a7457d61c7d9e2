import { describe, expect, it } from 'vitest';
import { LineList, splitLines } from '../../../../src/shared/text/lines.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';

const withoutReturns = (piece: string) => piece.replaceAll('\r\n', '\n');

/** More lines than a piece of a list has. */
const manyLines = 20_000;

const toArray = (lines: LineList) => Array.from({ length: lines.length }, (_, index) => lines.get(index));

function listOf(lines: readonly string[]): LineList {
  const list = new LineList();
  for (const line of lines) list.push(line);
  return list;
}

describe('the lines of a long text', () => {
  it('are those of the text, wherever it is divided', () => {
    for (const text of ['', '\n', 'a', 'a\n\nb\n', 'line\n'.repeat(50_000), `${'a'.repeat(100_000)}\nb`]) {
      const lines = withoutPause(splitLines(text));
      expect(toArray(lines)).toEqual(text.split('\n'));
      expect(withoutPause(lines.joined()) === text).toBe(true);
    }
  });

  it('are prepared in pieces that contain both halves of a CR LF', () => {
    for (const start of ['', 'a']) {
      const lines = withoutPause(splitLines(start + '\r\n'.repeat(50_000), withoutReturns));
      expect(toArray(lines)).toEqual([start, ...Array.from({ length: 50_000 }, () => '')]);
    }
  });
});

describe('a list of lines', () => {
  const names = Array.from({ length: manyLines }, (_, index) => `line ${index}`);

  it('replaces lines in all its pieces', () => {
    const list = listOf(names);
    for (const [index, name] of names.entries()) list.set(index, name.toUpperCase());
    expect(toArray(list)).toEqual(names.map((name) => name.toUpperCase()));
  });

  it('has empty lines before its start and after its end, which it does not replace', () => {
    const list = listOf(['a', 'b']);
    list.set(2, 'c');
    list.set(-1, 'c');
    expect([list.get(-1), list.get(2), list.get(manyLines), list.length]).toEqual(['', '', '', 2]);
    expect(withoutPause(list.joined())).toBe('a\nb');
  });

  it('removes its last lines, to the first one', () => {
    const list = listOf(names);
    for (let count = manyLines - 1; count >= 0; count -= 1) {
      list.pop();
      expect([list.length, list.get(count)]).toEqual([count, '']);
    }
    list.pop();
    list.push('a');
    list.push('b');
    expect(toArray(list)).toEqual(['a', 'b']);
  });

  it('pauses after each piece while it is joined', () => {
    const joining = listOf(names).joined();
    const steps = [...joining];
    expect(steps.length).toBeGreaterThan(2);
  });
});
