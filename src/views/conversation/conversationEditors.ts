import type * as vscode from 'vscode';
import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import { pageStateSchema } from '../../shared/protocol/pageMessages.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { ActiveConversation } from '../activeConversation.ts';
import type { MessagePlace } from './conversationRowModel.ts';
import type { ConversationPage } from './conversationPage.ts';
import type { ConversationProvider } from './pageWebview.ts';
import type { PageResources, TabOptions } from './pageResources.ts';
import type { PageWebview } from './pageWebview.ts';

/** The services that the side bar and the editor tabs need to show conversations. */
export interface PageHost {
  readonly store: Store;
  readonly resources: PageResources;
  readonly activeConversation: ActiveConversation;
  /** Creates the object that keeps the page of a webview up to date, and starts the window's services if necessary. */
  openPage(webview: PageWebview): ConversationPage;
  /**
   * Keeps a session up to date, and marks its messages as read while the window has the focus, until the handle is
   * disposed.
   */
  watch(key: SessionKey): Disposable;
}

/**
 * Shows conversations in editor tabs, one for each session. After a reload, restores each tab from the IDs that its
 * page saved (R6), when the tab first becomes visible.
 */
export class ConversationEditors implements ConversationProvider<vscode.WebviewPanel>, Disposable {
  readonly #host: PageHost;
  readonly #panels = new Map<string, { readonly panel: vscode.WebviewPanel; readonly page: ConversationPage }>();
  readonly #changes = new Emitter<void>();
  /** Fires when a tab is opened or closed. */
  readonly onDidChange = this.#changes.event;

  constructor(host: PageHost) {
    this.#host = host;
  }

  /**
   * Shows a session in its tab, and scrolls to `place` if it is given. Opens the tab if there is none; a new tab
   * always gets the focus. `focus` is whether the composer, and a tab that is already open, get the focus.
   */
  open(key: SessionKey, place?: MessagePlace, focus = false): void {
    const known = this.#panels.get(keyText(key));
    if (known && focus) this.#host.activeConversation.focus(known.page, () => known.panel.reveal(undefined, false));
    else known?.panel.reveal(undefined, true);
    const page = known?.page ?? this.#open(key);
    page.show(key, place);
    if (focus) page.focusComposer();
  }

  /** The page of the tab that shows a session; undefined if there is none. */
  pageOf(key: SessionKey): ConversationPage | undefined {
    return this.#panels.get(keyText(key))?.page;
  }

  /** Closes the tab of a session, if there is one. What was typed in it is saved first. */
  async close(key: SessionKey): Promise<void> {
    await this.pageOf(key)?.save();
    // A page that doesn't respond may have been replaced in the meantime.
    this.#panels.get(keyText(key))?.panel.dispose();
  }

  show(panel: vscode.WebviewPanel, page: PageWebview, state: unknown): void {
    const kept = pageStateSchema.safeParse(state);
    const { origin, sessionId } = kept.success ? kept.data : {};
    // Without the IDs, the session is unknown. An empty tab would be misleading, so close it.
    if (origin === undefined || sessionId === undefined) panel.dispose();
    // VS Code restores a hidden tab when it is shown. Until then, nothing says which session it has, so the session may
    // have been opened in a second tab. The tab that the user is looking at remains.
    else if (!panel.active && this.#panels.get(keyText({ origin, sessionId }))?.panel.active) panel.dispose();
    else {
      panel.iconPath = this.#host.resources.tabIcon;
      const shown = this.#adopt(panel, page, { origin, sessionId });
      if (kept.success) shown.expectPosition(kept.data);
      shown.show({ origin, sessionId });
    }
  }

  dispose(): void {
    for (const { page } of this.#panels.values()) page.dispose();
    this.#panels.clear();
    this.#changes.dispose();
  }

  /**
   * Replaces a tab whose frame doesn't respond with a new tab that shows the same session at the same scroll position.
   * The new tab doesn't take the focus, because the user may be typing elsewhere.
   */
  #replace({ viewColumn, title }: vscode.WebviewPanel, { anchor }: ConversationPage, key: SessionKey): void {
    // The new tab closes the old one. If the old tab were closed first, its editor group could be closed with it.
    const next = this.#open(key, { viewColumn, title, preserveFocus: true });
    next.show(key);
    if (anchor) next.revealRow(anchor);
    next.expectReload();
  }

  #open(key: SessionKey, options?: TabOptions): ConversationPage {
    const { panel, webview } = this.#host.resources.openTab(options);
    return this.#adopt(panel, webview, key);
  }

  #adopt(panel: vscode.WebviewPanel, webview: PageWebview, key: SessionKey): ConversationPage {
    const { store } = this.#host;
    const owned = new Disposables();
    const page = owned.add(this.#host.openPage(webview));
    owned.add(this.#host.activeConversation.add(page, panel));
    let watching: Disposable | undefined = this.#host.watch(key);
    owned.add({ dispose: () => watching?.dispose() });
    let wasActive = false;
    const retitle = () => {
      const record = store.record(key);
      // The tab of a session that was removed from the list keeps its title.
      if (record) panel.title = sessionTitle(record);
    };
    owned.add(store.onDidChange((change) => change.type === 'session' && retitle()));
    owned.add(
      panel.onDidChangeViewState(() => {
        if (panel.visible) watching ??= this.#host.watch(key);
        else {
          watching?.dispose();
          watching = undefined;
          page.onHidden();
        }
        // The store doesn't have the sessions of a service that isn't connected, so they can't become current.
        if (panel.active && !wasActive && store.record(key)) store.setCurrent(key);
        wasActive = panel.active;
      }),
    );
    const previous = this.#panels.get(keyText(key));
    this.#panels.set(keyText(key), { panel, page });
    previous?.panel.dispose();
    panel.onDidDispose(() => {
      if (this.#panels.get(keyText(key))?.panel === panel) this.#panels.delete(keyText(key));
      owned.dispose();
      this.#changes.fire();
    });
    this.#changes.fire();
    page.startHeartbeat({ reload: () => webview.reload(), replace: () => this.#replace(panel, page, key) });
    page.preload();
    retitle();
    return page;
  }
}
