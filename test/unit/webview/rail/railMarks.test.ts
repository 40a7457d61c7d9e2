import { describe, expect, it } from 'vitest';
import { nearestMark, pathOf, placeMarks } from '../../../../src/webview/rail/railMarks.ts';

const shares = new Map([
  ['first', 0],
  ['near', 0.001],
  ['middle', 0.5],
  ['last', 0.9999],
]);
const shareOf = (key: string) => shares.get(key);
const place = (kind: 'bookmark' | 'error' | 'match' | 'prompt', ...keys: readonly string[]) =>
  placeMarks(kind, keys, shareOf, 600);

describe('the marks of the rail', () => {
  it('are at the share of their rows, inside the rail, and absent for other rows', () => {
    expect(place('prompt', 'first', 'unknown', 'middle', 'last')).toEqual([
      { kind: 'prompt', key: 'first', topPx: 0 },
      { kind: 'prompt', key: 'middle', topPx: 300 },
      { kind: 'prompt', key: 'last', topPx: 598 },
    ]);
    expect(place('bookmark', 'last')[0]?.topPx).toBe(593);
    expect(placeMarks('bookmark', ['last'], shareOf, 3)[0]?.topPx).toBe(0);
  });

  it('of one kind share a mark if they would overlap', () => {
    expect(place('match', 'first', 'near', 'middle').map(({ key }) => key)).toEqual(['first', 'middle']);
    const many = Array.from({ length: 10_000 }, (_, index) => String(index));
    const topsOf = (kind: 'match' | 'prompt', keys = many) =>
      placeMarks(kind, keys, (key) => Number(key) / many.length, 600).map(({ topPx }) => topPx);
    expect(topsOf('match')).toEqual(Array.from({ length: 300 }, (_, index) => index * 2));
    // Many prompts look like a dotted line and not like a bar.
    expect(topsOf('prompt')).toEqual(Array.from({ length: 100 }, (_, index) => index * 6));
    const backwards = topsOf('prompt', many.toReversed());
    expect(Math.min(...backwards.slice(1).map((topPx, index) => backwards[index]! - topPx))).toBe(6);
  });

  it('differ in shape and place, not only in color', () => {
    const paths = (['bookmark', 'error', 'match', 'prompt'] as const).map((kind) => pathOf(place(kind, 'middle')));
    expect(paths).toEqual(['M0 300h6v7l-3-2-3 2z', 'M3 300h3v4h-3z', 'M1 300h4v2h-4z', 'M0 300h3v2h-3z']);
    expect(pathOf(place('prompt', 'first', 'middle'))).toBe('M0 0h3v2h-3zM0 300h3v2h-3z');
  });

  it('are found near a place, and the last of equally near ones', () => {
    const marks = [...place('prompt', 'first', 'middle'), ...place('match', 'middle')];
    expect(nearestMark(marks, 302, 8)?.kind).toBe('match');
    expect(nearestMark(marks, 7, 8)).toMatchObject({ kind: 'prompt', key: 'first' });
    expect(nearestMark(marks, 100, 8)).toBeUndefined();
  });
});
