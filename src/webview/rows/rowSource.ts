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
