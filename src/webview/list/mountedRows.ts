import type { AddedHeights, Heights } from './heights.ts';
import type { LayoutObserver } from './layoutObserver.ts';
import type { RowMetrics } from './viewport.ts';

/** Provides the rows of a windowed list, and is notified when the list has changed. */
export interface RowSource {
  readonly count: number;
  keyAt(index: number): string | undefined;
  /** The index of the row, or -1. */
  indexOf(key: string): number;
  /** The estimated height of a row in px, which is used until the row is measured. */
  estimatePx(index: number, metrics: RowMetrics): number;
  /** Returns the row's up-to-date element, which should stay the same for the same row as long as possible. */
  draw(index: number): HTMLElement;
  /** Whether the row is in the document with all its content. Until then, it can still grow. */
  isDrawn(index: number): boolean;
  /** Called when a row has been removed from the document. */
  undrawn(key: string): void;
  /** Whether the scroll position may be anchored to this row. */
  canAnchor(index: number): boolean;
  /** Called when the mounted rows, the position, or the following of the end may have changed. */
  listMoved(): void;
  /** Called when scrolling has stopped, or when the content changed while the list wasn't scrolling. */
  listSettled(): void;
}

/** Consecutive rows: the index of the first one, and their number. */
export interface RowRange {
  readonly index: number;
  readonly count: number;
}

/** Estimated heights in px of the rows from `from` up to, but not including, `to`. */
export function estimateRows(source: RowSource, metrics: RowMetrics, from = 0, to = source.count): Float64Array {
  const estimates = new Float64Array(to - from);
  for (let index = from; index < to; index += 1) estimates[index - from] = source.estimatePx(index, metrics);
  return estimates;
}

/** Estimated heights in px of added rows. */
export function estimateRanges(source: RowSource, metrics: RowMetrics, ranges: readonly RowRange[]): AddedHeights[] {
  return ranges.map(({ index, count }) => ({ index, heights: estimateRows(source, metrics, index, index + count) }));
}

interface MountedRow {
  readonly key: string;
  element: HTMLElement;
  /** Whether the height must be read, because the row was drawn or its width changed after the height was last read. */
  isUnmeasured: boolean;
  topPx: number;
}

/** The few rows that are in the document: mounts, unmounts, measures, and positions them. */
export class MountedRows {
  readonly #scroller: HTMLElement;
  readonly #canvas: HTMLElement;
  readonly #source: RowSource;
  readonly #observer: LayoutObserver;
  #rows = new Map<string, MountedRow>();

  /** @param scroller gets the focus if it was in a row that is unmounted, or inside a row whose element is replaced. */
  constructor(scroller: HTMLElement, canvas: HTMLElement, source: RowSource, observer: LayoutObserver) {
    this.#scroller = scroller;
    this.#canvas = canvas;
    this.#source = source;
    this.#observer = observer;
  }

