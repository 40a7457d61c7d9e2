import type { PageBlock, PageRow } from '../../shared/protocol/rowTypes.ts';
import type { JumpTarget } from '../../shared/protocol/vocabulary.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import type { RowSource } from '../list/mountedRows.ts';
import { hasErrors } from './rowTable.ts';

interface JumpRows extends RowSource {
  readonly scroller: HTMLElement;
  body(key: string): PageRow | undefined;
  reveal(key: string): void;
  revealRange(key: string, range: Range, coveredPx: number): void;
  finishDrawing(part: Element): void;
}

/** Every target except prompts, which the table of rows knows, and bookmarks, which the host knows. */
type PartTarget = Exclude<JumpTarget, 'prompt' | 'bookmark'>;

/** The elements of a row that are targets. */
const selectors: Readonly<Record<PartTarget, string>> = {
  codeBlock: '.code-block pre',
  heading: '.row-body :is(h3, h4, h5, h6)',
  step: '.step-button, .fold[data-kind="toolUse"] > .fold-button',
  error: 'article.is-error, button:has(> .fold-error)',
};

/**
 * Whether a row may contain a target when it is drawn, including one in a list or a block quote. Drawing all rows to
 * look for targets would take too long.
 */
const mayHave: Readonly<Record<PartTarget, (row: PageRow) => boolean>> = {
  codeBlock: ({ blocks }) => blocks.some((block) => block.type === 'code' || matches(block, /`{3}|~{3}| {4}|\t/)),
  heading: ({ blocks }) =>
    blocks.some((block) => matches(block, /^[^A-Za-z_\r\n\u2028\u2029]*(?:#|[=-][^\S\r\n\u2028\u2029]*$)/m)),
  step: ({ blocks, steps }) =>
    steps !== undefined || blocks.some((block) => block.type === 'fold' && block.kind === 'toolUse'),
  error: hasErrors,
};

/**
 * `pattern` must take linear time, because the text is untrusted: no repetition in it may match a line
 * terminator of JavaScript (`\r`, `\n`, U+2028, or U+2029).
 */
function matches(block: PageBlock, pattern: RegExp): boolean {
  return block.type === 'markdown' && pattern.test(block.text);
}

/** Goes from part to part of the conversation. It covers all rows whose bodies have arrived, mounted or not. */
export class Jumps {
  readonly #rows: JumpRows;

  constructor(rows: JumpRows) {
    this.#rows = rows;
  }

  /**
   * Focuses the next target after the focus or, if no message has it, after the start of the viewport. With -1, the
   * previous one, before the focus or the end of the viewport. Returns its name, or undefined if there is none.
   */
  go(target: PartTarget, by: 1 | -1): string | undefined {
    const { scroller } = this.#rows;
    const { top, bottom } = scroller.getBoundingClientRect();
    const focused = scroller.contains(document.activeElement) ? document.activeElement : null;
    const inView = [...scroller.querySelectorAll<HTMLElement>('article')].filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    });
    const start = focused?.closest<HTMLElement>('article') ?? inView.at(by > 0 ? 0 : -1);
    const isAhead = (part: Element) => {
      if (focused && focused !== scroller) {
        const { DOCUMENT_POSITION_FOLLOWING, DOCUMENT_POSITION_PRECEDING } = Node;
        const wanted = by > 0 ? DOCUMENT_POSITION_FOLLOWING : DOCUMENT_POSITION_PRECEDING;
        return (focused.compareDocumentPosition(part) & wanted) !== 0;
      }
      return by > 0 ? part.getBoundingClientRect().top >= top : part.getBoundingClientRect().top < bottom;
    };
    let index = this.#rows.indexOf(start?.dataset['key'] ?? '');
    for (let isStart = true; index > 0 && index < this.#rows.count; index += by, isStart = false) {
      const parts = this.#partsOf(index, target).filter((part) => !isStart || isAhead(part));
      const part = parts.at(by > 0 ? 0 : -1);
      if (part) return this.show(this.#rows.keyAt(index) ?? '', part);
    }
    return undefined;
  }

  #partsOf(index: number, target: PartTarget): HTMLElement[] {
    const key = this.#rows.keyAt(index) ?? '';
    const row = this.#rows.body(key);
    if (!row || !mayHave[target](row)) return [];
    const node = this.#rows.draw(index);
    this.#rows.finishDrawing(node);
    if (!node.isConnected) this.#rows.undrawn(key);
    const parts = [...node.querySelectorAll<HTMLElement>(selectors[target])].filter(
      (part) => !part.closest('[hidden]'),
    );
    return node.matches(selectors[target]) ? [node, ...parts] : parts;
  }

  /** Scrolls to a part of the row with this key, or to the row itself, and focuses it. Returns its name. */
  show(key: string, part: HTMLElement): string {
    if (!part.isConnected) this.#rows.reveal(key);
    const range = document.createRange();
    range.selectNode(part);
    this.#rows.revealRange(key, range, 0);
    // Headings can't have the focus otherwise.
    if (part.tabIndex < 0) part.tabIndex = -1;
    part.focus({ preventScroll: true });
    const [line = ''] = (part.getAttribute('aria-label') ?? part.textContent).trim().split('\n', 1);
    return startOfText(line, 200);
  }
}
