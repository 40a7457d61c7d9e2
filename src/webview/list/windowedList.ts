import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { element } from '../dom/element.ts';
import { listen } from '../dom/listen.ts';
import { Timer } from '../dom/timers.ts';
import { Heights } from './heights.ts';
import { estimateRanges, estimateRows, MountedRows, type RowRange, type RowSource } from './mountedRows.ts';
import { ScrollAnchor, type ScrollPosition } from './scrollAnchor.ts';
import { ScrollMapper } from './scrollMapper.ts';
import { Viewport, type ViewportChange } from './viewport.ts';

/** Scrolling counts as finished after this delay without a scroll event. */
const settleMs = 150;
/**
 * Delay before the rows around the viewport are drawn after a jump, because drawing them while the scrollbar is dragged
 * would be wasted work.
 */
const marginDelayMs = 50;

/**
 * A list that only keeps the rows in and near the viewport in the document. It stores the heights of all rows:
 * estimated at first, exact once measured. The scroll position is anchored to one row by its key, so inserting,
 * removing, or resizing other rows doesn't move that row. The list follows its end only while the user is there.
 */
export class WindowedList implements Disposable {
  readonly #scroller: HTMLElement;
  readonly #canvas = element('div', { class: 'canvas', role: 'presentation' });
  readonly #source: RowSource;
  readonly #heights = new Heights();
  readonly #viewport: Viewport;
  readonly #anchor: ScrollAnchor;
  readonly #mapper: ScrollMapper;
  readonly #mounted: MountedRows;
  readonly #disposables = new Disposables();
  readonly #settleTimer = this.#disposables.add(new Timer());
  readonly #marginTimer = this.#disposables.add(new Timer());
  #held: ScrollPosition | undefined;
  #scrollTopPx = 0;

