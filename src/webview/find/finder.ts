import { defined } from '../../shared/defined.ts';
import type { PageFind } from '../../shared/protocol/pageModel.ts';
import { noteBlock } from '../../shared/protocol/vocabulary.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { letterOf } from '../dom/letterKeys.ts';
import { FrameTask, Timer } from '../dom/timers.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import type { ConversationRows } from '../rows/conversationRows.ts';
import type { Strings } from '../strings.ts';
import { type FindController, type FindInput, FindWidget } from './findWidget.ts';
import { Highlights } from './highlights.ts';

/** Delay after the last key before a search starts. */
const typingMs = 120;

/** Find in the conversation: the host searches all messages, and the page shows the matches. */
export class Finder implements FindController, Disposable {
  readonly widget: FindWidget;
  readonly #rows: ConversationRows;
  readonly #channel: SessionChannel;
  readonly #highlights: Highlights;
  readonly #disposables = new Disposables();
  readonly #typing = this.#disposables.add(new Timer());
  /** Goes to the pending match once its row has been drawn and the list has been laid out. */
  readonly #goToPending = this.#disposables.add(
    new FrameTask(() => {
      if (this.#pending) this.#goTo(this.#pending);
    }),
  );
  #findId = 0;
  /** Whether the search ended with a failure before it found anything. */
  #hasFailed = false;
  #source = '';
  /** The match to go to once the body of its row has arrived. */
  #pending: PageFind['match'];
  /** The current match, if the list was scrolled to it before there was an expression that highlights it. */
  #unmarked: PageFind['match'];
  #current: { readonly key: string; readonly range: Range } | undefined;

  constructor(strings: Strings, rows: ConversationRows, channel: SessionChannel) {
    this.#rows = rows;
    this.#channel = channel;
    this.#highlights = this.#disposables.add(new Highlights(rows.scroller));
    this.widget = this.#disposables.add(new FindWidget(strings, this));
  }

  search(input: FindInput): void {
    this.#typing.set(input.text === '' ? 0 : typingMs, () => this.#start(input));
  }

  step(by: 1 | -1): void {
    if (this.#typing.isSet || this.#hasFailed) {
      this.#typing.dispose();
      this.#start(this.widget.input);
    }
    this.#channel.post({ type: 'findStep', findId: this.#findId, by });
  }

  loadRest(): void {
    this.#channel.post({ type: 'loadRest' });
  }

  /**
   * Opens the widget, and searches for the text selected in the conversation if it is a single line, or else for the
   * last search text.
   */
  open(): void {
    const selection = document.getSelection();
    const isInside = selection && !selection.isCollapsed && this.#rows.scroller.contains(selection.anchorNode);
    const text = isInside ? selection.toString().trim() : '';
    this.widget.open(text.includes('\n') ? '' : text.slice(0, 500));
  }

