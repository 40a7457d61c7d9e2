import type { Heights } from './heights.ts';
import type { RowSource } from './mountedRows.ts';
import type { Viewport } from './viewport.ts';

/**
 * A scroll position that survives changes to the list: a row by its key, and the offset of its top in the viewport, in
 * px.
 */
export interface ScrollPosition {
  readonly key: string;
  readonly offsetPx: number;
}

/** Distance from the end, in px, that still counts as being at the end. */
const endTolerancePx = 8;

/**
 * The scroll position of a list: either its end, which is then followed, or a row by its key. The row is the first one
 * that starts in the viewport or, if none does, the one that fills it, so that growth above it, or in a row cut off at
 * the top, doesn't move the text that is being read. Places are px from the start of the list.
 */
export class ScrollAnchor {
  readonly #heights: Heights;
  readonly #source: RowSource;
  readonly #viewport: Viewport;
  #isFollowing = true;
  #position: ScrollPosition | undefined;
  /** Whether `position` is from before the rows were drawn, rather than read from the list. */
  #isRestoring = false;

  constructor(heights: Heights, source: RowSource, viewport: Viewport) {
    this.#heights = heights;
    this.#source = source;
    this.#viewport = viewport;
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /**
   * The anchored row and its offset; undefined in an empty list. While the end is followed, it can also be undefined or
   * outdated.
   */
  get position(): ScrollPosition | undefined {
    return this.#position;
  }

  /** The place where the viewport has to start to show the anchored row at its offset, or the end. */
  get placePx(): number {
    const end = Math.max(0, this.#heights.total - this.#viewport.heightPx);
    if (this.#isFollowing || !this.#position) return end;
    const index = this.#anchoredIndex;
    const bottomPx = this.#heights.topOf(index) + this.#heights.at(index);
    return Math.min(end, bottomPx - 1, Math.max(0, this.#requestedPx(this.#position)));
  }

  /** Moves to a position or, without one, to the end. */
  moveTo(position: ScrollPosition | undefined): void {
    this.#isFollowing = !position;
    this.#position = position;
    this.#isRestoring = false;
  }

  /** Like {@link moveTo}, in a list whose rows aren't drawn yet. Their heights may still be estimates. */
  restore(position: ScrollPosition | undefined): void {
    this.moveTo(position);
    this.#isRestoring = true;
  }

  /** Call this after the user has scrolled, possibly to the end. The viewport now starts at `placePx`. */
  scrolledTo(placePx: number, isEnd: boolean): void {
    this.#isFollowing = isEnd || this.#isAtEnd(placePx);
    this.#anchorAt(placePx);
  }

  /**
   * Anchors to the row now at the top of the viewport. Does nothing while the end is followed, before the list is
   * visible, and while a row that isn't drawn yet can still move the anchored one. A restored position that can be
   * shown stays until the user scrolls: the rows above it may be too short for a moment, until the page has its final,
   * smaller width.
   */
  settle(): void {
    if (this.#isFollowing || !this.#viewport.isKnown || (this.#isRestoring && this.#isInPlace)) return;
    const last = this.#isRestoring ? this.#lastIndex : this.#anchoredIndex;
    if (!this.#isEstimated(last)) this.#anchorAt(this.placePx);
  }

  stopFollowing(placePx: number): void {
    this.#isFollowing = false;
    this.#anchorAt(placePx);
  }

  /**
   * Follows the end if it is visible, and stops following it otherwise. Does nothing if a position is being restored
   * and a row in the viewport isn't drawn yet.
   */
  followIfAtEnd(): void {
    if (this.#isRestoring && !this.#isFollowing && this.#isEstimated(this.#lastIndex)) return;
    this.#isFollowing = this.#isAtEnd(this.placePx);
  }

  /**
   * Call this before rows are removed. If the anchored row is one of them, the next remaining row becomes the anchor
   * or, if none follows, the previous one.
   */
  beforeRemoval(removed: ReadonlySet<number>, placePx: number): void {
    const index = this.#position ? this.#source.indexOf(this.#position.key) : -1;
    if (!this.#position || !removed.has(index)) return;
    this.#isRestoring = false;
    const remains = (at: number) => !removed.has(at) && this.#source.canAnchor(at);
    let next = index + 1;
    while (next < this.#source.count && !remains(next)) next += 1;
    const nextKey = this.#source.keyAt(next);
    if (nextKey !== undefined) {
      this.#position = { key: nextKey, offsetPx: Math.max(0, this.#position.offsetPx) };
      return;
    }
    let before = index - 1;
    while (before >= 0 && !remains(before)) before -= 1;
    const key = this.#source.keyAt(before);
    this.#position = key === undefined ? undefined : { key, offsetPx: this.#heights.topOf(before) - placePx };
  }

  /**
   * Runs `relayout`, which changes the height of every row, and keeps the same relative position within the anchored
   * row if that row starts above the viewport.
   */
  keepThrough(relayout: () => void): void {
    const index = this.#anchoredIndex;
    const beforePx = this.#heights.at(index);
    relayout();
    const afterPx = this.#heights.at(index);
    if (!this.#position || this.#isRestoring || this.#position.offsetPx >= 0 || beforePx <= 0 || afterPx <= 0) return;
    const { key, offsetPx } = this.#position;
    this.#position = { key, offsetPx: Math.round((offsetPx * afterPx) / beforePx) };
  }

  #requestedPx({ key, offsetPx }: ScrollPosition): number {
    return this.#heights.topOf(this.#source.indexOf(key)) - offsetPx;
  }

  /** Whether the anchored row starts in the viewport, at its offset. */
  get #isInPlace(): boolean {
    const { position } = this;
    if (!position || this.#source.indexOf(position.key) < 0 || this.#requestedPx(position) !== this.placePx)
      return false;
    return position.offsetPx >= 0 && position.offsetPx < this.#viewport.heightPx;
  }

  get #anchoredIndex(): number {
    return this.#source.indexOf(this.#position?.key ?? '');
  }

  /** The index of the last row in the viewport. */
  get #lastIndex(): number {
    return this.#heights.indexAt(this.placePx + this.#viewport.heightPx);
  }

  /** Whether a row in the viewport, up to the one at `last`, isn't drawn yet, so its height can change. */
  #isEstimated(last: number): boolean {
    for (let index = this.#heights.indexAt(this.placePx); index <= last; index += 1)
      if (this.#source.canAnchor(index) && !this.#source.isDrawn(index)) return true;
    return false;
  }

  #isAtEnd(placePx: number): boolean {
    return this.#heights.total - placePx - this.#viewport.heightPx <= endTolerancePx;
  }

  #anchorAt(placePx: number): void {
    const { count } = this.#heights;
    this.#isRestoring = false;
    let index = this.#heights.indexAt(placePx);
    const next = this.#heights.topOf(index) < placePx ? index + 1 : index;
    if (next < count && this.#heights.topOf(next) < placePx + this.#viewport.heightPx) index = next;
    while (index + 1 < count && !this.#source.canAnchor(index)) index += 1;
    const key = index >= 0 && this.#source.canAnchor(index) ? this.#source.keyAt(index) : undefined;
    this.#position = key === undefined ? undefined : { key, offsetPx: this.#heights.topOf(index) - placePx };
  }
}
