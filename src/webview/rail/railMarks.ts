/** The kinds of things that marks on the rail show. */
export type MarkKind = 'bookmark' | 'error' | 'match' | 'prompt';

/**
 * A mark on the rail. `topPx` is the distance from the top of the rail. Rows of one kind that are close together share
 * a mark, whose `key` is that of the first of them.
 */
export interface RailMark {
  readonly kind: MarkKind;
  readonly key: string;
  readonly topPx: number;
}

interface MarkShape {
  readonly heightPx: number;
  /** Rows that are closer together than this share a mark. */
  readonly sharedPx: number;
  readonly leftPx: number;
  /** Relative to the top left of the mark. */
  readonly path: string;
}

/**
 * The kinds differ in shape or position, and not only in color. Marks of prompts, which are the most frequent, keep a
 * distance, so that they never look like a bar.
 */
const shapes: Readonly<Record<MarkKind, MarkShape>> = {
  bookmark: { heightPx: 7, sharedPx: 7, leftPx: 0, path: 'h6v7l-3-2-3 2z' },
  error: { heightPx: 4, sharedPx: 4, leftPx: 3, path: 'h3v4h-3z' },
  match: { heightPx: 2, sharedPx: 2, leftPx: 1, path: 'h4v2h-4z' },
  prompt: { heightPx: 2, sharedPx: 6, leftPx: 0, path: 'h3v2h-3z' },
};

/**
 * Places marks for the rows with these keys on a rail of this height. `shareOf` returns where a row starts, as a
 * fraction of the list's height; undefined for a row that isn't in the list.
 */
export function placeMarks(
  kind: MarkKind,
  keys: Iterable<string>,
  shareOf: (key: string) => number | undefined,
  railPx: number,
): RailMark[] {
  const { heightPx, sharedPx } = shapes[kind];
  const marks = new Map<number, RailMark>();
  for (const key of keys) {
    const share = shareOf(key);
    if (share === undefined) continue;
    const topPx = Math.max(0, Math.min(Math.round(share * railPx), railPx - heightPx));
    const slot = Math.floor(topPx / sharedPx);
    const isNear = [slot - 1, slot, slot + 1].some(
      (each) => Math.abs((marks.get(each)?.topPx ?? Infinity) - topPx) < sharedPx,
    );
    if (!isNear) marks.set(slot, { kind, key, topPx });
  }
  return [...marks.values()];
}

/** The outline of marks of one kind, as the `d` attribute of an SVG path. */
export function pathOf(marks: readonly RailMark[]): string {
  return marks.map(({ kind, topPx }) => `M${shapes[kind].leftPx} ${topPx}${shapes[kind].path}`).join('');
}

/**
 * The mark whose center is nearest to a place; among equally near ones, the last. Undefined if none is within `mostPx`.
 */
export function nearestMark(marks: readonly RailMark[], placePx: number, mostPx: number): RailMark | undefined {
  const distance = ({ kind, topPx }: RailMark) => Math.abs(topPx + shapes[kind].heightPx / 2 - placePx);
  const near = marks.filter((mark) => distance(mark) < mostPx);
  return near.sort((one, other) => distance(other) - distance(one)).at(-1);
}
