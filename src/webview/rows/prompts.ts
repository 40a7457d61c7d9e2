import type { PageRow } from '../../shared/protocol/rowTypes.ts';
import { element, setAttribute, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { WindowedList } from '../list/windowedList.ts';
import type { Words } from '../strings.ts';
import type { RowTable } from './rowTable.ts';

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

/** Over the beginning of the list, in one line: the prompt that what is read belongs to. A press goes there. */
export class StickyPrompt {
  readonly node = element('button', { type: 'button', class: 'sticky-prompt', hidden: true });
  readonly #words: Words;
  readonly #text = element('bdi', { class: 'sticky-text' });
  #key: string | undefined;

  constructor(words: Words, goTo: (key: string) => void) {
    this.#words = words;
    this.node.append(icon('comment'), this.#text);
    this.node.addEventListener('click', () => {
      if (this.#key !== undefined) goTo(this.#key);
    });
  }

  /** Shows a prompt, or nothing. */
  show(row: PageRow | undefined): void {
    const line = row && promptLine(row);
    this.#key = row?.key;
    const isHidden = line === undefined || line === '';
    if (this.node.hidden !== isHidden) this.node.hidden = isHidden;
    if (isHidden) return;
    setText(this.#text, line);
    setAttribute(this.node, 'title', line);
    setAttribute(this.node, 'aria-label', this.#words.say('currentPrompt', line));
  }
}

/** The first words of a prompt, in one line and without the marks that such a line does not draw. */
export function promptLine({ blocks }: PageRow): string {
  for (const block of blocks) {
    if (block.type !== 'markdown') continue;
    const line = block.text
      .slice(0, 2_000)
      .split('\n')
      .find((part) => part.trim() !== '');
    if (line !== undefined) return withoutMarks(line).slice(0, 200);
  }
  return '';
}

function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+)+/, '')
    .replace(/(\*\*|`)(?=\S)(.+?)\1/g, '$2')
    .trim();
}
