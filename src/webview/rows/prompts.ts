import type { PageRow } from '../../shared/protocol/rowTypes.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { element, setAttribute, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { WindowedList } from '../list/windowedList.ts';
import type { Strings } from '../strings.ts';
import type { RowRequester } from './rowRequester.ts';
import type { RowTable } from './rowTable.ts';

/** The approximate height in px of each line above a prompt in its row: the day, and the divider of new messages. */
const placeLinePx = 32;
/** The approximate height in px of the line that shows the current prompt over the start of the list. */
const stickyPx = 32;

/** Navigation from prompt to prompt. It covers all rows of the list, mounted or not. */
export class PromptNavigation {
  readonly #list: WindowedList;
  readonly #table: RowTable;
  readonly #requester: RowRequester;

  constructor(list: WindowedList, table: RowTable, requester: RowRequester) {
    this.#list = list;
    this.#table = table;
    this.#requester = requester;
  }

  /**
   * The prompt of the turn being read, if the prompt starts above the viewport. Undefined while the line that shows it
   * would cover the next prompt, and until its body has arrived, which this getter requests.
   */
  get current(): PageRow | undefined {
    const index = this.#table.promptFrom(this.#list.indexBelow(stickyPx), -1);
    const key = this.#table.keyAt(index) ?? '';
    const row = this.#table.body(key);
    const { startsDay, newSince } = row?.place ?? {};
    const leadPx = (startsDay ? placeLinePx : 0) + (newSince === undefined ? 0 : placeLinePx);
    if (index <= 0 || !this.#list.startsAbove(index, leadPx)) return undefined;
    if (!row) this.#requester.request(key);
    return row;
  }

  /**
   * Scrolls to the previous or next prompt, or to the end after the last one. Starts at the row `fromKey` or, without
   * one, at the start of the viewport. Returns the key of the prompt; undefined if there is none.
   */
  go(by: 1 | -1, fromKey?: string): string | undefined {
    const { topIndex } = this.#list;
    const from = fromKey === undefined ? -1 : this.#table.indexOf(fromKey);
    const isPast = from >= 0 || by > 0 || !this.#list.startsAbove(topIndex);
    const start = from >= 0 ? from : topIndex;
    const index = this.#table.promptFrom(isPast ? start + by : start, by);
    const key = index > 0 ? this.#table.keyAt(index) : undefined;
    if (key !== undefined) this.#list.reveal(key);
    else if (by > 0) this.#list.followEnd();
    return key;
  }
}

/** A button over the start of the list: one line with the prompt of the turn being read. A click scrolls to it. */
export class StickyPrompt {
  readonly node = element('button', { type: 'button', class: 'sticky-prompt', hidden: true });
  readonly #strings: Strings;
  readonly #text = element('bdi', { class: 'sticky-text' });
  #key: string | undefined;

  constructor(strings: Strings, goTo: (key: string) => void) {
    this.#strings = strings;
    this.node.append(icon('comment'), this.#text);
    this.node.addEventListener('click', () => {
      if (this.#key !== undefined) goTo(this.#key);
    });
  }

  /** Shows a prompt or, without one, hides the button. */
  show(row: PageRow | undefined): void {
    const line = row && promptLine(row);
    this.#key = row?.key;
    const isHidden = line === undefined || line === '';
    if (this.node.hidden !== isHidden) this.node.hidden = isHidden;
    if (isHidden) return;
    setText(this.#text, line);
    setAttribute(this.node, 'title', line);
    setAttribute(this.node, 'aria-label', this.#strings.get('currentPrompt', line));
  }
}

/**
 * The first line outside quotes in a prompt, or else its first line, without Markdown syntax; the name of a file if the
 * file comes first. Empty if there is neither. At most 200 characters of the line.
 */
export function promptLine({ blocks }: PageRow): string {
  for (const block of blocks) {
    if (block.type === 'file') return block.name;
    if (block.type !== 'markdown') continue;
    const lines = block.text.slice(0, 2_000).split('\n');
    // A quote at the start, for example that of a comment, isn't what the prompt says.
    const own = lines.filter((part) => !part.startsWith('>')).map(withoutSyntax);
    const line = [...own, ...lines.map(withoutSyntax)].find((part) => part !== '');
    if (line !== undefined) return startOfText(line, 200);
  }
  return '';
}

function withoutSyntax(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|```.*$)+/, '')
    .replace(/(\*\*|`)(?=\S)(.+?)\1/g, '$2')
    .trim();
}
