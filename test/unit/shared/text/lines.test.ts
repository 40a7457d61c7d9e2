import { describe, expect, it } from 'vitest';
import { joinLines, splitLines } from '../../../../src/shared/text/lines.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';

const withoutReturns = (piece: string) => piece.replaceAll('\r\n', '\n');

describe('the lines of a long text', () => {
  it('are those of the text, wherever it is divided', () => {
    for (const text of ['', '\n', 'a', 'a\n\nb\n', 'line\n'.repeat(50_000), `${'a'.repeat(100_000)}\nb`]) {
      const lines = withoutPause(splitLines(text));
      expect(lines).toEqual(text.split('\n'));
      expect(withoutPause(joinLines(lines)) === text).toBe(true);
    }
  });

  it('are prepared in pieces that contain both halves of a CR LF', () => {
    for (const start of ['', 'a']) {
      const lines = withoutPause(splitLines(start + '\r\n'.repeat(50_000), withoutReturns));
      expect(lines).toEqual([start, ...Array.from({ length: 50_000 }, () => '')]);
    }
  });
});
