import { element } from '../element.ts';
import { FrameTask, Owner, Timer, type Owned } from '../ownership.ts';
import { readMetrics, type RowMetrics } from './estimate.ts';
import { Heights } from './heights.ts';
import { MountedRows } from './mountedRows.ts';
import { positionAt, positionWithout, type ReadingPosition } from './readingPosition.ts';
import { estimateRows, type RowSource } from './rowSource.ts';
import { ScrollSpace } from './scrollSpace.ts';

/** So close to the end counts as at the end, in px. */
const endSlackPx = 8;
/** After so long without scrolling a gesture is over. */
const settleMs = 150;

/** What the list tells its owner. */
export interface ListHooks {
  /** The rows in the document, the position or whether the end is followed may have changed. */
  readonly moved: () => void;
  /** Scrolling has come to rest, or the content has changed while at rest. */
  readonly settled: () => void;
}

/**
 * A list of which only the rows in and near the view are in the document. The heights of all rows are known at once,
 * estimated until measured. The reader hangs on one row by its key: whatever is inserted, removed or changes its size
 * elsewhere, that row keeps its place to the pixel. Only when the reader is at the end does the list follow it.
 */
export class WindowedList implements Owned {
  readonly #scroller: HTMLElement;
  readonly #canvas = element('div', { class: 'canvas', role: 'presentation' });
  readonly #source: RowSource;
  readonly #hooks: ListHooks;
  readonly #heights = new Heights();
  readonly #space: ScrollSpace;
  readonly #mounted: MountedRows;
  readonly #owner = new Owner();
  readonly #settle = new Timer();
  readonly #frame: FrameTask;
  #viewPx = 0;
  #metrics: RowMetrics = { widthPx: 0, fontSizePx: 13, lineHeightPx: 20 };
  #following = true;
  #position: ReadingPosition | undefined;
  #heldKey: string | undefined;
  #scrollTopPx = 0;

