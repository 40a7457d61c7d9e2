import type { MessageAction } from '../../shared/protocol/vocabulary.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import type { CommentStrip } from '../composer/commentStrip.ts';
import type { Announcer } from '../dom/announcer.ts';
import type { Strings } from '../strings.ts';
import { quoteOf, wholeQuote } from '../content/quotes.ts';

/** Holds a draft and can send it to the host immediately. */
interface DraftSource {
  flush(): void;
}

/**
 * Runs the actions of a message's menu. The page determines the selected text for comments and quotes; the host carries
 * out the actions.
 */
export class MessageActions {
  readonly #channel: SessionChannel;
  readonly #draft: DraftSource;
  readonly #comments: CommentStrip;
  readonly #announcer: Announcer;
  readonly #strings: Strings;
  /** The element of the page that had the focus last, for actions while another part of the window has the focus. */
  lastFocused: EventTarget | null = null;

  constructor(
    channel: SessionChannel,
    draft: DraftSource,
    comments: CommentStrip,
    announcer: Announcer,
    strings: Strings,
  ) {
    this.#channel = channel;
    this.#draft = draft;
    this.#comments = comments;
    this.#announcer = announcer;
    this.#strings = strings;
  }

  /**
   * Runs an action for the message of a row. Quoting uses the selected text of the message if the selection was started
   * in it, and otherwise the whole message. The draft is sent first, because the host inserts a quote at the draft's
   * caret.
   */
  run(key: string, action: MessageAction): void {
    const text = action === 'quote' ? selectedTextIn(key) : '';
    this.#draft.flush();
    const selected = text === '' ? {} : { text };
    this.#channel.post({ type: 'messageAction', action, key, ...selected });
  }

  /**
   * Adds a comment on the message of a row, or on the selected part of it. Without a key, on the message in which the
   * selection begins or, if nothing is selected, on the one that has or last had the focus. If there is none, announces
   * that text must be selected first.
   */
  comment(key?: string): void {
    const range = selectedRange();
    const row = key === undefined ? this.#meantRow(range) : rowWith(key);
    const body = row?.querySelector('.row-body');
    const rowKey = row?.dataset['key'];
    if (!body || rowKey === undefined) {
      this.#announcer.announce(this.#strings.get('nothingToComment'));
      return;
    }
    this.#comments.add(rowKey, (range && quoteOf(body, range)) ?? wholeQuote(body));
  }

  /**
   * Adds or removes the bookmark of the message in which the selection begins or, without a selection, of the message
   * that has or last had the focus. If there is none, announces that a message must be selected first.
   */
  toggleBookmark(): void {
    const row = this.#meantRow(selectedRange());
    const key = row?.matches('.is-steps') ? undefined : row?.dataset['key'];
    if (key === undefined) this.#announcer.announce(this.#strings.get('selectMessage'));
    else this.run(key, 'toggleBookmark');
  }

  /**
   * The row in which the range begins. If there is none, the row that has the focus, or had it when the page lost it.
   */
  #meantRow(range: Range | undefined): HTMLElement | undefined {
    return rowOf(range?.startContainer) ?? rowOf(document.hasFocus() ? document.activeElement : this.lastFocused);
  }
}

function selectedRange(): Range | undefined {
  const selection = document.getSelection();
  return selection?.isCollapsed === false ? selection.getRangeAt(0) : undefined;
}

function rowOf(node: EventTarget | null | undefined): HTMLElement | undefined {
  const holder = node instanceof Text ? node.parentElement : node instanceof Element ? node : undefined;
  return holder?.closest<HTMLElement>('article[data-key]') ?? undefined;
}

function rowWith(key: string): HTMLElement | undefined {
  return document.querySelector<HTMLElement>(`article[data-key="${CSS.escape(key)}"]`) ?? undefined;
}

function selectedTextIn(key: string): string {
  const selection = document.getSelection();
  const range = selectedRange();
  const row = rowOf(selection?.anchorNode);
  if (!selection || !range || row?.dataset['key'] !== key) return '';
  if (row.contains(range.commonAncestorContainer)) return selection.toString().trim();
  const body = row.querySelector('.row-body');
  return (body && quoteOf(body, range, Infinity)?.quote) ?? '';
}
