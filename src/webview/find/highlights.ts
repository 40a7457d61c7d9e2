import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { RowRanges } from '../content/rowRanges.ts';
import { findRanges } from '../content/textRuns.ts';

const allName = 'lineside-match';
const currentName = 'lineside-match-current';

/** Highlights matches in the mounted rows without changing their nodes. */
export class Highlights implements Disposable {
  readonly #scroller: HTMLElement;
  readonly #disposables = new Disposables();
  readonly #ranges: RowRanges<readonly Range[]>;
  #expression: RegExp | undefined;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
    this.#ranges = this.#disposables.add(new RowRanges<readonly Range[]>(scroller, () => this.#mark()));
    this.#disposables.add({ dispose: () => this.clear() });
  }

  /** Highlights the matches of an expression, including those in rows that are mounted later. */
  show(expression: RegExp): void {
    this.#expression = expression;
    this.#ranges.restart();
    this.#mark();
  }

  /** Keeps what is highlighted, and no longer runs the expression. */
  pause(): void {
    this.#ranges.stop();
    this.#expression = undefined;
  }

  clear(): void {
    this.pause();
    CSS.highlights.delete(allName);
    CSS.highlights.delete(currentName);
  }

  get hasExpression(): boolean {
    return this.#expression !== undefined;
  }

  /** The matches in part of a row; none while there is no expression. */
  rangesIn(part: Element): readonly Range[] {
    return this.#expression ? findRanges(part, this.#expression) : [];
  }

  /** Highlights the current match; without a range, none. */
  setCurrent(range: Range | undefined): void {
    if (range) CSS.highlights.set(currentName, Object.assign(new Highlight(range), { priority: 1 }));
    else CSS.highlights.delete(currentName);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #mark(): void {
    if (!this.#expression) return;
    const all = new Highlight();
    for (const row of this.#scroller.querySelectorAll('article')) {
      const body = row.querySelector('.row-body');
      const ranges = this.#ranges.in(row, () => (body ? this.rangesIn(body) : []));
      for (const range of ranges) all.add(range);
    }
    CSS.highlights.set(allName, all);
  }
}
