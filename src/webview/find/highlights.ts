import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { FrameTask } from '../dom/timers.ts';
import { findRanges } from './textRuns.ts';

const allName = 'lineside-match';
const currentName = 'lineside-match-current';

/** Highlights matches in the mounted rows without changing their nodes. */
export class Highlights implements Disposable {
  readonly #scroller: HTMLElement;
  readonly #disposables = new Disposables();
  readonly #frame = this.#disposables.add(new FrameTask(() => this.#mark()));
  readonly #changes = new MutationObserver((records) => this.#changed(records));
  #ranges = new WeakMap<Element, readonly Range[]>();
  #expression: RegExp | undefined;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
    this.#disposables.add({ dispose: () => this.clear() });
  }

  /** Highlights the matches of an expression, also in rows that are mounted later. */
  show(expression: RegExp): void {
    this.#expression = expression;
    this.#ranges = new WeakMap();
    const options = {
      childList: true,
      characterData: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['hidden'],
    };
    this.#changes.observe(this.#scroller, options);
    this.#mark();
  }

  clear(): void {
    this.#changes.disconnect();
    this.#expression = undefined;
    CSS.highlights.delete(allName);
    CSS.highlights.delete(currentName);
  }

  /** The matches in part of a row. */
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

  #changed(records: readonly MutationRecord[]): void {
    for (const { target } of records) {
      const holder = target instanceof Element ? target : target.parentElement;
      const row = holder?.closest('article');
      if (row) this.#ranges.delete(row);
    }
    this.#frame.request();
  }

  #mark(): void {
    const all = new Highlight();
    for (const row of this.#scroller.querySelectorAll('article')) {
      const body = row.querySelector('.row-body');
      const ranges = this.#ranges.get(row) ?? (body ? this.rangesIn(body) : []);
      this.#ranges.set(row, ranges);
      for (const range of ranges) all.add(range);
    }
    if (this.#expression) CSS.highlights.set(allName, all);
  }
}
