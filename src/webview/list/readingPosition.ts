import type { Heights } from './heights.ts';
import type { RowSource } from './rowSource.ts';

/** Where the reader is: a row by its key, and how far its top is below the top of the view, in px. */
export interface ReadingPosition {
  readonly key: string;
  readonly offsetPx: number;
}

/**
 * The reading position when the view begins at `placePx`: the first row that begins in the view, or, if none does, the
 * row that fills it. So what grows above or within the first, cut row does not move the rows that are read.
 */
export function positionAt(
  heights: Heights,
  source: RowSource,
  placePx: number,
  viewPx: number,
): ReadingPosition | undefined {
  let index = heights.indexAt(placePx);
  if (index < 0) return undefined;
  const next = heights.topOf(index) < placePx ? index + 1 : index;
  if (next < heights.count && heights.topOf(next) < placePx + viewPx) index = next;
  while (index + 1 < heights.count && !source.canAnchor(index)) index += 1;
  const key = source.canAnchor(index) ? source.keyAt(index) : undefined;
  return key === undefined ? undefined : { key, offsetPx: heights.topOf(index) - placePx };
}

/**
 * The reading position once the rows at `removed` are gone, if it hangs on one of them: the next row that stays takes
 * its place, or, where none comes after, the one before.
 */
export function positionWithout(
  position: ReadingPosition,
  heights: Heights,
  source: RowSource,
  placePx: number,
  removed: ReadonlySet<number>,
): ReadingPosition | undefined {
  const index = source.indexOf(position.key);
  if (!removed.has(index)) return position;
  const stays = (at: number) => !removed.has(at) && source.canAnchor(at);
  let next = index + 1;
  while (next < source.count && !stays(next)) next += 1;
  const nextKey = source.keyAt(next);
  if (nextKey !== undefined) return { key: nextKey, offsetPx: Math.max(0, position.offsetPx) };
  let before = index - 1;
  while (before >= 0 && !stays(before)) before -= 1;
  const key = source.keyAt(before);
  return key === undefined ? undefined : { key, offsetPx: heights.topOf(before) - placePx };
}

/**
 * The reading position after text is set otherwise, which made its row `afterPx` high instead of `beforePx`. In a row
 * that begins above the view, the reader stays at the same share of it.
 */
export function positionResized(
  position: ReadingPosition | undefined,
  beforePx: number,
  afterPx: number,
): ReadingPosition | undefined {
  if (!position || position.offsetPx >= 0 || beforePx <= 0 || afterPx <= 0) return position;
  return { key: position.key, offsetPx: Math.round((position.offsetPx * afterPx) / beforePx) };
}
