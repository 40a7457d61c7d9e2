import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { pageStateSchema } from '../../shared/protocol/pageMessages.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { ConversationPage } from './conversationPage.ts';
import type { OpenPage } from './conversationView.ts';
import { pageHtml, pageOptions } from './pageResources.ts';
import { viewIds } from '../viewIds.ts';

export interface ConversationEditorsOptions {
  readonly store: Store;
  readonly extensionUri: vscode.Uri;
  readonly openPage: OpenPage;
  readonly watch: (key: SessionKey, wantsMessages: boolean) => Disposable;
}

/** Conversations in editor tabs: one for each session, restored after a reload by the ids the page kept (R6). */
export class ConversationEditors implements vscode.WebviewPanelSerializer, Disposable {
  readonly #options: ConversationEditorsOptions;
  readonly #panels = new Map<string, { readonly panel: vscode.WebviewPanel; readonly page: ConversationPage }>();

  constructor(options: ConversationEditorsOptions) {
    this.#options = options;
  }

  /** Shows a session in its tab, at a message if one is named; opens the tab where there is none. */
  open(key: SessionKey, messageId?: string): void {
    const known = this.#panels.get(keyText(key));
    if (known) known.panel.reveal();
    const page = known?.page ?? this.#adopt(this.#createPanel(), key);
    page.show(key, messageId);
  }

  /** The page of the tab that has the focus. */
  get activePage(): ConversationPage | undefined {
    return [...this.#panels.values()].find(({ panel }) => panel.active)?.page;
  }

  /** Called by the editor for each tab that was open before a reload. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = pageStateSchema.safeParse(state);
    const { origin, sessionId } = kept.success ? kept.data : {};
    // Without its ids a tab cannot say what it showed: an empty one would lie.
    if (origin === undefined || sessionId === undefined) panel.dispose();
    else this.#adopt(panel, { origin, sessionId }).show({ origin, sessionId });
    return Promise.resolve();
  }

  dispose(): void {
    for (const { page } of this.#panels.values()) page.dispose();
    this.#panels.clear();
  }

  /** A new tab in place of one whose frame is dead, at the message that was read there. */
  #replace(panel: vscode.WebviewPanel, page: ConversationPage, key: SessionKey): void {
    const { anchorKey } = page;
    const { viewColumn } = panel;
    panel.dispose();
    const next = this.#adopt(this.#createPanel(viewColumn), key);
    next.show(key, anchorKey);
    next.expectRevival();
  }

  #createPanel(viewColumn = vscode.ViewColumn.Active): vscode.WebviewPanel {
    const { extensionUri } = this.#options;
    return vscode.window.createWebviewPanel(viewIds.conversationEditor, '', viewColumn, pageOptions(extensionUri));
  }

  #adopt(panel: vscode.WebviewPanel, key: SessionKey): ConversationPage {
    const { store, extensionUri, openPage, watch } = this.#options;
    const owned = new Disposables();
    // First of all: the editor builds the page while everything else is made ready.
    const load = () => (panel.webview.html = pageHtml(panel.webview, extensionUri, 'editor'));
    panel.webview.options = pageOptions(extensionUri);
    load();
    const page = owned.add(openPage(panel.webview));
    let watching = watch(key, true);
    owned.add({ dispose: () => watching.dispose() });
    const retitle = () => {
      const record = store.record(key);
      // A session that left the deck keeps the title it had.
      if (record || panel.title === '') panel.title = record ? sessionTitle(record) : key.sessionId;
    };
    owned.add(store.onDidChange((change) => change.type === 'session' && retitle()));
    owned.add(
      panel.onDidChangeViewState(() => {
        watching.dispose();
        if (panel.visible) watching = watch(key, true);
        else page.silence();
        // A session of another service would leave the side bar with nothing to show.
        if (panel.active && store.record(key)) store.setCurrent(key);
      }),
    );
    this.#panels.set(keyText(key), { panel, page });
    panel.onDidDispose(() => {
      this.#panels.delete(keyText(key));
      owned.dispose();
    });
    panel.iconPath = new vscode.ThemeIcon('comment-discussion');
    page.watchLife(load, () => this.#replace(panel, page, key));
    page.sendAhead();
    retitle();
    return page;
  }
}