  /** Whether any row has been drawn since heights were read. Its height is then an estimate, or the previous one. */
  get areUnmeasured(): boolean {
    return [...this.#rows.values()].some((row) => row.isUnmeasured);
  }

  /** The element of the row, if it is in the document. */
  elementOf(key: string): HTMLElement | undefined {
    return this.#rows.get(key)?.element;
  }

  /**
   * Mounts the rows from `first` to `last` and those in which a text selection starts or ends, and unmounts all others.
   */
  show(first: number, last: number): void {
    const wanted = new Set<string>(this.#selected());
    for (let index = first; index <= last; index += 1) {
      const key = this.#source.keyAt(index);
      if (key !== undefined) wanted.add(key);
    }
    for (const key of [...this.#rows.keys()]) if (!wanted.has(key)) this.#unmount(key);
    const ordered = [...wanted].map((key) => ({ key, index: this.#source.indexOf(key) }));
    ordered.sort((a, b) => a.index - b.index);
    let cursor = this.#canvas.firstElementChild;
    for (const { key, index } of ordered) {
      const row = this.#rows.get(key) ?? this.#mount(key, index);
      if (cursor === row.element) cursor = cursor.nextElementSibling;
      else this.#canvas.insertBefore(row.element, cursor);
    }
  }

  /** Draws a row again after its content changed, or after it moved and its known height became an estimate. */
  redraw(key: string): void {
    const row = this.#rows.get(key);
    if (!row) return;
    const element = this.#source.draw(this.#source.indexOf(key));
    row.isUnmeasured = true;
    // A row that is observed again is reported even if it has the same size.
    this.#observer.unobserve(row.element);
    this.#observer.observe(element);
    if (element === row.element) return;
    const hadFocus = row.element.contains(document.activeElement);
    const next = row.element === document.activeElement ? element : this.#scroller;
    row.element.replaceWith(element);
    row.element = element;
    row.topPx = Number.NaN;
    if (hadFocus) next.focus({ preventScroll: true });
  }

  /**
   * Reads the heights of rows that have been drawn since they were last measured, which forces the browser to lay out
   * the page. Returns whether any differed from the known height.
   */
  measure(heights: Heights): boolean {
    let changed = false;
    for (const row of this.#rows.values()) {
      if (!row.isUnmeasured) continue;
      row.isUnmeasured = false;
      const index = this.#source.indexOf(row.key);
      const height = wholePx(row.element.getBoundingClientRect().height);
      if (heights.at(index) === height) continue;
      heights.set(index, height);
      changed = true;
    }
    return changed;
  }

  /**
   * Stores the heights that the observer reported, and marks all rows as measured. Returns the keys of the rows whose
   * height changed.
   */
  storeSizes(entries: readonly ResizeObserverEntry[], heights: Heights): string[] {
    // A row that isn't reported has the same size as before it was drawn again.
    for (const row of this.#rows.values()) row.isUnmeasured = false;
    const changed: string[] = [];
    for (const entry of entries) {
      const key = entry.target instanceof HTMLElement ? entry.target.dataset['key'] : undefined;
      const row = key === undefined ? undefined : this.#rows.get(key);
      if (row?.element !== entry.target) continue;
      const index = this.#source.indexOf(row.key);
      const height = wholePx(entry.borderBoxSize[0]?.blockSize ?? heights.at(index));
      if (heights.at(index) === height) continue;
      heights.set(index, height);
      changed.push(row.key);
    }
    return changed;
  }

  /** Positions each row. `topOf` returns the top of the row at an index, in px on the canvas. */
  place(topOf: (index: number) => number): void {
    for (const row of this.#rows.values()) {
      const topPx = topOf(this.#source.indexOf(row.key));
      if (topPx === row.topPx) continue;
      row.topPx = topPx;
      row.element.style.setProperty('top', `${topPx}px`);
    }
  }

  /** Makes the next `measure` read every height again, for example because the width changed. */
  forgetSizes(): void {
    for (const row of this.#rows.values()) row.isUnmeasured = true;
  }

  clear(): void {
    for (const key of [...this.#rows.keys()]) this.#unmount(key);
  }

  #mount(key: string, index: number): MountedRow {
    const element = this.#source.draw(index);
    element.dataset['key'] = key;
    const row = { key, element, isUnmeasured: true, topPx: Number.NaN };
    this.#rows.set(key, row);
    this.#observer.observe(element);
    return row;
  }

  #unmount(key: string): void {
    const row = this.#rows.get(key);
    if (!row) return;
    const hadFocus = row.element.contains(document.activeElement);
    this.#rows.delete(key);
    this.#observer.unobserve(row.element);
    row.element.remove();
    this.#source.undrawn(key);
    if (hadFocus) this.#scroller.focus({ preventScroll: true });
  }

  /**
   * The keys of the mounted rows in which a text selection starts or ends. They stay mounted, because unmounting them
   * would clear the selection.
   */
  #selected(): string[] {
    const selection = document.getSelection();
    // Without a selection, `isCollapsed` could still force a layout.
    if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return [];
    return [selection.anchorNode, selection.focusNode].flatMap((node) => {
      const holder = node instanceof Element ? node : node?.parentElement;
      const key = holder?.closest<HTMLElement>('[data-key]')?.dataset['key'];
      return key !== undefined && this.#rows.has(key) && this.#source.indexOf(key) >= 0 ? [key] : [];
    });
  }
}

/** Rounds a row height up to whole px, so that rows are not blurred or shifted. */
function wholePx(height: number): number {
  return Math.ceil(height - 0.01);
}