  constructor(scroller: HTMLElement, source: RowSource, hooks: ListHooks, space = new ScrollSpace()) {
    this.#scroller = scroller;
    this.#source = source;
    this.#hooks = hooks;
    this.#space = space;
    const sizes = new ResizeObserver((entries) => this.#resized(entries));
    this.#mounted = new MountedRows(this.#canvas, source, sizes, () => scroller.focus({ preventScroll: true }));
    this.#frame = this.#owner.own(new FrameTask(() => this.#layout(this.#viewPx)));
    scroller.append(this.#canvas);
    sizes.observe(scroller);
    this.#owner.own({ dispose: () => sizes.disconnect() });
    this.#owner.own(this.#settle);
    this.#owner.listen(scroller, 'scroll', () => this.#scrolled(), { passive: true });
  }

  get isFollowing(): boolean {
    return this.#following;
  }

  /** Where the reader is; absent in an empty list. */
  get position(): ReadingPosition | undefined {
    return this.#position;
  }

  /** Whether the first row is in view or will be soon. */
  get isNearBeginning(): boolean {
    return this.#place < 2 * this.#viewPx;
  }

  get #place(): number {
    return this.#space.toPlace(this.#scrollTopPx);
  }

  heightPx(index: number): number {
    return this.#heights.at(index);
  }

  isMounted(key: string): boolean {
    return this.#mounted.isMounted(key);
  }

  /** Everything is new: shows the given position, or the end. */
  reset(position?: ReadingPosition): void {
    this.#mounted.clear();
    this.#metrics = readMetrics(this.#scroller, this.#scroller.clientWidth);
    this.#viewPx = this.#scroller.clientHeight;
    this.#heights.reset(estimateRows(this.#source, this.#metrics));
    this.#following = !position;
    this.#position = position;
    this.#layout(0);
    this.#goHome();
    this.#frame.request();
  }

  /** The source has replaced `removed` rows at `index` by `added` others. */
  spliced(index: number, removed: number, added: number): void {
    const estimates = estimateRows(this.#source, this.#metrics, index, index + added);
    this.#heights.splice(index, removed, estimates);
  }

  /** A row is about to be removed: if the reader hangs on it, its neighbour takes over. */
  removing(index: number): void {
    if (this.#source.keyAt(index) !== this.#position?.key) return;
    this.#position = positionWithout(this.#heights, this.#source, this.#place, index);
  }

  /** The content of a row has changed. */
  changed(key: string): void {
    if (this.#mounted.isMounted(key)) this.#mounted.redraw(key);
    else
      this.#heights.set(this.#source.indexOf(key), this.#source.estimatePx(this.#source.indexOf(key), this.#metrics));
  }

  /** Shows what `spliced` and `changed` have told, in this frame. */
  update(): void {
    this.#layout(this.#viewPx);
    if (!this.#settle.isSet) this.#rest();
  }

  /** Keeps this row where it is when the next thing happens, because the person is working in it. */
  hold(key: string): void {
    const index = this.#source.indexOf(key);
    if (index < 0) return;
    this.#heldKey = key;
    this.#position = { key, offsetPx: this.#heights.topOf(index) - this.#place };
  }

  followEnd(): void {
    this.#following = true;
    this.update();
  }

  stopFollowing(): void {
    this.#following = false;
    this.#position = positionAt(this.#heights, this.#source, this.#place, this.#viewPx);
    this.#hooks.moved();
  }

  /** Shows a row at the top of the view. */
  reveal(key: string): void {
    if (this.#source.indexOf(key) < 0) return;
    this.#following = false;
    this.#position = { key, offsetPx: 0 };
    this.update();
  }

  dispose(): void {
    this.#mounted.clear();
    this.#owner.dispose();
  }

  #scrolled(): void {
    const scrollTopPx = this.#scroller.scrollTop;
    const movedPx = scrollTopPx - this.#scrollTopPx;
    if (Math.abs(movedPx) < 1) return;
    const isJump = Math.abs(movedPx) > 2 * this.#viewPx;
    const place = isJump
      ? this.#space.placeOfJump(scrollTopPx, this.#heights.total, this.#viewPx)
      : this.#space.toPlace(scrollTopPx);
    this.#scrollTopPx = scrollTopPx;
    this.#space.pin(place, scrollTopPx);
    this.#heldKey = undefined;
    this.#following = this.#isAtEnd(place);
    this.#position = positionAt(this.#heights, this.#source, place, this.#viewPx);
    this.#layout(isJump ? 0 : this.#viewPx);
    if (isJump) this.#frame.request();
    if (this.#space.mustGoHome(scrollTopPx, this.#heights.total, this.#viewPx)) this.#goHome();
    this.#settle.set(settleMs, () => this.#rest());
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    const view = entries.find((entry) => entry.target === this.#scroller);
    const keys = this.#mounted.takeSizes(entries, this.#heights);
    // A row that changes by itself right after the person worked in it: a fold was opened or closed.
    const isFold = this.#heldKey !== undefined && keys.includes(this.#heldKey);
    if (isFold) this.#following = false;
    const hasViewChanged = view !== undefined && this.#viewChanged(view.contentRect);
    if (keys.length === 0 && !hasViewChanged) return;
    this.update();
    if (isFold) this.#following = this.#isAtEnd(this.#place);
  }

  #isAtEnd(placePx: number): boolean {
    return this.#heights.total - placePx - this.#viewPx <= endSlackPx;
  }

  #viewChanged(view: DOMRectReadOnly): boolean {
    const isSame = view.height === this.#viewPx && view.width === this.#metrics.widthPx;
    this.#viewPx = view.height;
    if (view.width !== this.#metrics.widthPx) {
      this.#metrics = readMetrics(this.#scroller, view.width);
      this.#heights.reset(estimateRows(this.#source, this.#metrics));
      this.#mounted.forgetSizes();
    }
    return !isSame;
  }

  /** Puts the rows around the position into the document, measures those that are new, and stands them in place. */
  #layout(marginPx: number): void {
    for (let pass = 0; pass < 6; pass += 1) {
      const place = this.#currentPlace();
      const first = this.#heights.indexAt(place - marginPx);
      const last = this.#heights.indexAt(place + this.#viewPx + marginPx);
      this.#mounted.show(Math.max(0, first), last);
      if (!this.#mounted.measure(this.#heights)) break;
    }
    this.#space.pin(this.#currentPlace(), this.#scrollTopPx);
    this.#stand();
    this.#hooks.moved();
  }

  #stand(): void {
    this.#mounted.place((index) => this.#space.toCanvas(this.#heights.topOf(index)));
    this.#canvas.style.setProperty('height', `${this.#space.canvasHeight(this.#heights.total)}px`);
  }

  #rest(): void {
    this.#goHome();
    this.#hooks.settled();
  }

  /** Moves the scroll position, and with it the whole canvas, to where the scrollbar tells the truth. */
  #goHome(): void {
    const place = this.#currentPlace();
    const home = this.#space.homeOf(place, this.#heights.total, this.#viewPx);
    if (home !== this.#scrollTopPx) {
      this.#space.pin(place, home);
      this.#stand();
      this.#scroller.scrollTop = home;
      this.#scrollTopPx = this.#scroller.scrollTop;
      this.#space.pin(place, this.#scrollTopPx);
    }
    this.#stand();
    if (!this.#following) this.#position = positionAt(this.#heights, this.#source, place, this.#viewPx);
  }

  #currentPlace(): number {
    const end = Math.max(0, this.#heights.total - this.#viewPx);
    if (this.#following || !this.#position) return end;
    const place = this.#heights.topOf(this.#source.indexOf(this.#position.key)) - this.#position.offsetPx;
    return Math.min(end, Math.max(0, place));
  }
}
