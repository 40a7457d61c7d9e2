/**
 * Maps places in the list (px from its true beginning) to places on the scrolled canvas. The two differ by a shift, for
 * two reasons: a correction of heights above the reader moves the shift and not the scroll position, so that a running
 * scroll gesture is never disturbed; and a browser cannot make an element higher than some 33 million px, which long
 * conversations exceed.
 */
export class ScrollMapper {
  readonly #limitPx: number;
  #shiftPx = 0;

  /** @param limitPx the highest canvas; a longer list is shown on one of this height. */
  constructor(limitPx = 12_000_000) {
    this.#limitPx = limitPx;
  }

  toPlace(scrollTopPx: number): number {
    return scrollTopPx + this.#shiftPx;
  }

  toCanvas(placePx: number): number {
    return placePx - this.#shiftPx;
  }

  /** From now on `placePx` is at `scrollTopPx`. */
  pin(placePx: number, scrollTopPx: number): void {
    this.#shiftPx = placePx - scrollTopPx;
  }

  canvasHeight(totalPx: number): number {
    return totalPx <= this.#limitPx ? Math.max(0, totalPx - this.#shiftPx) : this.#limitPx;
  }

  /** The scroll position for a place with which the scrollbar shows it in proportion. */
  homeOf(placePx: number, totalPx: number, viewPx: number): number {
    if (totalPx <= this.#limitPx) return placePx;
    return Math.round((placePx / Math.max(1, totalPx - viewPx)) * (this.#limitPx - viewPx));
  }

  /** The place that a far jump of the scrollbar means. */
  placeOfJump(scrollTopPx: number, totalPx: number, viewPx: number): number {
    if (totalPx <= this.#limitPx) return this.toPlace(scrollTopPx);
    return (scrollTopPx / Math.max(1, this.#limitPx - viewPx)) * (totalPx - viewPx);
  }

  /** Whether an end of the canvas is near that is not the same end of the list, so that scrolling would stop short. */
  mustGoHome(scrollTopPx: number, totalPx: number, viewPx: number): boolean {
    if (Math.abs(this.#shiftPx) < 1) return false;
    const place = this.toPlace(scrollTopPx);
    if (Math.min(scrollTopPx, place) < viewPx) return true;
    return totalPx > this.#limitPx && scrollTopPx > this.#limitPx - 2 * viewPx;
  }
}
