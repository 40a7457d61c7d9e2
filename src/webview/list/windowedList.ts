import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';
import { element } from '../dom/element.ts';
import { Timer } from '../dom/timers.ts';
import { Heights } from './heights.ts';
import {
  estimateRanges,
  estimateRows,
  type ListHooks,
  MountedRows,
  type RowRange,
  type RowSource,
} from './mountedRows.ts';
import { Reader, type ReadingPosition } from './scrollAnchor.ts';
import { ScrollMapper } from './scrollMapper.ts';
import { Viewport, type ViewChange } from './viewport.ts';

/** After so long without scrolling a gesture is over. */
const settleMs = 150;
/** So long after a jump the rows around the view are drawn: while the scrollbar is dragged, none of them would be seen. */
const surroundMs = 50;

/**
 * A list of which only the rows in and near the view are in the document. The heights of all rows are known at once,
 * estimated until measured. The reader hangs on one row by its key: whatever is inserted, removed or changes its size
 * elsewhere, that row keeps its place to the pixel. Only when the reader is at the end does the list follow it.
 */
export class WindowedList implements Disposable {
  readonly #scroller: HTMLElement;
  readonly #canvas = element('div', { class: 'canvas', role: 'presentation' });
  readonly #source: RowSource;
  readonly #hooks: ListHooks;
  readonly #heights = new Heights();
  readonly #view: Viewport;
  readonly #reader: Reader;
  readonly #space: ScrollMapper;
  readonly #mounted: MountedRows;
  readonly #disposables = new Disposables();
  readonly #settle = this.#disposables.add(new Timer());
  readonly #surround = this.#disposables.add(new Timer());
  #held: ReadingPosition | undefined;
  #scrollTopPx = 0;

  constructor(scroller: HTMLElement, source: RowSource, hooks: ListHooks, space = new ScrollMapper()) {
    this.#scroller = scroller;
    this.#source = source;
    this.#hooks = hooks;
    this.#space = space;
    this.#view = new Viewport(scroller);
    this.#reader = new Reader(this.#heights, source, this.#view);
    const sizes = new ResizeObserver((entries) => this.#resized(entries));
    this.#mounted = new MountedRows(this.#canvas, source, sizes, () => scroller.focus({ preventScroll: true }));
    scroller.append(this.#canvas);
    sizes.observe(scroller);
    this.#disposables.add({ dispose: () => sizes.disconnect() });
    listen(this.#disposables, scroller, 'scroll', () => this.#scrolled(), { passive: true });
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
    return this.#place < 2 * this.#view.heightPx;
  }

  get #place(): number {
    return this.#space.toPlace(this.#scrollTopPx);
  }

  /** The row at the top of the view, and whether a row begins above that; -1 in an empty list. */
  get top(): { readonly index: number; readonly isCut: (index: number) => boolean } {
    const place = this.#place;
    return { index: this.#heights.indexAt(place), isCut: (index) => this.#heights.topOf(index) < place - 4 };
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
    this.#layout('view');
    this.#goHome();
  }

  /** The source has taken out the rows that `removing` named, and put others in: `added`, in ascending order. */
  spliced(removed: readonly number[], added: readonly RowRange[]): void {
    this.#heights.splice(removed, estimateRanges(this.#source, this.#view.metrics, added));
  }

  /** Rows are about to be removed: if the reader hangs on one of them, its neighbour takes over. */
  removing(removed: readonly number[]): void {
    this.#reader.removing(new Set(removed), this.#place);
  }

  /** The content of a row has changed. */
  changed(key: string): void {
    if (this.#mounted.isMounted(key)) this.#mounted.redraw(key);
    else {
      const index = this.#source.indexOf(key);
      this.#heights.set(index, this.#source.estimatePx(index, this.#view.metrics));
    }
  }

  /** Shows what `spliced` and `changed` have told, in this frame. `isHeld`: the person did it at the row held. */
  update(isHeld = false): void {
    if (isHeld && this.#held) {
      this.#folded(this.#held);
      return;
    }
    this.#layout('around');
    if (!this.#settle.isSet) this.#rest();
  }

  /** The person opens or closes a part of this row: when its size or what follows it changes next, it stays. */
  hold(key: string): void {
    const index = this.#source.indexOf(key);
    if (index >= 0) this.#held = { key, offsetPx: this.#heights.topOf(index) - this.#place };
  }

  followEnd(): void {
    this.#reader.goTo(undefined);
    this.update();
  }

  stopFollowing(): void {
    this.#reader.stopFollowing(this.#place);
    this.#hooks.moved();
  }

  /** Shows a row, its top so far below the top of the view; it may have changed its size. */
  reveal(key: string, offsetPx = 0): void {
    this.#held = undefined;
    this.changed(key);
    if (this.#source.indexOf(key) >= 0) this.#reader.goTo({ key, offsetPx });
    this.update();
  }

  dispose(): void {
    this.#mounted.clear();
    this.#disposables.dispose();
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
    const isJump = Math.abs(movedPx) > 2 * this.#view.heightPx;
    const jumpedTo = this.#space.placeOfJump(scrollTopPx, this.#heights.total, this.#view.heightPx);
    const place = isJump ? jumpedTo : this.#space.toPlace(scrollTopPx);
    this.#scrollTopPx = scrollTopPx;
    this.#space.pin(place, scrollTopPx);
    this.#held = undefined;
    this.#reader.scrolledTo(place);
    this.#layout(isJump ? 'view' : 'around');
    if (this.#space.mustGoHome(scrollTopPx, this.#heights.total, this.#view.heightPx)) this.#goHome();
    this.#settle.set(settleMs, () => this.#rest());
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    const change = this.#view.read();
    if (change === 'setting' || change === 'shown') {
      this.#viewChanged(change);
      return;
    }
    const held = change === 'none' ? this.#held : undefined;
    const keys = this.#mounted.takeSizes(entries, this.#heights);
    if (change !== 'none') this.#viewChanged(change);
    else if (held && keys.includes(held.key)) this.#folded(held);
    else if (keys.length > 0) this.update();
  }

  /** A part of a row was opened or closed, and the reader stays with it; at the end, if that is still in view. */
  #folded(held: ReadingPosition): void {
    this.#held = undefined;
    this.#reader.goTo(held);
    this.update();
    this.#reader.followIfAtEnd();
    this.#hooks.moved();
  }

  /** Who is at the end stays there, who reads elsewhere keeps the place. */
  #viewChanged(change: ViewChange): void {
    this.#scrollTopPx = this.#scroller.scrollTop;
    this.#held = undefined;
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

  /** Puts the rows in view, and those around it, into the document, measures those that are new, and stands them in place. */
  #layout(extent: 'view' | 'around'): void {
    const marginPx = extent === 'view' ? 0 : this.#view.heightPx;
    if (extent === 'view') this.#surround.set(surroundMs, () => this.#layout('around'));
    for (let pass = 0; pass < 6; pass += 1) {
      const first = this.#heights.indexAt(this.#reader.place - marginPx);
      const last = this.#heights.indexAt(this.#reader.place + this.#view.heightPx + marginPx);
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
    const home = this.#space.homeOf(place, this.#heights.total, this.#view.heightPx);
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
