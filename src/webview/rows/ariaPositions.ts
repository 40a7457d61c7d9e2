import { setAttribute } from '../dom/element.ts';
import type { OlderView } from './olderView.ts';
import type { RowTable } from './rowTable.ts';

/** Tells of each row in the document which one of all it is: who hears the page meets no more than those in view. */
export class AriaPositions {
  readonly #scroller: HTMLElement;
  readonly #table: RowTable;
  readonly #older: OlderView;
  /** Whether every message that is here has a row: a lens leaves out an unknown number of those that are not. */
  isWhole = true;
  /** How many rows of the conversation are still to come before those of the table. */
  earlierCount = 0;

  constructor(scroller: HTMLElement, table: RowTable, older: OlderView) {
    this.#scroller = scroller;
    this.#table = table;
    this.#older = older;
  }

  /**
   * Says the place of a row, 1 for the first, among all; where it is not known how many come before those that are
   * here, the place among these, and -1 for how many there are.
   */
  put(node: HTMLElement, index: number): void {
    const olderCount = this.isWhole || this.#older.count === 0 ? this.#older.count : undefined;
    const before = this.earlierCount + (olderCount ?? 0);
    setAttribute(node, 'aria-posinset', before + index);
    setAttribute(node, 'aria-setsize', olderCount === undefined ? -1 : before + this.#table.count - 1);
  }

  /** Says it anew of all rows. */
  putAll(): void {
    for (const node of this.#scroller.querySelectorAll<HTMLElement>('article[data-key]')) {
      this.put(node, this.#table.indexOf(node.dataset['key'] ?? ''));
    }
  }
}
