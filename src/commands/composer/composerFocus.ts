import { ContextKeySetter } from '../../host/contextKeySetter.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';

/** Tracks the page whose composer has the focus, so that key bindings reach it. */
export class ComposerFocus {
  readonly #contexts = new ContextKeySetter();
  #page: ConversationPage | undefined;

  /** Records that the composer of a page gained or lost the focus. */
  take(page: ConversationPage, isFocused: boolean): void {
    if (isFocused) this.#page = page;
    else if (this.#page === page) this.#page = undefined;
    this.#contexts.set('lineside.isComposing', this.#page !== undefined);
  }

  /** Sends the message, or inserts a line break, in the focused composer. */
  press(press: 'send' | 'newline'): void {
    this.#page?.post({ type: 'composerKey', press });
  }
}
