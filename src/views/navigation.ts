import type { SectionRow } from '../state/sessions/sessionTree.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';
import type { ActiveConversation } from './activeConversation.ts';
import type { MessagePlace } from './conversation/conversationRowModel.ts';
import type { ConversationEditors } from './conversation/conversationEditors.ts';
import type { ConversationView } from './conversation/conversationView.ts';
import type { Clicked } from './sessions/clickedRow.ts';
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
  readonly #active: ActiveConversation;
  readonly #views: OpenableViews;

  constructor(store: Store, active: ActiveConversation, views: OpenableViews) {
    this.#store = store;
    this.#active = active;
    this.#views = views;
  }

  /**
   * Makes a session the current one and shows its conversation: in its editor tab if it has one, and otherwise in the
   * side bar. Scrolls to `place` if it is given. With `focus`, focuses the composer.
   */
  async openConversation(key: SessionKey, place?: MessagePlace, focus?: boolean): Promise<void> {
    const { editors, conversation } = this.#views;
    this.#store.setCurrent(key);
    if (editors.pageOf(key)) editors.open(key, place, focus);
    else await conversation.reveal(place, focus);
  }

  /** Shows the active conversation and focuses its composer. */
  async focusComposer(): Promise<void> {
    // A page with the focus can show a session that isn't in the list.
    const key = this.#active.page?.key ?? this.#active.key();
    if (key) await this.openConversation(key, undefined, true);
    else await this.#views.conversation.reveal(undefined, true);
  }

  /** Moves a conversation to an editor tab. Scrolls to `place` if it is given. */
  openInEditor(key: SessionKey, place?: MessagePlace): void {
    this.#views.editors.open(key, place, true);
    this.#store.setCurrent(key);
  }

  /** Moves a conversation from its editor tab to the side bar. */
  async moveToSideBar(key: SessionKey): Promise<void> {
    await this.#views.editors.close(key);
    await this.openConversation(key, undefined, true);
  }

  /** Shows the token usage of a session in an editor tab. */
  openUsage(key: SessionKey): void {
    this.#views.usage.open(key);
  }

  /** Shows one more page of a session's messages in the tree. Returns whether they must be loaded from the service. */
  showOlder(key: SessionKey): boolean {
    return this.#views.sessions.showOlder(key);
  }

  /** The row of the tree that was clicked. Call this when its command is run. */
  clickedRow(): Promise<Clicked> {
    return this.#views.sessions.clickedRow();
  }

  /** Shows more sessions of a section in the tree, and focuses the first of them. */
  showMoreSessions(section: SectionRow): void {
    this.#views.sessions.showMoreSessions(section);
  }

  /** Shows more child sessions of a session in the tree. */
  showMoreChildren(key: SessionKey): void {
    this.#views.sessions.showMoreChildren(key);
  }
}
