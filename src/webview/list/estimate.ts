/** What a row's height depends on besides its text. */
export interface RowMetrics {
  /** Width of the text column in px. */
  readonly widthPx: number;
  readonly fontSizePx: number;
  readonly lineHeightPx: number;
}

/** Reads how text is set in an element of the given width. */
export function readMetrics(target: Element, widthPx: number): RowMetrics {
  const style = getComputedStyle(target);
  const fontSizePx = Number.parseFloat(style.fontSize) || 13;
  return { widthPx, fontSizePx, lineHeightPx: Number.parseFloat(style.lineHeight) || fontSizePx * 1.5 };
}

/** Characters a line that the host's weights are counted at. */
const charactersPerWeightLine = 60;
/** Head, paddings and gaps of a row: what an empty row would take. */
const frameHeightPx = 46;
/** An average character is about half as wide as the font is high. */
const characterWidthRatio = 0.5;

/**
 * The height in px that a row of `weightLines` will probably have. Narrow columns wrap more; wide ones wrap less, but
 * most lines end where the writer ended them, so width helps only down to two thirds.
 */
export function estimateHeightPx(weightLines: number, metrics: RowMetrics): number {
  const charactersPerLine = Math.max(10, metrics.widthPx / (metrics.fontSizePx * characterWidthRatio));
  const wrapping = Math.min(4, Math.max(0.66, charactersPerWeightLine / charactersPerLine));
  const lines = Math.max(1, weightLines) * wrapping;
  return Math.round(frameHeightPx + lines * metrics.lineHeightPx);
}
