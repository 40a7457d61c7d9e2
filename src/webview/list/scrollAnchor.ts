import type { Heights } from './heights.ts';
import type { RowSource } from './mountedRows.ts';
import type { Viewport } from './viewport.ts';

/** Where the reader is: a row by its key, and how far its top is below the top of the view, in px. */
export interface ReadingPosition {
  readonly key: string;
  readonly offsetPx: number;
}

/**
 * The reading position when the view begins at `placePx`: the first row that begins in the view, or, if none does, the
 * row that fills it. So what grows above or within the first, cut row does not move the rows that are read.
 */
export function positionAt(
  heights: Heights,
  source: RowSource,
  placePx: number,
  viewPx: number,
): ReadingPosition | undefined {
  let index = heights.indexAt(placePx);
  if (index < 0) return undefined;
  const next = heights.topOf(index) < placePx ? index + 1 : index;
  if (next < heights.count && heights.topOf(next) < placePx + viewPx) index = next;
  while (index + 1 < heights.count && !source.canAnchor(index)) index += 1;
  const key = source.canAnchor(index) ? source.keyAt(index) : undefined;
  return key === undefined ? undefined : { key, offsetPx: heights.topOf(index) - placePx };
}

/**
 * The reading position once the rows at `removed` are gone, if it hangs on one of them: the next row that stays takes
 * its place, or, where none comes after, the one before.
 */
export function positionWithout(
  position: ReadingPosition,
  heights: Heights,
  source: RowSource,
  placePx: number,
  removed: ReadonlySet<number>,
): ReadingPosition | undefined {
  const index = source.indexOf(position.key);
  if (!removed.has(index)) return position;
  const stays = (at: number) => !removed.has(at) && source.canAnchor(at);
  let next = index + 1;
  while (next < source.count && !stays(next)) next += 1;
  const nextKey = source.keyAt(next);
  if (nextKey !== undefined) return { key: nextKey, offsetPx: Math.max(0, position.offsetPx) };
  let before = index - 1;
  while (before >= 0 && !stays(before)) before -= 1;
  const key = source.keyAt(before);
  return key === undefined ? undefined : { key, offsetPx: heights.topOf(before) - placePx };
}

/**
 * The reading position after text is set otherwise, which made its row `afterPx` high instead of `beforePx`. In a row
 * that begins above the view, the reader stays at the same share of it.
 */
export function positionResized(
  position: ReadingPosition | undefined,
  beforePx: number,
  afterPx: number,
): ReadingPosition | undefined {
  if (!position || position.offsetPx >= 0 || beforePx <= 0 || afterPx <= 0) return position;
  return { key: position.key, offsetPx: Math.round((position.offsetPx * afterPx) / beforePx) };
}

/** So close to the end counts as at the end, in px. */
const endSlackPx = 8;

/** Where the reader of a list is: at its end, which is followed, or at a row. Places are px from the list's beginning. */
export class Reader {
  readonly #heights: Heights;
  readonly #source: RowSource;
  readonly #view: Viewport;
  #isFollowing = true;
  #position: ReadingPosition | undefined;

  constructor(heights: Heights, source: RowSource, view: Viewport) {
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