  /** Closes the widget. The message with the current match gets the focus, or else the list. */
  close(): void {
    const row = this.#current && this.#rows.mounted(this.#current.key);
    this.#typing.dispose();
    this.#clear();
    this.widget.hide();
    this.#channel.post({ type: 'findStop' });
    (row ?? this.#rows.scroller).focus({ preventScroll: true });
  }

  /** Handles the keys of Find. Returns whether the pressed key is one of them. */
  takesKey(event: KeyboardEvent): boolean {
    const isFind = letterOf(event) === 'f' && hasFindModifier(event);
    const isNext = event.key === 'F3' && this.widget.isOpen;
    const isClose = event.key === 'Escape' && this.widget.isOpen && !isWriting(event.target);
    if (isFind) this.open();
    else if (isNext) this.step(event.shiftKey ? -1 : 1);
    else if (isClose) this.close();
    return isFind || isNext || isClose;
  }

  /** Shows the host's result and goes to the current match. */
  show(find: PageFind): void {
    if (find.findId !== this.#findId || !this.widget.isOpen) return;
    this.widget.show(find);
    this.#hasFailed = find.failure !== undefined && find.count === 0;
    const { pattern, match = this.#unmarked, matchKeys } = find;
    if (matchKeys) this.#rows.rail.showMatches(matchKeys);
    const source = pattern && find.count > 0 ? `/${pattern.source}/${pattern.flags}` : '';
    if (source !== this.#source) {
      this.#source = source;
      if (pattern && source !== '') this.#highlights.show(new RegExp(pattern.source, pattern.flags));
      else this.#highlights.pause();
    }
    if (source === '' && !find.isSearching) this.#highlights.clear();
    if (!match || (match === this.#unmarked && source === '')) return;
    this.#pending = match;
    this.#unmarked = undefined;
    const showAll = () => this.#channel.post({ type: 'showAll', key: match.key });
    if (match.block === noteBlock) this.widget.showHiddenMatch('matchInNote');
    else if (match.block === undefined) this.widget.showHiddenMatch('matchNotShown', showAll);
    else this.widget.showHiddenMatch();
    this.#goTo(match);
  }

  /** Call this after a conversation has been loaded. Searches again if the widget is open. */
  restart(): void {
    if (!this.widget.isOpen) return;
    this.#clear();
    this.#start(this.widget.input);
  }

  /** Call this when the mounted rows have changed. */
  moved(): void {
    if (this.#pending && this.#bodyOf(this.#pending.key)) this.#goToPending.request();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #clear(): void {
    this.#findId += 1;
    this.#rows.rail.showMatches([]);
    this.#source = '';
    this.#pending = undefined;
    this.#unmarked = undefined;
    this.#current = undefined;
    this.#highlights.clear();
    this.widget.showHiddenMatch();
  }

  #start({ text, isCase, isWord, isRegex }: FindInput): void {
    this.#findId += 1;
    this.#hasFailed = false;
    this.#pending = undefined;
    this.#unmarked = undefined;
    this.#highlights.setCurrent(undefined);
    this.widget.showHiddenMatch();
    if (isRegex) {
      this.#source = '';
      this.#highlights.clear();
    }
    const fromKey = this.#current?.key ?? this.#rows.position?.key;
    const input = { text, isCase, isWord, isRegex };
    this.#channel.post({ type: 'find', findId: this.#findId, ...input, ...defined({ fromKey }) });
  }

  /**
   * Shows a match: reveals its row, expands the folds around it, and scrolls to it. If the row has no body yet, this
   * happens when the body arrives. Without an expression, scrolls to the block.
   */
  #goTo({ key, block, place }: NonNullable<PageFind['match']>): void {
    const body = this.#bodyOf(key) ?? this.#revealed(key);
    if (!body) return;
    this.#pending = undefined;
    const isMarked = this.#highlights.hasExpression || block === undefined || block === noteBlock;
    this.#unmarked = isMarked ? undefined : { key, block, place };
    body.closest('article')?.classList.add('is-whole');
    const range =
      block === undefined
        ? rangeOf(body, '.row-cut bdi')
        : block === noteBlock
          ? rangeOf(body, '.row-bookmark')
          : isMarked
            ? this.#rangeIn(body.children[block] ?? body, place)
            : contentsOf(body.children[block] ?? body);
    if (!range) return;
    openDetails(range);
    this.#current = { key, range };
    this.#highlights.setCurrent(isMarked ? range : undefined);
    this.#rows.revealRange(key, range, this.widget.node.offsetHeight);
    scrollSideways(range);
  }

  /**
   * The range of a match by its index in a block, or else of the last match. Expands folds in the block until the match
   * is found.
   */
  #rangeIn(part: Element, place: number): Range | undefined {
    const find = () => {
      this.#rows.finishDrawing(part);
      return this.#highlights.rangesIn(part);
    };
    let ranges = find();
    for (let closed = closedFold(part); ranges.length <= place && closed; closed = closedFold(part)) {
      closed.click();
      ranges = find();
    }
    return ranges[place] ?? ranges.at(-1);
  }

  #revealed(key: string): Element | undefined {
    this.#rows.reveal(key);
    return this.#bodyOf(key);
  }

  #bodyOf(key: string): Element | undefined {
    return this.#rows.mounted(key)?.querySelector('.row-body') ?? undefined;
  }
}

/** Whether only the modifier of VS Code's Find is held. On macOS, Ctrl+F moves the caret. */
function hasFindModifier({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isMac = navigator.userAgent.includes('Macintosh');
  return ctrlKey === !isMac && metaKey === isMac && !altKey && !shiftKey;
}

/** Opens all closed `details` elements around a range. */
function openDetails({ startContainer }: Range): void {
  let closed = startContainer.parentElement?.closest('details:not([open])');
  while (closed instanceof HTMLDetailsElement) {
    closed.open = true;
    closed = closed.parentElement?.closest('details:not([open])');
  }
}

/** Scrolls the ancestors of the range horizontally until it is visible, for example in long lines of code. */
function scrollSideways(range: Range): void {
  for (let holder = range.startContainer.parentElement; holder; holder = holder.parentElement) {
    if (holder.classList.contains('row-body')) return;
    if (holder.scrollWidth <= holder.clientWidth + 1) continue;
    const [part, view] = [range.getBoundingClientRect(), holder.getBoundingClientRect()];
    if (part.left < view.left) holder.scrollLeft -= view.left - part.left + view.width / 3;
    else if (part.right > view.right) holder.scrollLeft += part.right - view.right + view.width / 3;
  }
}

/** Whether the target is a text area, which handles Escape itself, for example to close suggestions. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement;
}

/** The range of a part of the row around a body: the line that reports how much isn't drawn, or the bookmark. */
function rangeOf(body: Element, selector: string): Range | undefined {
  const part = body.parentElement?.querySelector(selector);
  return part ? contentsOf(part) : undefined;
}

function contentsOf(part: Element): Range {
  const range = document.createRange();
  range.selectNodeContents(part);
  return range;
}

function closedFold(part: Element): HTMLElement | undefined {
  return part.querySelector<HTMLElement>('.fold-button[aria-expanded="false"]') ?? undefined;
}
