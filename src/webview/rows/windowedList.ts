import { element } from '../element.ts';
import { FrameTask, Owner, Timer, type Owned } from '../ownership.ts';
import { Heights } from './heights.ts';
import { MountedRows } from './mountedRows.ts';
import { Reader } from './reader.ts';
import type { ReadingPosition } from './readingPosition.ts';
import { estimateRows, type RowSource } from './rowSource.ts';
import { ScrollSpace } from './scrollSpace.ts';
import { ViewBox, type ViewChange } from './viewBox.ts';

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
  readonly #view: ViewBox;
  readonly #reader: Reader;
  readonly #space: ScrollSpace;
  readonly #mounted: MountedRows;
  readonly #owner = new Owner();
  readonly #settle = this.#owner.own(new Timer());
  readonly #frame: FrameTask;
  #heldKey: string | undefined;
  #scrollTopPx = 0;

  constructor(scroller: HTMLElement, source: RowSource, hooks: ListHooks, space = new ScrollSpace()) {
    this.#scroller = scroller;
    this.#source = source;
    this.#hooks = hooks;
    this.#space = space;
    this.#view = new ViewBox(scroller);
    this.#reader = new Reader(this.#heights, source, this.#view);
    const sizes = new ResizeObserver((entries) => this.#resized(entries));
    this.#mounted = new MountedRows(this.#canvas, source, sizes, () => scroller.focus({ preventScroll: true }));
    this.#frame = this.#owner.own(new FrameTask(() => this.#layout(this.#viewPx)));
    scroller.append(this.#canvas);
    sizes.observe(scroller);
    this.#owner.own({ dispose: () => sizes.disconnect() });
    this.#owner.listen(scroller, 'scroll', () => this.#scrolled(), { passive: true });
  }

  get isFollowing(): boolean {
    return this.#reader.isFollowing;
  }

  /** Where the reader is; absent in an empty list. */
  get position(): ReadingPosition | undefined {
    return this.#reader.position;
  }

  /** Whether the first row is in view or will be soon. */
  get isNearBeginning(): boolean {
    return this.#place < 2 * this.#viewPx;
  }

  get #viewPx(): number {
    return this.#view.heightPx;
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
    this.#view.read();
    this.#heights.reset(estimateRows(this.#source, this.#view.metrics));
    this.#reader.goTo(position);
    this.#layout(0);
    this.#goHome();
    this.#frame.request();
  }

  /** The source has replaced `removed` rows at `index` by `added` others. */
  spliced(index: number, removed: number, added: number): void {
    this.#heights.splice(index, removed, estimateRows(this.#source, this.#view.metrics, index, index + added));
  }

  /** A row is about to be removed: if the reader hangs on it, its neighbour takes over. */
  removing(index: number): void {
    this.#reader.removing(index, this.#place);
  }

  /** The content of a row has changed. */
  changed(key: string): void {
    if (this.#mounted.isMounted(key)) this.#mounted.redraw(key);
    else {
      const index = this.#source.indexOf(key);
      this.#heights.set(index, this.#source.estimatePx(index, this.#view.metrics));
    }
  }

  /** Shows what `spliced` and `changed` have told, in this frame. */
  update(): void {
    this.#layout(this.#viewPx);
    if (!this.#settle.isSet) this.#rest();
  }

  /** The person opens or closes a part of this row: when its size changes next, it stays where it is. */
  hold(key: string): void {
    if (this.#source.indexOf(key) >= 0) this.#heldKey = key;
  }

  followEnd(): void {
    this.#reader.goTo(undefined);
    this.update();
  }

  stopFollowing(): void {
    this.#reader.stopFollowing(this.#place);
    this.#hooks.moved();
  }

  /** Shows a row at the top of the view. */
  reveal(key: string): void {
    if (this.#source.indexOf(key) >= 0) this.#reader.goTo({ key, offsetPx: 0 });
    this.update();
  }

  dispose(): void {
    this.#mounted.clear();
    this.#owner.dispose();
  }

  #scrolled(): void {
    const change = this.#view.read();
    // A view that changes its size can make the browser cut the scroll position: no scroll of the reader.
    if (change !== 'none') this.#viewChanged(change);
    else this.#movedTo(this.#scroller.scrollTop);
  }

  #movedTo(scrollTopPx: number): void {
    const movedPx = scrollTopPx - this.#scrollTopPx;
    if (Math.abs(movedPx) < 1) return;
    const isJump = Math.abs(movedPx) > 2 * this.#viewPx;
    const jumpedTo = this.#space.placeOfJump(scrollTopPx, this.#heights.total, this.#viewPx);
    const place = isJump ? jumpedTo : this.#space.toPlace(scrollTopPx);
    this.#scrollTopPx = scrollTopPx;
    this.#space.pin(place, scrollTopPx);
    this.#heldKey = undefined;
    this.#reader.scrolledTo(place);
    this.#layout(isJump ? 0 : this.#viewPx);
    if (isJump) this.#frame.request();
    if (this.#space.mustGoHome(scrollTopPx, this.#heights.total, this.#viewPx)) this.#goHome();
    this.#settle.set(settleMs, () => this.#rest());
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    const change = this.#view.read();
    if (change === 'setting' || change === 'shown') {
      this.#viewChanged(change);
      return;
    }
    const key = change === 'none' ? this.#heldKey : undefined;
    // Before the new heights are taken over, or they would have moved it.
    const offsetPx = key === undefined ? 0 : this.#heights.topOf(this.#source.indexOf(key)) - this.#place;
    const keys = this.#mounted.takeSizes(entries, this.#heights);
    if (change !== 'none') this.#viewChanged(change);
    else if (key !== undefined && keys.includes(key)) this.#folded({ key, offsetPx });
    else if (keys.length > 0) this.update();
  }

  /** A part of a row was opened or closed, and the reader stays with it; at the end, if that is still in view. */
  #folded(held: ReadingPosition): void {
    this.#heldKey = undefined;
    this.#reader.goTo(held);
    this.update();
    this.#reader.followIfAtEnd();
    this.#hooks.moved();
  }

  /** Who is at the end stays there, who reads elsewhere keeps the place, however the view has changed. */
  #viewChanged(change: ViewChange): void {
    this.#scrollTopPx = this.#scroller.scrollTop;
    this.#heldKey = undefined;
    if (change === 'shown') this.reset(this.isFollowing ? undefined : this.position);
    if (change === 'setting') {
      this.#reader.throughNewHeights(() => {
        this.#heights.reset(estimateRows(this.#source, this.#view.metrics));
        this.#mounted.forgetSizes();
        this.#mounted.measure(this.#heights);
      });
    }
    this.update();
  }

  /** Puts the rows around the position into the document, measures those that are new, and stands them in place. */
  #layout(marginPx: number): void {
    for (let pass = 0; pass < 6; pass += 1) {
      const first = this.#heights.indexAt(this.#reader.place - marginPx);
      const last = this.#heights.indexAt(this.#reader.place + this.#viewPx + marginPx);
      this.#mounted.show(Math.max(0, first), last);
      if (!this.#mounted.measure(this.#heights)) break;
    }
    this.#space.pin(this.#reader.place, this.#scrollTopPx);
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
    const { place } = this.#reader;
    const home = this.#space.homeOf(place, this.#heights.total, this.#viewPx);
    if (home !== this.#scrollTopPx) {
      this.#space.pin(place, home);
      this.#stand();
      this.#scroller.scrollTop = home;
      this.#scrollTopPx = this.#scroller.scrollTop;
      this.#space.pin(place, this.#scrollTopPx);
    }
    this.#stand();
    this.#reader.settle();
  }
}
