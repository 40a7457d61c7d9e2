import { sameSession, type SessionKey } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';
import type { ConversationEditors } from './conversation/conversationEditors.ts';
import type { ConversationPage } from './conversation/conversationPage.ts';
import type { ConversationView } from './conversation/conversationView.ts';
import type { SessionsView } from './sessions/sessionsView.ts';
import type { UsagePages } from './usage/usagePages.ts';

/** The views that can be opened. */
interface OpenableViews {
  readonly sessions: SessionsView;
  readonly conversation: ConversationView;
  readonly editors: ConversationEditors;
  readonly usage: UsagePages;
}

/** Opens the window's views. */
export class Navigation {
  readonly #store: Store;
  readonly #views: OpenableViews;

  constructor(store: Store, views: OpenableViews) {
    this.#store = store;
    this.#views = views;
  }

  /** The page in the active editor tab, or else the one in the side bar. */
  get activePage(): ConversationPage | undefined {
    return this.#views.editors.activePage ?? this.#views.conversation.page;
  }

  /** Makes a session the current one and shows its conversation; with `focus`, focuses the composer. */
  async openConversation(key: SessionKey, messageId?: string, focus?: boolean): Promise<void> {
    this.#store.setCurrent(key);
    await this.#views.conversation.reveal(messageId, focus);
  }

  /** Shows a message on the active page if that shows the session, and otherwise in the side bar. */
  async showMessage(key: SessionKey, messageId: string): Promise<void> {
    const page = this.activePage;
    if (page && sameSession(page.key, key)) page.show(key, messageId);
    else await this.openConversation(key, messageId);
  }

  /** Shows a conversation in an editor tab, at a message if one is given. */
  openInEditor(key: SessionKey, messageId?: string): void {
    this.#views.editors.open(key, messageId);
  }

  /** Shows the token usage of a session in an editor tab. */
  openUsage(key: SessionKey): void {
    this.#views.usage.open(key);
  }

  /** Shows one more page of a session's messages in the tree. */
  showOlder(key: SessionKey): Promise<void> {
    return this.#views.sessions.showOlder(key);
  }

  /** Shows more child sessions of a session in the tree. */
  showMoreChildren(key: SessionKey): void {
    this.#views.sessions.showMoreChildren(key);
  }
}
