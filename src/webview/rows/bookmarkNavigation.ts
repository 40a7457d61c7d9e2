import { defined } from '../../shared/defined.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { Announcer } from '../dom/announcer.ts';
import { FrameTask } from '../dom/timers.ts';
import type { HostChannel } from '../hostChannel.ts';
import type { Strings } from '../strings.ts';
import type { ConversationRows } from './conversationRows.ts';

/** Goes from bookmark to bookmark, also to messages that aren't loaded or are hidden. */
export class BookmarkNavigation implements Disposable {
  readonly #rows: ConversationRows;
  readonly #channel: HostChannel;
  readonly #announcer: Announcer;
  readonly #strings: Strings;
  /** Focuses the row after the list was laid out. */
  readonly #focusing = new FrameTask(() => this.#focus());
  /** The row to focus once it is drawn, unless the focus has moved by then. */
  #wanted: { readonly key: string; readonly focused: Element | null } | undefined;

  constructor(rows: ConversationRows, channel: HostChannel, announcer: Announcer, strings: Strings) {
    this.#rows = rows;
    this.#channel = channel;
    this.#announcer = announcer;
    this.#strings = strings;
  }

  /** Goes to the next bookmark or, with -1, to the previous one, and announces it. */
  async go(by: 1 | -1): Promise<void> {
    const found = await this.#channel.ask('getBookmark', { by, ...defined({ from: this.#origin(by) }) });
    if (!found) {
      this.#announcer.announce(this.#strings.get('noTarget'));
      return;
    }
    const { messageId, key, text } = found;
    this.#announcer.announce(this.#strings.get('bookmark', text));
    this.#wanted = { key, focused: document.activeElement };
    if (this.#rows.indexOf(key) >= 0) this.#rows.reveal(key);
    else this.#channel.post({ type: 'revealMessage', messageId });
  }

  /** Call this when the mounted rows have changed. */
  moved(): void {
    if (this.#wanted && this.#rows.body(this.#wanted.key)) this.#focusing.request();
  }

  dispose(): void {
    this.#focusing.dispose();
  }

  #focus(): void {
    const { key = '', focused } = this.#wanted ?? {};
    const row = this.#rows.mounted(key);
    if (!row) return;
    this.#wanted = undefined;
    // The list takes the focus of a row that it unmounts.
    const places = [focused, document.body, this.#rows.scroller];
    if (!places.some((place) => place === document.activeElement)) return;
    row.focus({ preventScroll: true });
    const head = row.querySelector('.row-head');
    if (!head) return;
    const range = document.createRange();
    range.selectNode(head);
    this.#rows.revealRange(key, range, 0);
  }

  /**
   * The key of the row that has the focus or, without one, of the row before the first that starts in the viewport; with
   * -1, of the row after the last one in the viewport.
   */
  #origin(by: 1 | -1): string | undefined {
    const { scroller } = this.#rows;
    const focused = scroller.contains(document.activeElement) ? document.activeElement?.closest('article') : undefined;
    if (focused) return focused.dataset['key'];
    const { top, bottom } = scroller.getBoundingClientRect();
    const rows = [...scroller.querySelectorAll<HTMLElement>('article')];
    const isAhead = (row: HTMLElement) => {
      const box = row.getBoundingClientRect();
      return by > 0 ? box.top >= top : box.top < bottom;
    };
    const first = by > 0 ? rows.find(isAhead) : rows.findLast(isAhead);
    const index = this.#rows.indexOf(first?.dataset['key'] ?? '') - by;
    return index > 0 ? this.#rows.keyAt(index) : undefined;
  }
}
