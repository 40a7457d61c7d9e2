import { ContextKeySetter } from '../../host/contextKeys.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';

/** Knows in which page's composer the person writes, so that key bindings of theirs reach it. */
export class ComposerFocus {
  readonly #contexts = new ContextKeySetter();
  #page: ConversationPage | undefined;

  /** The composer of a page got the focus, or lost it. */
  take(page: ConversationPage, isFocused: boolean): void {
    if (isFocused) this.#page = page;
    else if (this.#page === page) this.#page = undefined;
    this.#contexts.set('sessionDeck.isComposing', this.#page !== undefined);
  }

  /** Presses Send or breaks the line in that composer; nothing where there is none. */
  press(press: 'send' | 'newline'): void {
    this.#page?.tell({ type: 'composerKey', press });
  }
}
