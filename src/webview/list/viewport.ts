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

/** What has changed about the view: nothing, that it is shown at all, its height alone, or how text is set in it. */
export type ViewChange = 'none' | 'shown' | 'height' | 'setting';

/** The part of a list that can be seen: how high it is, and how text is set in it. */
export class Viewport {
  readonly #scroller: HTMLElement;
  #heightPx = 0;
  #metrics: RowMetrics = { widthPx: 0, fontSizePx: 13, lineHeightPx: 20 };

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  get heightPx(): number {
    return this.#heightPx;
  }

  get metrics(): RowMetrics {
    return this.#metrics;
  }

  /** Whether it was ever seen. Before, nothing can be said of where rows stand. */
  get isKnown(): boolean {
    return this.#heightPx > 0;
  }

  /** Reads all of it again; answers what differs from the last time. While it is not shown, the last time holds. */
  read(): ViewChange {
    const heightPx = this.#scroller.clientHeight;
    if (heightPx === 0 || this.#scroller.clientWidth === 0) return 'none';
    const wasKnown = this.isKnown;
    const metrics = readMetrics(this.#scroller, this.#scroller.clientWidth);
    const isSetOtherwise = !isSame(metrics, this.#metrics);
    const isHigher = heightPx !== this.#heightPx;
    this.#heightPx = heightPx;
    this.#metrics = metrics;
    if (!wasKnown) return 'shown';
    if (isSetOtherwise) return 'setting';
    return isHigher ? 'height' : 'none';
  }
}

function isSame(one: RowMetrics, other: RowMetrics): boolean {
  return (
    one.widthPx === other.widthPx && one.fontSizePx === other.fontSizePx && one.lineHeightPx === other.lineHeightPx
  );
}
