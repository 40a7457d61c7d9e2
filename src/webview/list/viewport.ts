/** Everything that determines a row's height, except its text. */
export interface RowMetrics {
  /** Width of the list in px, without its scrollbar. */
  readonly widthPx: number;
  readonly fontSizePx: number;
  readonly lineHeightPx: number;
}

/**
 * How the viewport changed. `hidden`: it has no size. `shown`: it has a size for the first time. `height`: only its
 * height changed. `metrics`: the width or font of its text changed, and with it the height of every row.
 */
export type ViewportChange = 'none' | 'hidden' | 'shown' | 'height' | 'metrics';

/** The visible part of a list: its height and the metrics of its text. */
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

  /** Whether the list has ever been visible. Until then, row positions are unknown. */
  get isKnown(): boolean {
    return this.#heightPx > 0;
  }

  /** Reads the size and metrics again and returns what changed. While the list is hidden, keeps the last values. */
  read(): ViewportChange {
    const heightPx = this.#scroller.clientHeight;
    if (heightPx === 0 || this.#scroller.clientWidth === 0) return 'hidden';
    const wasKnown = this.isKnown;
    const metrics = readMetrics(this.#scroller, this.#scroller.clientWidth);
    const hasNewMetrics = !isSame(metrics, this.#metrics);
    const hasNewHeight = heightPx !== this.#heightPx;
    this.#heightPx = heightPx;
    this.#metrics = metrics;
    if (!wasKnown) return 'shown';
    if (hasNewMetrics) return 'metrics';
    return hasNewHeight ? 'height' : 'none';
  }
}

function readMetrics(target: Element, widthPx: number): RowMetrics {
  const style = getComputedStyle(target);
  const fontSizePx = Number.parseFloat(style.fontSize) || 13;
  return { widthPx, fontSizePx, lineHeightPx: Number.parseFloat(style.lineHeight) || fontSizePx * 1.5 };
}

function isSame(one: RowMetrics, other: RowMetrics): boolean {
  return (
    one.widthPx === other.widthPx && one.fontSizePx === other.fontSizePx && one.lineHeightPx === other.lineHeightPx
  );
}
