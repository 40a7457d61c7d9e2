import { setAttribute } from '../dom/element.ts';
import type { OlderView } from './olderView.ts';
import type { RowTable } from './rowTable.ts';

/** Sets `aria-posinset` and `aria-setsize` on rows, because screen readers only see the mounted rows. */
export class AriaPositions {
  readonly #scroller: HTMLElement;
  readonly #table: RowTable;
  readonly #older: OlderView;
  /** Whether every loaded message has a row. If not, the number of rows that older messages will have is unknown. */
  isWhole = true;
  /** Number of rows, possibly estimated, that the host hasn't sent yet and that come before those in the table. */
  earlierCount = 0;

  constructor(scroller: HTMLElement, table: RowTable, older: OlderView) {
    this.#scroller = scroller;
    this.#table = table;
    this.#older = older;
  }

  /**
   * Sets the one-based position of a row in the conversation. `index` is its index in the table, where 0 is the page's
   * own row above the messages. If the number of rows before the loaded ones is unknown, the position is relative to
   * the loaded rows and the set size is -1.
   */
  set(node: HTMLElement, index: number): void {
    const olderCount = this.isWhole || this.#older.count === 0 ? this.#older.count : undefined;
    const before = this.earlierCount + (olderCount ?? 0);
    setAttribute(node, 'aria-posinset', before + index);
    setAttribute(node, 'aria-setsize', olderCount === undefined ? -1 : before + this.#table.count - 1);
  }

  /** Updates all mounted rows. */
  setAll(): void {
    for (const node of this.#scroller.querySelectorAll<HTMLElement>('article[data-key]')) {
      this.set(node, this.#table.indexOf(node.dataset['key'] ?? ''));
    }
  }
}
