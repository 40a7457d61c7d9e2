import type { AddedHeights, Heights } from './heights.ts';
import type { RowMetrics } from './viewport.ts';

/** What the windowed list asks about its rows. */
export interface RowSource {
  readonly count: number;
  keyAt(index: number): string | undefined;
  /** Where the row is, or -1. */
  indexOf(key: string): number;
  /** A guess at the height in px of a row that was never drawn. */
  estimatePx(index: number, metrics: RowMetrics): number;
  /** The row's element as it should be now; the same element for the same row as long as it can be kept. */
  draw(index: number): HTMLElement;
  /** The row has left the document. */
  undrawn(key: string): void;
  /** Whether the reading position may hang on this row. */
  canAnchor(index: number): boolean;
}

/** What the list tells its owner. */
export interface ListHooks {
  /** The rows in the document, the position or whether the end is followed may have changed. */
  readonly moved: () => void;
  /** Scrolling has come to rest, or the content has changed while at rest. */
  readonly settled: () => void;
}

/** Guesses at the heights in px of the rows from `from` to before `to`. */
export function estimateRows(source: RowSource, metrics: RowMetrics, from = 0, to = source.count): Float64Array {
  const estimates = new Float64Array(to - from);
  for (let index = from; index < to; index += 1) estimates[index - from] = source.estimatePx(index, metrics);
  return estimates;
}

/** Rows that stand one after the other. */
export interface RowRange {
  readonly index: number;
  readonly count: number;
}

/** Guesses at the heights in px of rows that come in. */
export function estimateRanges(source: RowSource, metrics: RowMetrics, ranges: readonly RowRange[]): AddedHeights[] {
  return ranges.map(({ index, count }) => ({ index, heights: estimateRows(source, metrics, index, index + count) }));
}

interface MountedRow {
  readonly key: string;
  element: HTMLElement;
  /** Whether the height is to be read before the next paint. */
  isUnmeasured: boolean;
  topPx: number;
}

/** The few rows that are in the document: puts them in, takes them out, measures and places them. */
export class MountedRows {
  readonly #canvas: HTMLElement;
  readonly #source: RowSource;
  readonly #observer: ResizeObserver;
  readonly #onFocusLost: () => void;
  #rows = new Map<string, MountedRow>();

  constructor(canvas: HTMLElement, source: RowSource, observer: ResizeObserver, onFocusLost: () => void) {
    this.#canvas = canvas;
    this.#source = source;
    this.#observer = observer;
    this.#onFocusLost = onFocusLost;
  }

  isMounted(key: string): boolean {
    return this.#rows.has(key);
  }

  /** Makes the document hold the rows from `first` to `last`, and those the person has selected text in. */
  show(first: number, last: number): void {
    const wanted = new Set<string>(this.#held());
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

  /** Draws a row again after its content changed; its height is read at the next `measure`. */
  redraw(key: string): void {
    const row = this.#rows.get(key);
    if (!row) return;
    const element = this.#source.draw(this.#source.indexOf(key));
    row.isUnmeasured = true;
    if (element === row.element) return;
    const hadFocus = row.element.contains(document.activeElement);
    this.#observer.unobserve(row.element);
    this.#observer.observe(element);
    row.element.replaceWith(element);
    row.element = element;
    row.topPx = Number.NaN;
    if (hadFocus) this.#onFocusLost();
  }

  /** Takes over the heights of rows that were not measured yet; answers whether any differed from what was known. */
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

  /** Takes over the heights an observer saw; answers the keys of the rows whose height is new. */
  takeSizes(entries: readonly ResizeObserverEntry[], heights: Heights): string[] {
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

  /** Writes where each row stands, given where the row of an index begins on the canvas. */
  place(topOf: (index: number) => number): void {
    for (const row of this.#rows.values()) {
      const topPx = topOf(this.#source.indexOf(row.key));
      if (topPx === row.topPx) continue;
      row.topPx = topPx;
      row.element.style.setProperty('top', `${topPx}px`);
    }
  }

  /** Every height is to be read again, for example because the width has changed. */
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
    if (hadFocus) this.#onFocusLost();
  }

  /** Rows at the ends of a text selection stay, or scrolling would undo the selection. */
  #held(): string[] {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed) return [];
    return [selection.anchorNode, selection.focusNode].flatMap((node) => {
      const holder = node instanceof Element ? node : node?.parentElement;
      const key = holder?.closest<HTMLElement>('[data-key]')?.dataset['key'];
      return key !== undefined && this.#rows.has(key) && this.#source.indexOf(key) >= 0 ? [key] : [];
    });
  }
}

/** Rows stand at whole px, so that nothing is blurred or moves by a rounding. */
function wholePx(height: number): number {
  return Math.ceil(height - 0.01);
}
