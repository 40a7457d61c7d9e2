import { ContextKeySetter } from '../host/contextKeySetter.ts';
import { showsAllEditorActions } from '../host/settings.ts';
import type { HostMessage } from '../shared/protocol/hostMessages.ts';
import { type Disposable, onDispose } from '../shared/lifecycle.ts';
import { sameSession, type SessionKey } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';

/** The places of a conversation whose title menus have commands: the side bar's view, and an editor tab. */
export const titleMenus = ['view', 'tab'] as const;
type TitleMenu = (typeof titleMenus)[number];

/** The page of a conversation. */
interface Page {
  readonly key: SessionKey | undefined;
  /** Whether the page only says that an editor tab shows its session. */
  readonly isInEditor: boolean;
  post(message: HostMessage): void;
}

/** The state of the side bar's `WebviewView` or, with `active`, of the `WebviewPanel` of a tab. */
interface Frame {
  readonly visible: boolean;
  readonly active?: boolean;
}

interface Shown {
  readonly page: Page;
  readonly frame: Frame;
}

/** How long a page may take to get the focus. It usually takes about 100 ms. */
const focusMs = 300;

/**
 * Determines the conversation that a command acts on if its argument names none: the one that has the focus or, if none
 * has it, the one used last. If the one used last is hidden, the command acts on the conversation in the active tab, or
 * else on any other visible one.
 */
export class ActiveConversation {
  readonly #store: Store;
  readonly #contexts = new ContextKeySetter();
  #shown: readonly Shown[] = [];
  #focused: Page | undefined;
  /** The page that should get the focus, and the timer that asks for it again. */
  #awaited: { readonly page: Page; readonly timer: NodeJS.Timeout } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Considers a page until the result is disposed. */
  add(page: Page, frame: Frame): Disposable {
    this.#shown = [...this.#shown, { page, frame }];
    return onDispose(() => {
      this.#shown = this.#shown.filter((shown) => shown.page !== page);
      if (this.#awaited?.page === page) this.#stopAwaiting();
      this.setFocused(page, false);
    });
  }

  /**
   * Calls `ask`, which asks VS Code to focus a page. Calls it again if a visible page doesn't get the focus in time: on
   * a busy machine, VS Code may focus only the frame around the page, and what the user types there is lost.
   */
  focus(page: Page, ask: () => void): void {
    const frame = this.#shown.find((shown) => shown.page === page)?.frame;
    const wasActive = frame?.active ?? false;
    this.#stopAwaiting();
    if (this.#focused !== page && frame?.visible === true) {
      const again = () => {
        if (this.#awaited !== awaited) return;
        this.#awaited = undefined;
        const isReplaced = wasActive && !(frame.active ?? false);
        if (frame.visible && !isReplaced) ask();
      };
      // After a long task, a timer runs before messages that came earlier, such as the one that reports that the page
      // got the focus.
      const timer = setTimeout(() => setTimeout(again), focusMs);
      const awaited = { page, timer };
      this.#awaited = awaited;
    }
    ask();
  }

  /** Records that a page gained or lost the focus. When the page gains it, its session becomes the current session. */
  setFocused(page: Page, isFocused: boolean): void {
    if (isFocused) this.#stopAwaiting();
    if (isFocused) this.#focused = page;
    else if (this.#focused === page) this.#focused = undefined;
    this.#contexts.set('lineside.isConversationFocused', this.#focused !== undefined);
    if (isFocused && page.key) this.#store.setCurrent(page.key);
  }

  /** The page of the active conversation. Undefined if no conversation is visible. */
  get page(): Page | undefined {
    // If a tab shows the session of the side bar, the side bar has no conversation.
    const visible = this.#shown.filter(({ page, frame }) => frame.visible && !page.isInEditor);
    const { current } = this.#store;
    const found =
      visible.find(({ page }) => page === this.#focused) ??
      visible.find(({ page }) => sameSession(page.key, current)) ??
      visible.find(({ frame }) => frame.active) ??
      visible[0];
    return found?.page;
  }

  /** The page that shows a session, visible or not. */
  pageOf(key: SessionKey): Page | undefined {
    return this.#shown.find(({ page }) => sameSession(page.key, key) && !page.isInEditor)?.page;
  }

  /**
   * The session that a command acts on: that of the active conversation or, if there is none or its session isn't in
   * the list, the current session. `menu`: the title menu in which the command was selected; the session is then the
   * one that is shown below this menu. Undefined if the session isn't in the list, or if it can't be determined which
   * tab has the menu.
   */
  key(menu?: TitleMenu): SessionKey | undefined {
    if (menu === 'tab') return this.#listed(this.#tabWithMenu()?.key);
    const active = menu === 'view' ? undefined : this.#listed(this.page?.key);
    return active ?? this.#listed(this.#store.current);
  }

  #stopAwaiting(): void {
    clearTimeout(this.#awaited?.timer);
    this.#awaited = undefined;
  }

  #listed(key: SessionKey | undefined): SessionKey | undefined {
    return key && this.#store.record(key) ? key : undefined;
  }

  /**
   * Determines the tab in whose title menu a command was selected. VS Code passes nothing that identifies the tab. Our
   * commands are in the part of the menu that VS Code shows only for the active editor, unless a setting makes VS Code
   * show it for every editor group.
   */
  #tabWithMenu(): Page | undefined {
    const visible = this.#shown.filter(({ frame }) => frame.active !== undefined && frame.visible);
    const [only] = visible;
    if (visible.length === 1) return only?.page;
    return showsAllEditorActions() ? undefined : visible.find(({ frame }) => frame.active)?.page;
  }
}
