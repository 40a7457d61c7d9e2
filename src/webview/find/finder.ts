import type { PageFind } from '../../shared/protocol/readingProtocol.ts';
import type { PageMessage } from '../../shared/protocol/pageMessages.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { FrameTask, Timer } from '../dom/timers.ts';
import type { ConversationRows } from '../rows/conversationRows.ts';
import type { Words } from '../strings.ts';
import { FindWidget, type FindInput } from './findWidget.ts';
import { Highlights } from './highlights.ts';

/** Typing on starts a new search; so long is waited for the next letter. */
const typingMs = 120;

/** Find in the conversation: the host searches, the page shows where. */
export class Finder implements Disposable {
  readonly widget: FindWidget;
  readonly #scroller: HTMLElement;
  readonly #rows: ConversationRows;
  readonly #post: (message: PageMessage) => void;
  readonly #highlights: Highlights;
  readonly #disposables = new Disposables();
  readonly #typing = this.#disposables.add(new Timer());
  /** The body that was waited for is drawn; once the list has settled, one can go there. */
  readonly #arrival = this.#disposables.add(
    new FrameTask(() => {
      if (this.#due) this.#goTo(this.#due);
    }),
  );
  #findId = 0;
  #source = '';
  /** Where to go once the row's body is there. */
  #due: PageFind['match'];
  #current: { readonly key: string; readonly range: Range } | undefined;

  constructor(words: Words, scroller: HTMLElement, rows: ConversationRows, post: (message: PageMessage) => void) {
    this.#scroller = scroller;
    this.#rows = rows;
    this.#post = post;
    this.#highlights = this.#disposables.add(new Highlights(scroller));
    const hooks = {
      changed: (input: FindInput) => this.#typing.set(input.text === '' ? 0 : typingMs, () => this.#start(input)),
      step: (by: 1 | -1) => this.#step(by),
      loadRest: () => post({ type: 'loadRest' }),
      close: () => this.close(),
    };
    this.widget = this.#disposables.add(new FindWidget(words, hooks));
  }

  /** Opens the widget; text selected in the conversation is looked for. */
  open(): void {
    const selection = document.getSelection();
    const isInside = selection && !selection.isCollapsed && this.#scroller.contains(selection.anchorNode);
    const text = isInside ? selection.toString().trim() : '';
    this.widget.open(text.includes('\n') ? '' : text.slice(0, 500));
  }

  close(): void {
    this.#forget();
    this.widget.hide();
    this.#post({ type: 'findStop' });
    this.#scroller.focus({ preventScroll: true });
  }

  /** Whether a key was meant for the search. */
  takesKey(event: KeyboardEvent): boolean {
    const isFind = event.code === 'KeyF' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const isNext = event.key === 'F3' && this.widget.isOpen;
    const isClose = event.key === 'Escape' && this.widget.isOpen && !isWriting(event.target);
    if (isFind) this.open();
    else if (isNext) this.#step(event.shiftKey ? -1 : 1);
    else if (isClose) this.close();
    return isFind || isNext || isClose;
  }

  /** The host has found something. */
  show(find: PageFind): void {
    if (find.findId !== this.#findId || !this.widget.isOpen) return;
    this.widget.show(find);
    const { pattern, match } = find;
    const source = pattern && find.count > 0 ? `/${pattern.source}/${pattern.flags}` : '';
    if (source !== this.#source) {
      this.#source = source;
      if (pattern && source !== '') this.#highlights.show(new RegExp(pattern.source, pattern.flags));
      else this.#highlights.clear();
    }
    if (!match) return;
    this.#due = match;
    this.widget.showLeftOut(
      match.block === undefined ? () => this.#post({ type: 'showAll', key: match.key }) : undefined,
    );
    this.#goTo(match);
  }

  /** A conversation is shown anew: the host searches again. */
  restart(): void {
    if (!this.widget.isOpen) return;
    this.#forget();
    this.#start(this.widget.input);
  }

  /** The rows in the document have changed. */
  moved(): void {
    if (this.#due && this.#bodyOf(this.#due.key)) this.#arrival.request();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #forget(): void {
    this.#findId += 1;
    this.#source = '';
    this.#due = undefined;
    this.#current = undefined;
    this.#highlights.clear();
    this.widget.showLeftOut(undefined);
  }

  #start({ text, isCase, isWord, isRegex }: FindInput): void {
    this.#findId += 1;
    this.#due = undefined;
    this.#highlights.setCurrent(undefined);
    const fromKey = this.#current?.key ?? this.#rows.position?.key;
    const from = fromKey === undefined ? {} : { fromKey };
    this.#post({ type: 'find', findId: this.#findId, text, isCase, isWord, isRegex, ...from });
  }

  #step(by: 1 | -1): void {
    this.#post({ type: 'findStep', findId: this.#findId, by });
  }

  /** Shows the match: its row, opened where it is folded, and the place in it; later if the body is still to come. */
  #goTo({ key, block, place }: NonNullable<PageFind['match']>): void {
    const body = this.#bodyOf(key) ?? this.#revealed(key);
    if (!body) return;
    this.#due = undefined;
    body.closest('article')?.classList.add('is-whole');
    const range = block === undefined ? cutLine(body) : this.#rangeIn(body.children[block] ?? body, place);
    if (!range) return;
    this.#current = { key, range };
    this.#highlights.setCurrent(range);
    this.#rows.showWithin(key, () => range.getBoundingClientRect(), this.widget.node.offsetHeight);
    scrollAside(range);
  }

  /** A match by its place in a block, whose folds are opened until it is there. */
  #rangeIn(part: Element, place: number): Range | undefined {
    let ranges = this.#highlights.rangesIn(part);
    for (let closed = closedFold(part); ranges.length <= place && closed; closed = closedFold(part)) {
      closed.click();
      ranges = this.#highlights.rangesIn(part);
    }
    return ranges[place] ?? ranges.at(-1);
  }

  #revealed(key: string): Element | undefined {
    this.#rows.reveal(key);
    return this.#bodyOf(key);
  }

  #bodyOf(key: string): Element | undefined {
    const row = this.#scroller.querySelector(`article[data-key="${CSS.escape(key)}"]`);
    return row?.querySelector('.row-body') ?? undefined;
  }
}

/** Scrolls what holds the range, such as long lines of code, sideways until it is in view there. */
function scrollAside(range: Range): void {
  for (let holder = range.startContainer.parentElement; holder; holder = holder.parentElement) {
    if (holder.classList.contains('row-body')) return;
    if (holder.scrollWidth <= holder.clientWidth + 1) continue;
    const [part, view] = [range.getBoundingClientRect(), holder.getBoundingClientRect()];
    if (part.left < view.left) holder.scrollLeft -= view.left - part.left + view.width / 3;
    else if (part.right > view.right) holder.scrollLeft += part.right - view.right + view.width / 3;
  }
}

/** Escape means the text there, and what is offered for it. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement;
}

/** The line that says how much of a message is not drawn. */
function cutLine(body: Element): Range | undefined {
  const line = body.parentElement?.querySelector('.row-cut bdi');
  if (!line) return undefined;
  const range = document.createRange();
  range.selectNodeContents(line);
  return range;
}

function closedFold(part: Element): HTMLElement | undefined {
  return part.querySelector<HTMLElement>('.fold-button[aria-expanded="false"]') ?? undefined;
}
