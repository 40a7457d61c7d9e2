import { ContextKeySetter } from '../../host/contextKeySetter.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';

/** Tracks the page that has the focus, or the one whose composer has it, so that key bindings reach that page. */
export class PageFocus {
  readonly #contexts = new ContextKeySetter();
  readonly #key: 'lineside.isComposing' | 'lineside.isConversationFocused';
  #page: ConversationPage | undefined;

  /** @param key the context key that is set while a page has the focus. */
  constructor(key: 'lineside.isComposing' | 'lineside.isConversationFocused') {
    this.#key = key;
  }

  /** Records that a page, or its composer, gained or lost the focus. */
  take(page: ConversationPage, isFocused: boolean): void {
    if (isFocused) this.#page = page;
    else if (this.#page === page) this.#page = undefined;
    this.#contexts.set(this.#key, this.#page !== undefined);
  }

  /** Sends the message, or inserts a line break, in the focused composer. */
  press(press: 'send' | 'newline'): void {
    this.#page?.post({ type: 'composerKey', press });
  }
}
