import type { RowMetrics } from './estimate.ts';

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

/** Guesses at the heights in px of the rows from `from` to before `to`. */
export function estimateRows(source: RowSource, metrics: RowMetrics, from = 0, to = source.count): Float64Array {
  const estimates = new Float64Array(to - from);
  for (let index = from; index < to; index += 1) estimates[index - from] = source.estimatePx(index, metrics);
  return estimates;
}
