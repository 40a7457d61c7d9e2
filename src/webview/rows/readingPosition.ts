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

/** The reading position once the row at `index`, on which the reader hangs, is gone: its neighbour takes its place. */
export function positionWithout(
  heights: Heights,
  source: RowSource,
  placePx: number,
  index: number,
): ReadingPosition | undefined {
  const isLast = index >= source.count - 1;
  const neighbour = isLast ? index - 1 : index + 1;
  const key = source.canAnchor(neighbour) ? source.keyAt(neighbour) : undefined;
  const movedPx = isLast ? 0 : heights.at(index);
  return key === undefined ? undefined : { key, offsetPx: heights.topOf(neighbour) - movedPx - placePx };
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
