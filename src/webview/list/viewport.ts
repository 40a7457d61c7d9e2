import { readMetrics, type RowMetrics } from './estimate.ts';

/** What has changed about the view: nothing, that it is shown at all, its height alone, or how text is set in it. */
export type ViewChange = 'none' | 'shown' | 'height' | 'setting';

/** The part of a list that can be seen: how high it is, and how text is set in it. */
export class ViewBox {
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
