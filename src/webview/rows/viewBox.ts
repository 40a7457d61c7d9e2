import { readMetrics, type RowMetrics } from './estimate.ts';

/** What has changed about the view: nothing, its height alone, or how text is set in it. */
export type ViewChange = 'none' | 'height' | 'setting';

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

  /** Reads all of it again; answers what differs from the last time. */
  read(): ViewChange {
    const heightPx = this.#scroller.clientHeight;
    const metrics = readMetrics(this.#scroller, this.#scroller.clientWidth);
    const isSetOtherwise = !isSame(metrics, this.#metrics);
    const isHigher = heightPx !== this.#heightPx;
    this.#heightPx = heightPx;
    this.#metrics = metrics;
    if (isSetOtherwise) return 'setting';
    return isHigher ? 'height' : 'none';
  }
}

function isSame(one: RowMetrics, other: RowMetrics): boolean {
  return (
    one.widthPx === other.widthPx && one.fontSizePx === other.fontSizePx && one.lineHeightPx === other.lineHeightPx
  );
}