  constructor(scroller: HTMLElement, source: RowSource, mapper = new ScrollMapper()) {
    this.#scroller = scroller;
    this.#source = source;
    this.#mapper = mapper;
    this.#viewport = new Viewport(scroller);
    this.#anchor = new ScrollAnchor(this.#heights, source, this.#viewport);
    const sizes = new ResizeObserver((entries) => this.#onResize(entries));
    this.#mounted = new MountedRows(scroller, this.#canvas, source, sizes);
    scroller.append(this.#canvas);
    sizes.observe(scroller);
    this.#disposables.add({ dispose: () => sizes.disconnect() });
    listen(this.#disposables, scroller, 'scroll', () => this.#onScroll(), { passive: true });
  }

  get isFollowing(): boolean {
    return this.#anchor.isFollowing;
  }

  /** The scroll position; undefined in an empty list. */
  get position(): ScrollPosition | undefined {
    return this.#anchor.position;
  }

  /** Whether the viewport starts less than two viewport heights from the start of the list. */
  get isNearStart(): boolean {
    return this.#place < 2 * this.#viewport.heightPx;
  }

  /** The index of the row at the top of the viewport, or -1 in an empty list. */
  get topIndex(): number {
    return this.#heights.indexAt(this.#place);
  }

  /** Whether the row starts above the viewport. */
  startsAbove(index: number): boolean {
    return this.#heights.topOf(index) < this.#place - 4;
  }

  /** The height of all rows. */
  get totalPx(): number {
    return this.#heights.total;
  }

  /** The height of the viewport; 0 until the list was visible. */
  get viewportPx(): number {
    return this.#viewport.heightPx;
  }

  /** The start of the row in the list. */
  topPx(index: number): number {
    return this.#heights.topOf(index);
  }

  heightPx(index: number): number {
    return this.#heights.at(index);
  }

  isMounted(key: string): boolean {
    return this.#mounted.isMounted(key);
  }

  /** Shows entirely new content at the given position or at the end. */
  reset(position?: ScrollPosition): void {
    this.#mounted.clear();
    this.#viewport.read();
    this.#heights.reset(estimateRows(this.#source, this.#viewport.metrics));
    this.#anchor.moveTo(position);
    this.#layout('viewport');
    this.#recenter();
  }

  /**
   * Call this before rows are removed from the source: if one of them is the anchor, a row next to it becomes the
   * anchor.
   */
  beforeRemoval(removed: readonly number[]): void {
    this.#anchor.beforeRemoval(new Set(removed), this.#place);
  }

  /** Call this after rows were removed from and added to the source; both in ascending order. */
  spliced(removed: readonly number[], added: readonly RowRange[]): void {
    this.#heights.splice(removed, estimateRanges(this.#source, this.#viewport.metrics, added));
  }

  /** Call this after the content of a row has changed. */
  changed(key: string): void {
    if (this.#mounted.isMounted(key)) this.#mounted.redraw(key);
    else {
      const index = this.#source.indexOf(key);
      this.#heights.set(index, this.#source.estimatePx(index, this.#viewport.metrics));
    }
  }

  /**
   * Draws the changes reported by `spliced` and `changed` in this frame.
   * @param isHeld whether the user caused them in the row passed to {@link hold}.
   */
  update(isHeld = false): void {
    if (isHeld && this.#held) {
      this.#showHeld(this.#held);
      return;
    }
    this.#layout('surroundings');
    if (!this.#settleTimer.isSet) this.#settle();
  }

  /**
   * Keeps this row in place when its height or the rows after it change, because the user expands or collapses part of
   * it.
   */
  hold(key: string): void {
    const index = this.#source.indexOf(key);
    if (index >= 0) this.#held = { key, offsetPx: this.#heights.topOf(index) - this.#place };
  }

  followEnd(): void {
    this.#anchor.moveTo(undefined);
    this.update();
  }

  stopFollowing(): void {
    this.#anchor.stopFollowing(this.#place);
    this.#source.listMoved();
  }

  /** Scrolls a row, whose height may have changed, to `offsetPx` below the top of the viewport. */
  reveal(key: string, offsetPx = 0): void {
    this.#held = undefined;
    this.changed(key);
    if (this.#source.indexOf(key) >= 0) this.#anchor.moveTo({ key, offsetPx });
    this.update();
  }

  dispose(): void {
    this.#mounted.clear();
    this.#disposables.dispose();
  }

  /** The place at the top of the viewport. */
  get #place(): number {
    return this.#mapper.toPlace(this.#scrollTopPx);
  }

  #onScroll(): void {
    const change = this.#viewport.read();
    // The browser may change the scroll position when the viewport is resized. In that case, the user didn't scroll.
    if (change !== 'none') this.#onViewportChange(change);
    else this.#scrollTo(this.#scroller.scrollTop);
  }

  #scrollTo(scrollTopPx: number): void {
    const movedPx = scrollTopPx - this.#scrollTopPx;
    if (Math.abs(movedPx) < 1) return;
    const { heightPx } = this.#viewport;
    const isJump = Math.abs(movedPx) > 2 * heightPx;
    const jumpedTo = this.#mapper.placeOfJump(scrollTopPx, this.#heights.total, heightPx);
    const place = isJump ? jumpedTo : this.#mapper.toPlace(scrollTopPx);
    this.#scrollTopPx = scrollTopPx;
    this.#mapper.pin(place, scrollTopPx);
    this.#held = undefined;
    this.#anchor.scrolledTo(place);
    this.#layout(isJump ? 'viewport' : 'surroundings');
    if (this.#mapper.mustRecenter(scrollTopPx, this.#heights.total, heightPx)) this.#recenter();
    this.#settleTimer.set(settleMs, () => this.#settle());
  }

  #onResize(entries: readonly ResizeObserverEntry[]): void {
    const change = this.#viewport.read();
    if (change === 'metrics' || change === 'shown') {
      this.#onViewportChange(change);
      return;
    }
    const held = change === 'none' ? this.#held : undefined;
    const keys = this.#mounted.storeSizes(entries, this.#heights);
    if (change !== 'none') this.#onViewportChange(change);
    else if (held && keys.includes(held.key)) this.#showHeld(held);
    else if (keys.length > 0) this.update();
  }

  /** Keeps the held row in place, and follows the end if it is still visible afterwards. */
  #showHeld(held: ScrollPosition): void {
    this.#held = undefined;
    this.#anchor.moveTo(held);
    this.update();
    this.#anchor.followIfAtEnd();
    this.#source.listMoved();
  }

  #onViewportChange(change: ViewportChange): void {
    this.#scrollTopPx = this.#scroller.scrollTop;
    this.#held = undefined;
    if (change === 'shown') this.reset(this.isFollowing ? undefined : this.position);
    if (change === 'metrics') {
      this.#anchor.keepThrough(() => {
        this.#heights.reset(estimateRows(this.#source, this.#viewport.metrics));
        this.#mounted.forgetSizes();
        this.#mounted.measure(this.#heights);
      });
    }
    this.update();
    this.#anchor.followIfAtEnd();
    this.#source.listMoved();
  }

  /** Mounts the rows in the viewport, with or without those around it; measures new rows and positions all of them. */
  #layout(extent: 'viewport' | 'surroundings'): void {
    const { heightPx } = this.#viewport;
    const marginPx = extent === 'viewport' ? 0 : heightPx;
    if (extent === 'viewport') this.#marginTimer.set(marginDelayMs, () => this.#layout('surroundings'));
    for (let pass = 0; pass < 6; pass += 1) {
      const first = this.#heights.indexAt(this.#anchor.placePx - marginPx);
      const last = this.#heights.indexAt(this.#anchor.placePx + heightPx + marginPx);
      this.#mounted.show(Math.max(0, first), last);
      if (!this.#mounted.measure(this.#heights)) break;
    }
    this.#mapper.pin(this.#anchor.placePx, this.#scrollTopPx);
    this.#placeRows();
    this.#source.listMoved();
  }

  #placeRows(): void {
    this.#mounted.place((index) => this.#mapper.toCanvas(this.#heights.topOf(index)));
    this.#canvas.style.setProperty('height', `${this.#mapper.canvasHeight(this.#heights.total)}px`);
  }

  #settle(): void {
    this.#recenter();
    this.#source.listSettled();
  }

  /** Moves the scroll position, and the canvas with it, so that the scrollbar shows the true position. */
  #recenter(): void {
    const { placePx } = this.#anchor;
    const scrollTopPx = this.#mapper.centeredScrollTop(placePx, this.#heights.total, this.#viewport.heightPx);
    if (scrollTopPx !== this.#scrollTopPx) {
      this.#mapper.pin(placePx, scrollTopPx);
      this.#placeRows();
      this.#scroller.scrollTop = scrollTopPx;
      this.#scrollTopPx = this.#scroller.scrollTop;
      this.#mapper.pin(placePx, this.#scrollTopPx);
    }
    this.#placeRows();
    this.#anchor.settle();
  }
}
