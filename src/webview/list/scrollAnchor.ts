import type { Heights } from './heights.ts';
import { positionAt, positionResized, positionWithout, type ReadingPosition } from './readingPosition.ts';
import type { RowSource } from './rowSource.ts';
import type { ViewBox } from './viewport.ts';

/** So close to the end counts as at the end, in px. */
const endSlackPx = 8;

/** Where the reader of a list is: at its end, which is followed, or at a row. Places are px from the list's beginning. */
export class Reader {
  readonly #heights: Heights;
  readonly #source: RowSource;
  readonly #view: ViewBox;
  #isFollowing = true;
  #position: ReadingPosition | undefined;

  constructor(heights: Heights, source: RowSource, view: ViewBox) {
    this.#heights = heights;
    this.#source = source;
    this.#view = view;
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Absent in an empty list. */
  get position(): ReadingPosition | undefined {
    return this.#position;
  }

  /** Where the view has to begin for the reader to be where they are. */
  get place(): number {
    const end = Math.max(0, this.#heights.total - this.#view.heightPx);
    if (this.#isFollowing || !this.#position) return end;
    const place = this.#heights.topOf(this.#source.indexOf(this.#position.key)) - this.#position.offsetPx;
    return Math.min(end, Math.max(0, place));
  }

  /** The reader goes to a position, or, without one, to the end. */
  goTo(position: ReadingPosition | undefined): void {
    this.#isFollowing = !position;
    this.#position = position;
  }

  /** The reader has scrolled to where the view begins at `placePx`. */
  scrolledTo(placePx: number): void {
    this.#isFollowing = this.#isAtEnd(placePx);
    this.#hangOn(placePx);
  }

  /** Hangs on what is in view now, unless at the end, or where nothing was in view yet. */
  settle(): void {
    if (!this.#isFollowing && this.#view.isKnown) this.#hangOn(this.place);
  }

  stopFollowing(placePx: number): void {
    this.#isFollowing = false;
    this.#hangOn(placePx);
  }

  /** Follows the end again if it is in view. */
  followIfAtEnd(): void {
    this.#isFollowing = this.#isAtEnd(this.place);
  }

  /** These rows are about to go: if the reader hangs on one, its neighbour takes over. */
  removing(removed: ReadonlySet<number>, placePx: number): void {
    if (this.#position) {
      this.#position = positionWithout(this.#position, this.#heights, this.#source, placePx, removed);
    }
  }

  /** Runs `change`, which sets all text anew; who is in the midst of a row stays at the same share of it. */
  throughNewHeights(change: () => void): void {
    const index = this.#source.indexOf(this.#position?.key ?? '');
    const beforePx = this.#heights.at(index);
    change();
    this.#position = positionResized(this.#position, beforePx, this.#heights.at(index));
  }

  #isAtEnd(placePx: number): boolean {
    return this.#heights.total - placePx - this.#view.heightPx <= endSlackPx;
  }

  #hangOn(placePx: number): void {
    this.#position = positionAt(this.#heights, this.#source, placePx, this.#view.heightPx);
  }
}
