import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { element } from '../dom/element.ts';
import { listen } from '../dom/listen.ts';
import { FrameTask, Timer } from '../dom/timers.ts';
import { Heights } from './heights.ts';
import { LayoutObserver } from './layoutObserver.ts';
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

/** What a layout covers: the rows in the viewport, or also those around it. */
type Extent = 'viewport' | 'surroundings';

/**
 * A list that only keeps the rows in and near the viewport in the document. It stores the heights of all rows:
 * estimated at first, exact once measured. The scroll position is anchored to one row by its key, so inserting,
 * removing, or resizing other rows doesn't move that row. The list follows its end only while the user is there.
 *
 * Reading a size or the scroll position after a change would force a layout. So changes are drawn with the heights
 * known at that time, and corrected after the browser's own layout of the same frame, before the paint.
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
  readonly #layouts: LayoutObserver;
  readonly #disposables = new Disposables();
  readonly #settleTimer = this.#disposables.add(new Timer());
  readonly #marginTimer = this.#disposables.add(new Timer());
  /** Draws rows in an animation frame, so that no other code reads their positions before they are measured. */
  readonly #margins = this.#disposables.add(new FrameTask(() => this.#layout('surroundings')));
  #held: ScrollPosition | undefined;
  #scrollTopPx = 0;
  /** Whether the position of the last scroll event is read after the layout of this frame. */
  #isScrollUnread = false;
  #canvasPx = 0;
  /** The scroll position of the end of the list in the last frame; Infinity if the canvas is shorter than the list. */
  #shownEndPx = Infinity;
  /** Whether the next layout moves the scrollbar to the true position. */
  #isRecenterDue = false;
  /** Whether the list settles after the next layout. */
  #isSettleDue = false;

  constructor(scroller: HTMLElement, source: RowSource, mapper = new ScrollMapper()) {
    this.#scroller = scroller;
    this.#source = source;
    this.#mapper = mapper;
    this.#viewport = new Viewport(scroller);
    this.#anchor = new ScrollAnchor(this.#heights, source, this.#viewport);
    scroller.append(this.#canvas);
    const levels = [scroller.parentElement, scroller, this.#canvas].filter((level) => level !== null);
    this.#layouts = this.#disposables.add(new LayoutObserver(levels, (entries) => this.#onLayout(entries)));
    this.#mounted = new MountedRows(scroller, this.#canvas, source, this.#layouts);
    listen(this.#disposables, scroller, 'scroll', () => this.#onScroll(), { passive: true });
  }

  get isFollowing(): boolean {
    return this.#anchor.isFollowing;
  }

  /** The scroll position; undefined in an empty list. Can be undefined or outdated while the end is followed. */
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

  /** The index of the row at a distance below the start of the viewport, or -1 in an empty list. */
  indexBelow(distancePx: number): number {
    return this.#heights.indexAt(this.#place + distancePx);
  }

  /** Whether the row, without its first `leadPx` pixels, starts more than 4 px above the viewport. */
  startsAbove(index: number, leadPx = 0): boolean {
    return this.#heights.topOf(index) + leadPx < this.#place - 4;
  }

  /** The height of all rows. */
  get totalPx(): number {
    return this.#heights.total;
  }

  /** The height of the viewport; 0 until the list has been visible. */
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

  /** The element of the row, if it is in the document. */
  elementOf(key: string): HTMLElement | undefined {
    return this.#mounted.elementOf(key);
  }

  /** Shows entirely new content at the given position or at the end. */
  reset(position?: ScrollPosition): void {
    this.#mounted.clear();
    this.#viewport.read();
    // A browser forgets the scroll position of a list that was removed from the document for a while.
    this.#scrollTopPx = this.#scroller.scrollTop;
    this.#heights.reset(estimateRows(this.#source, this.#viewport.metrics));
    this.#anchor.restore(position);
    this.#drawRowsAround();
    this.#layoutNow('viewport');
  }

  /**
   * Call this before rows are removed from the source: if one of them is the anchor, a row next to it becomes the
   * anchor.
   */
  beforeRemoval(removed: readonly number[]): void {
    this.#anchor.beforeRemoval(new Set(removed), this.#place);
  }

  /** Call this after the source changed: `removed` has old indexes, `added` has new ones, both in ascending order. */
  spliced(removed: readonly number[], added: readonly RowRange[]): void {
    this.#heights.splice(removed, estimateRanges(this.#source, this.#viewport.metrics, added));
  }

  /** Call this after the content of a row has changed. */
  changed(key: string): void {
    if (this.#mounted.elementOf(key)) this.#mounted.redraw(key);
    else {
      const index = this.#source.indexOf(key);
      this.#heights.set(index, this.#source.estimatePx(index, this.#viewport.metrics));
    }
  }

  /**
   * Draws the changes reported by `spliced` and `changed`, and measures them in this frame.
   * @param isHeld whether the user caused them in the row passed to {@link hold}.
   */
  update(isHeld = false): void {
    if (isHeld && this.#held && this.#source.indexOf(this.#held.key) >= 0) {
      this.#showAt(this.#held);
      return;
    }
    this.#settleSoon();
    this.#layout(this.#extent);
  }

  /**
   * Keeps this row in place the next time that its height or the rows after it change, because the user expands or
   * collapses a part of it.
   */
  hold(key: string): void {
    const index = this.#source.indexOf(key);
    if (index >= 0) this.#held = { key, offsetPx: this.#heights.topOf(index) - this.#place };
  }

  followEnd(): void {
    this.#jumpTo(undefined);
  }

  stopFollowing(): void {
    this.#anchor.stopFollowing(this.#place);
    this.#source.listMoved();
  }

  /** Scrolls a row, whose height may have changed, to `offsetPx` below the top of the viewport. */
  reveal(key: string, offsetPx = 0): void {
    if (this.#source.indexOf(key) >= 0) this.#jumpTo({ key, offsetPx });
  }

  /**
   * Like {@link reveal}, but only while the end is followed, and the end stays followed if it is visible together with
   * the start of the row.
   */
  beginAt(key: string, offsetPx: number): void {
    if (!this.isFollowing || this.#source.indexOf(key) < 0) return;
    // The browser may not have reported an earlier scroll yet.
    this.#scrollTopPx = this.#scroller.scrollTop;
    this.#showAt({ key, offsetPx });
  }

  dispose(): void {
    this.#mounted.clear();
    this.#disposables.dispose();
  }

  /** The place at the top of the viewport. */
  get #place(): number {
    return this.#mapper.toPlace(this.#scrollTopPx);
  }

  /** Jumps to a row, whose height may have changed, or to the end, even if an earlier scroll wasn't reported yet. */
  #jumpTo(position: ScrollPosition | undefined): void {
    this.#scrollTopPx = this.#scroller.scrollTop;
    this.#held = undefined;
    if (position) this.changed(position.key);
    this.#anchor.moveTo(position);
    this.#layoutNow('surroundings');
  }

  #onScroll(): void {
    // If rows were just drawn, reading the position would force a layout, so it is read after the layout of this frame.
    this.#isScrollUnread = this.#mounted.areUnmeasured;
    if (this.#isScrollUnread) return;
    const change = this.#viewport.read();
    // The browser may change the scroll position when the viewport is resized. In that case, the user didn't scroll.
    if (change !== 'none') this.#onViewportChange(change);
    else this.#scrollTo(this.#scroller.scrollTop);
  }

  /** Handles a scroll position that the browser reports. If it isn't the known one, the user has scrolled. */
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
    this.#anchor.scrolledTo(place, scrollTopPx >= this.#shownEndPx - 1);
    this.#isSettleDue = false;
    this.#isRecenterDue = this.#mapper.mustRecenter(scrollTopPx, this.#heights.total, heightPx);
    if (isJump) this.#drawRowsAround();
    this.#layout(this.#extent);
    this.#settleTimer.set(settleMs, () => this.update());
  }

  /** Corrects the rows after a layout. Reads sizes and positions first, because any change makes reading them slow. */
  #onLayout(entries: readonly ResizeObserverEntry[]): void {
    const change = this.#viewport.read();
    if (change === 'hidden') return;
    if (change === 'none') this.#correct(entries);
    else {
      if (change === 'height') this.#mounted.storeSizes(entries, this.#heights);
      this.#onViewportChange(change);
      this.#noteShownEnd();
    }
  }

  #correct(entries: readonly ResizeObserverEntry[]): void {
    const { scrollTop } = this.#scroller;
    const keys = this.#mounted.storeSizes(entries, this.#heights);
    const held = this.#held;
    if (Math.abs(scrollTop - this.#scrollTopPx) >= 1) {
      // The user has scrolled, and started from what the last frame showed at the known scroll position.
      this.#mapper.pin(this.#anchor.placePx, this.#scrollTopPx);
      if (!this.#isScrollUnread) {
        // The next frame starts with a scroll event, which draws the rows there.
        if (keys.length > 0) this.#layout(this.#extent);
        return;
      }
      this.#scrollTo(scrollTop);
    } else if (held && keys.includes(held.key)) this.#showAt(held);
    else if (keys.length > 0 || this.#isRecenterDue) {
      if (keys.length > 0) this.#settleSoon();
      if (this.#isRecenterDue) this.#recenter();
      this.#layout(this.#extent);
      if (this.#isSettleDue && !this.#isRecenterDue && !this.#mounted.areUnmeasured) this.#settle();
    }
    this.#isScrollUnread = false;
    this.#noteShownEnd();
  }

  #noteShownEnd(): void {
    this.#shownEndPx = this.#mapper.isWhole(this.#heights.total) ? this.#canvasPx - this.#viewport.heightPx : Infinity;
  }

  /** Shows a row at a position, and follows the end if it is visible then. */
  #showAt(position: ScrollPosition): void {
    this.#held = undefined;
    this.#anchor.moveTo(position);
    this.#layoutNow('surroundings');
    this.#anchor.followIfAtEnd();
    this.#source.listMoved();
  }

  #onViewportChange(change: ViewportChange): void {
    if (change === 'hidden') return;
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
    this.#layoutNow('surroundings');
    this.#anchor.followIfAtEnd();
    this.#source.listMoved();
  }

  /** After a jump, the rows around the viewport are drawn later. */
  get #extent(): Extent {
    return this.#marginTimer.isSet ? 'viewport' : 'surroundings';
  }

  #drawRowsAround(): void {
    this.#marginTimer.set(marginDelayMs, () => this.#margins.request());
  }

  /** Draws the rows with known heights. Measures new rows after layout, or now if that would be a frame too late. */
  #layout(extent: Extent): void {
    this.#mount(extent);
    if (this.#layouts.isLastCall) this.#measure(extent);
    else if (this.#mounted.areUnmeasured || this.#isRecenterDue) this.#layouts.request();
    this.#placeRows();
  }

  /** Draws and measures the rows, for callers that need to know where rows are. Forces a layout if any row is new. */
  #layoutNow(extent: Extent): void {
    this.#mount(extent);
    this.#measure(extent);
    this.#settleSoon();
    this.#layouts.request();
    this.#placeRows();
  }

  #mount(extent: Extent): void {
    const { heightPx } = this.#viewport;
    const marginPx = extent === 'viewport' ? 0 : heightPx;
    const first = this.#heights.indexAt(this.#anchor.placePx - marginPx);
    const last = this.#heights.indexAt(this.#anchor.placePx + heightPx + marginPx);
    this.#mounted.show(Math.max(0, first), last);
  }

  #measure(extent: Extent): void {
    for (let pass = 0; pass < 5 && this.#mounted.measure(this.#heights); pass += 1) this.#mount(extent);
  }

  /** Positions all rows so that the scroll position shows the anchor's place. */
  #placeRows(): void {
    const { total } = this.#heights;
    this.#mapper.pin(this.#anchor.placePx, this.#scrollTopPx);
    this.#mounted.place((index) => this.#mapper.toCanvas(this.#heights.topOf(index)));
    // The browser can scroll only as far as the canvas reaches. If the canvas were too short for the scroll position,
    // the browser would change the position, which would look like scrolling by the user.
    const duePx = this.#isRecenterDue
      ? Math.max(this.#centeredScrollTop, this.#scrollTopPx) + this.#viewport.heightPx
      : 0;
    this.#canvasPx = Math.max(this.#mapper.canvasHeight(total), duePx);
    this.#canvas.style.setProperty('height', `${this.#canvasPx}px`);
    this.#source.listMoved();
  }

  /** Settles after the layout of this frame or, while the user is scrolling, later. */
  #settleSoon(): void {
    if (this.#settleTimer.isSet) return;
    this.#isRecenterDue = true;
    this.#isSettleDue = true;
  }

  #settle(): void {
    this.#isSettleDue = false;
    this.#anchor.settle();
    this.#source.listSettled();
  }

  get #centeredScrollTop(): number {
    return this.#mapper.centeredScrollTop(this.#anchor.placePx, this.#heights.total, this.#viewport.heightPx);
  }

  /** Moves the scroll position so that the scrollbar shows the true position. Call `#placeRows` afterward. */
  #recenter(): void {
    const scrollTopPx = this.#centeredScrollTop;
    // If the canvas is too short for this position, it has to grow first.
    if (scrollTopPx + this.#viewport.heightPx > this.#canvasPx) return;
    this.#isRecenterDue = false;
    if (scrollTopPx === this.#scrollTopPx) return;
    this.#scroller.scrollTop = scrollTopPx;
    this.#scrollTopPx = this.#scroller.scrollTop;
  }
}
