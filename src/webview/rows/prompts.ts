import type { PageRow } from '../../shared/protocol/pageModel.ts';
import type { RowTable } from './rowTable.ts';
import type { WindowedList } from '../list/windowedList.ts';

/** The way from prompt to prompt, by what the list knows of all its rows. */
export class PromptSteps {
  readonly #list: WindowedList;
  readonly #table: RowTable;
  readonly #want: (key: string) => void;

  /** @param want asks for the body of a row that is not here. */
  constructor(list: WindowedList, table: RowTable, want: (key: string) => void) {
    this.#list = list;
    this.#table = table;
    this.#want = want;
  }

  /** The prompt that what is read belongs to, where it begins above the view; undefined until its body is there. */
  get current(): PageRow | undefined {
    const { top } = this.#list;
    const index = this.#table.promptFrom(top.index, -1);
    if (index <= 0 || !top.isCut(index)) return undefined;
    const key = this.#table.keyAt(index) ?? '';
    const row = this.#table.body(key);
    if (!row) this.#want(key);
    return row;
  }

  /** Goes to the prompt before or after what is at the top of the view; answers the prompt, if there is one. */
  go(by: 1 | -1): PageRow | undefined {
    const { index: top, isCut } = this.#list.top;
    const isPast = by > 0 || !isCut(top);
    const index = this.#table.promptFrom(isPast ? top + by : top, by);
    const key = index > 0 ? this.#table.keyAt(index) : undefined;
    if (key !== undefined) this.#list.reveal(key);
    else if (by > 0) this.#list.followEnd();
    return key === undefined ? undefined : this.#table.body(key);
  }
}
