import type { RowMetrics } from '../list/viewport.ts';

/** Characters per line on which the host bases its estimates. */
const charactersPerLine = 60;
/** Height in px of a row without content: header, padding, and gaps. */
const emptyRowPx = 46;
/** Average width of a character, relative to the font size. */
const characterWidthRatio = 0.5;

/**
 * The estimated height of a row in px, from the host's estimate of its lines. Narrow columns wrap more lines. Wide
 * columns wrap fewer, but only down to two thirds, because most lines end at an explicit line break.
 */
export function estimateRowHeightPx(estimatedLines: number, metrics: RowMetrics): number {
  const shownPerLine = Math.max(10, metrics.widthPx / (metrics.fontSizePx * characterWidthRatio));
  const wrapping = Math.min(4, Math.max(0.66, charactersPerLine / shownPerLine));
  return Math.round(emptyRowPx + Math.max(1, estimatedLines) * wrapping * metrics.lineHeightPx);
}
