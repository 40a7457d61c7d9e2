import type { RowMetrics } from './estimate.ts';
import type { AddedHeights } from './heights.ts';

/** What the windowed list asks about its rows. */
export interface RowSource {
  readonly count: number;
  keyAt(index: number): string | undefined;
  /** Where the row is, or -1. */
  indexOf(key: string): number;
  /** A guess at the height in px of a row that was never drawn. */
  estimatePx(index: number, metrics: RowMetrics): number;
  /** The row's element as it should be now; the same element for the same row as long as it can be kept. */
  draw(index: number): HTMLElement;
  /** The row has left the document. */
  undrawn(key: string): void;
  /** Whether the reading position may hang on this row. */
  canAnchor(index: number): boolean;
}

/** What the list tells its owner. */
export interface ListHooks {
  /** The rows in the document, the position or whether the end is followed may have changed. */
  readonly moved: () => void;
  /** Scrolling has come to rest, or the content has changed while at rest. */
  readonly settled: () => void;
}

/** Guesses at the heights in px of the rows from `from` to before `to`. */
export function estimateRows(source: RowSource, metrics: RowMetrics, from = 0, to = source.count): Float64Array {
  const estimates = new Float64Array(to - from);
  for (let index = from; index < to; index += 1) estimates[index - from] = source.estimatePx(index, metrics);
  return estimates;
}

/** Rows that stand one after the other. */
export interface RowRange {
  readonly index: number;
  readonly count: number;
}

/** Guesses at the heights in px of rows that come in. */
export function estimateRanges(source: RowSource, metrics: RowMetrics, ranges: readonly RowRange[]): AddedHeights[] {
  return ranges.map(({ index, count }) => ({ index, heights: estimateRows(source, metrics, index, index + count) }));
}
