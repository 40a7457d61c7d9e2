/**
 * Maps places in the list (px from its true start) to places on the scrolled canvas. The two differ by a shift, for two
 * reasons: correcting heights above the viewport changes the shift instead of the scroll position, so that a running
 * scroll gesture isn't interrupted; and browsers limit elements to about 33 million px, which long conversations
 * exceed.
 */
export class ScrollMapper {
  readonly #limitPx: number;
  #shiftPx = 0;

  /** @param limitPx the maximum canvas height; a longer list is shown on a canvas of this height. */
  constructor(limitPx = 12_000_000) {
    this.#limitPx = limitPx;
  }

  toPlace(scrollTopPx: number): number {
    return scrollTopPx + this.#shiftPx;
  }

  toCanvas(placePx: number): number {
    return placePx - this.#shiftPx;
  }

  /** Makes `scrollTopPx` show `placePx` from now on. */
  pin(placePx: number, scrollTopPx: number): void {
    this.#shiftPx = placePx - scrollTopPx;
  }

  /** Whether the whole list fits on a canvas of the maximum height. */
  isWhole(totalPx: number): boolean {
    return totalPx <= this.#limitPx;
  }

  canvasHeight(totalPx: number): number {
    return this.isWhole(totalPx) ? Math.max(0, totalPx - this.#shiftPx) : this.#limitPx;
  }

  /** The scroll position at which the scrollbar shows a place in proportion to the whole list. */
  centeredScrollTop(placePx: number, totalPx: number, viewportPx: number): number {
    if (this.isWhole(totalPx)) return placePx;
    return Math.round((placePx / Math.max(1, totalPx - viewportPx)) * (this.#limitPx - viewportPx));
  }

  /** The place to show after a long jump of the scrollbar. */
  placeOfJump(scrollTopPx: number, totalPx: number, viewportPx: number): number {
    if (this.isWhole(totalPx)) return this.toPlace(scrollTopPx);
    return (scrollTopPx / Math.max(1, this.#limitPx - viewportPx)) * (totalPx - viewportPx);
  }

  /**
   * Whether scrolling would soon stop too early or go too far: the list and the canvas are shifted, and the viewport is
   * near the start of one of them, or near the end of a canvas that is shorter than the list.
   */
  mustRecenter(scrollTopPx: number, totalPx: number, viewportPx: number): boolean {
    if (Math.abs(this.#shiftPx) < 1) return false;
    const place = this.toPlace(scrollTopPx);
    if (Math.min(scrollTopPx, place) < viewportPx) return true;
    return !this.isWhole(totalPx) && scrollTopPx > this.#limitPx - 2 * viewportPx;
  }
}
