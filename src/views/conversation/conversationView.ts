import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { ConversationPage } from './conversationPage.ts';
import { pageHtml, pageOptions } from './pageResources.ts';
import { viewIds } from '../viewIds.ts';

/** Makes the page of a webview; the same for the side bar and for editor tabs. */
export type OpenPage = (webview: vscode.Webview) => ConversationPage;

export interface ConversationViewOptions {
  readonly store: Store;
  readonly extensionUri: vscode.Uri;
  readonly openPage: OpenPage;
  readonly watch: (key: SessionKey, wantsMessages: boolean) => Disposable;
}

/** The conversation in the side bar: it shows the current session. */
export class ConversationView implements vscode.WebviewViewProvider, Disposable {
  readonly #options: ConversationViewOptions;
  readonly #disposables = new Disposables();
  #page: ConversationPage | undefined;
  #view: vscode.WebviewView | undefined;
  #watching: { readonly key: SessionKey | undefined; readonly handle: Disposable } | undefined;
  #messageId: string | undefined;
  #wantsFocus = false;
  #isReplaced = false;

  constructor(options: ConversationViewOptions) {
    this.#options = options;
    this.#disposables.add(
      options.store.onDidChange((change) => {
        if (change.type === 'current' || change.type === 'sessionList') this.#follow();
        if (change.type === 'session') this.#describe();
      }),
    );
  }

  /** Undefined while the view was never shown. */
  get page(): ConversationPage | undefined {
    return this.#page;
  }

  /** Brings the view to the front, at a message of the current session if one is named; with `focus`, the composer. */
  async reveal(messageId?: string, focus = false): Promise<void> {
    this.#messageId = messageId;
    this.#wantsFocus = focus;
    if (this.#view && this.#page) {
      this.#view.show(!focus);
      this.#follow();
    } else await vscode.commands.executeCommand(`${viewIds.conversation}.focus`, { preserveFocus: !focus });
  }

  /** Called by the editor when the view is first shown, and again after it was moved. */
  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri, openPage } = this.#options;
    this.#page?.dispose();
    const page = openPage(view.webview);
    this.#view = view;
    this.#page = page;
    view.webview.options = pageOptions(extensionUri);
    const load = () => (view.webview.html = pageHtml(view.webview, extensionUri, 'view'));
    load();
    page.watchLife(load, () => void this.#replace());
    const expectRevival = () => {
      if (this.#isReplaced) page.expectRevival();
      this.#isReplaced = false;
    };
    expectRevival();
    const visibility = view.onDidChangeVisibility(() => {
      if (view.visible) expectRevival();
      else page.silence();
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
    page.sendAhead();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#watching?.handle.dispose();
    this.#page?.dispose();
  }

  /** Shows the current session and watches it while it can be seen. */
  #follow(): void {
    const { store, watch } = this.#options;
    const { current } = store;
    const seen = this.#view?.visible === true ? current : undefined;
    if (seen !== this.#watching?.key) {
      this.#watching?.handle.dispose();
      this.#watching = seen && { key: seen, handle: watch(seen, true) };
    }
    this.#page?.show(current, this.#messageId);
    this.#messageId = undefined;
    if (this.#wantsFocus && this.#page) this.#page.focusComposer();
    if (this.#page) this.#wantsFocus = false;
    this.#describe();
  }

  /** A view that is hidden and shown again is drawn anew, frame and all. */
  async #replace(): Promise<void> {
    this.#isReplaced = true;
    await vscode.commands.executeCommand(`${viewIds.conversation}.toggleVisibility`);
    await vscode.commands.executeCommand(`${viewIds.conversation}.focus`, { preserveFocus: true });
  }

  #describe(): void {
    if (!this.#view) return;
    const { store } = this.#options;
    const record = store.current && store.record(store.current);
    if (record) this.#view.description = sessionTitle(record);
    else delete this.#view.description;
  }
}
