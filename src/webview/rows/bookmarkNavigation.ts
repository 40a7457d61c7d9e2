import { defined } from '../../shared/defined.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { Announcer } from '../dom/announcer.ts';
import { FrameTask } from '../dom/timers.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import type { Strings } from '../strings.ts';
import type { ConversationRows } from './conversationRows.ts';

/** Goes from bookmark to bookmark, including those of messages that aren't loaded or are hidden. */
export class BookmarkNavigation implements Disposable {
  readonly #rows: ConversationRows;
  readonly #channel: SessionChannel;
  readonly #announcer: Announcer;
  readonly #strings: Strings;
  /** Focuses the row after the list has been laid out. */
  readonly #focusing = new FrameTask(() => this.#focus());
  /** The row to focus once it is drawn, unless the focus has moved by then. */
  #wanted: { readonly key: string; readonly focused: Element | null } | undefined;

  constructor(rows: ConversationRows, channel: SessionChannel, announcer: Announcer, strings: Strings) {
    this.#rows = rows;
    this.#channel = channel;
    this.#announcer = announcer;
    this.#strings = strings;
  }

  /** Goes to the next bookmark or, with -1, to the previous one. Announces it, or that there is none. */
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

  /**
   * Focuses a row as soon as it is drawn, unless the focus has moved by then. If the row isn't in view, the caller or
   * the host must also scroll to it.
   */
  focus(key: string): void {
    this.#wanted = { key, focused: document.activeElement };
    this.moved();
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
    // When the list unmounts a row that has the focus, the scroller gets the focus.
    // A row that has the focus can be drawn as another element.
    const redrawn = focused instanceof HTMLElement ? this.#rows.mounted(focused.dataset['key'] ?? '') : undefined;
    const places = [focused, redrawn, document.body, this.#rows.scroller];
    if (!places.some((place) => place === document.activeElement)) return;
    this.#rows.jumps.show(key, row);
  }

  /** The key of the row that has the focus; without one, of the row next to the start of the viewport. */
  #origin(by: 1 | -1): string | undefined {
    const focused = this.#rows.scroller.querySelector<HTMLElement>('article:focus-within');
    return focused ? focused.dataset['key'] : this.#rows.keyBeside(by);
  }
}
