import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { ConversationPage } from './conversationPage.ts';
import { pageHtml, pageOptions } from './pageResources.ts';
import { viewIds } from '../viewIds.ts';

/** The services that the side bar and the editor tabs need to show conversations. */
export interface PageHost {
  readonly store: Store;
  readonly extensionUri: vscode.Uri;
  /** Creates the page of a webview. */
  openPage(webview: vscode.Webview): ConversationPage;
  /** Keeps a session up to date and marks new messages as read until the handle is disposed. */
  watch(key: SessionKey): Disposable;
}

/** The conversation in the side bar. It shows the current session. */
export class ConversationView implements vscode.WebviewViewProvider, Disposable {
  readonly #host: PageHost;
  readonly #disposables = new Disposables();
  #page: ConversationPage | undefined;
  #view: vscode.WebviewView | undefined;
  #watching: { readonly key: SessionKey | undefined; readonly handle: Disposable } | undefined;
  #messageId: string | undefined;
  #wantsFocus = false;
  #isReplaced = false;

  constructor(host: PageHost) {
    this.#host = host;
    this.#disposables.add(
      host.store.onDidChange((change) => {
        if (change.type === 'current' || change.type === 'sessionList') this.#follow();
        if (change.type === 'session') this.#describe();
      }),
    );
  }

  /** The page of the view. Undefined until the view is shown for the first time, and after the view is disposed. */
  get page(): ConversationPage | undefined {
    return this.#page;
  }

  /**
   * Shows the view and scrolls to `messageId`, a message of the current session. With `focus`, focuses the composer.
   */
  async reveal(messageId?: string, focus = false): Promise<void> {
    this.#messageId = messageId;
    this.#wantsFocus = focus;
    if (this.#view && this.#page) {
      this.#view.show(!focus);
      this.#follow();
    } else await vscode.commands.executeCommand(`${viewIds.conversation}.focus`, { preserveFocus: !focus });
  }

  /** Called by VS Code when the view is shown for the first time, and again after it was moved. */
  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri } = this.#host;
    this.#page?.dispose();
    const page = this.#host.openPage(view.webview);
    this.#view = view;
    this.#page = page;
    view.webview.options = pageOptions(extensionUri);
    const reload = () => (view.webview.html = pageHtml(view.webview, extensionUri, 'view'));
    reload();
    page.startHeartbeat({ reload, replace: () => void this.#replace() });
    this.#expectReload(page);
    const visibility = view.onDidChangeVisibility(() => {
      if (view.visible) this.#expectReload(page);
      else page.onHidden();
      this.#follow();
    });
    view.onDidDispose(() => {
      visibility.dispose();
      page.dispose();
      if (this.#page !== page) return;
      this.#page = undefined;
      this.#view = undefined;
      this.#follow();
    });
    this.#follow();
    page.preload();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#watching?.handle.dispose();
    this.#page?.dispose();
  }

  /** Shows the current session, and watches it while the view is visible. */
  #follow(): void {
    const { current } = this.#host.store;
    const visible = this.#view?.visible === true ? current : undefined;
    if (visible !== this.#watching?.key) {
      this.#watching?.handle.dispose();
      this.#watching = visible && { key: visible, handle: this.#host.watch(visible) };
    }
    this.#page?.show(current, this.#messageId);
    this.#messageId = undefined;
    if (this.#wantsFocus && this.#page) this.#page.focusComposer();
    if (this.#page) this.#wantsFocus = false;
    this.#describe();
  }

  /** Marks the page as the replacement of one that didn't respond, if the view was replaced for that reason. */
  #expectReload(page: ConversationPage): void {
    if (this.#isReplaced) page.expectReload();
    this.#isReplaced = false;
  }

  /** Hides and shows the view, because VS Code then creates a new frame. */
  async #replace(): Promise<void> {
    this.#isReplaced = true;
    await vscode.commands.executeCommand(`${viewIds.conversation}.toggleVisibility`);
    await vscode.commands.executeCommand(`${viewIds.conversation}.focus`, { preserveFocus: true });
  }

  #describe(): void {
    if (!this.#view) return;
    const { store } = this.#host;
    const record = store.current && store.record(store.current);
    if (record) this.#view.description = sessionTitle(record);
    else delete this.#view.description;
  }
}
