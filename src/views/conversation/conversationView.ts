import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { pageStateSchema } from '../../shared/protocol/pageMessages.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { ConversationEditors, PageHost } from './conversationEditors.ts';
import type { ConversationProvider } from './pageWebview.ts';
import type { MessagePlace } from './conversationRowModel.ts';
import type { ConversationPage } from './conversationPage.ts';
import type { PageWebview } from './pageWebview.ts';
import { viewIds } from '../viewIds.ts';

/**
 * The conversation in the side bar. It shows the current session. If the session is open in an editor tab, it says so
 * instead.
 */
export class ConversationView implements ConversationProvider<vscode.WebviewView>, Disposable {
  readonly #host: PageHost;
  readonly #editors: ConversationEditors;
  readonly #disposables = new Disposables();
  #page: ConversationPage | undefined;
  /** Disposes the page. */
  #owned = new Disposables();
  #view: vscode.WebviewView | undefined;
  #watching: { readonly key: SessionKey | undefined; readonly handle: Disposable } | undefined;
  #place: MessagePlace | undefined;
  #wantsFocus = false;
  #isReplaced = false;

  constructor(host: PageHost, editors: ConversationEditors) {
    this.#host = host;
    this.#editors = editors;
    this.#disposables.add(editors.onDidChange(() => this.#follow()));
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
   * Shows the view and scrolls to `place` in the current session. With `focus`, focuses the composer.
   */
  async reveal(place?: MessagePlace, focus = false): Promise<void> {
    this.#place = place;
    this.#wantsFocus = focus;
    const view = this.#view;
    if (view && this.#page) {
      if (focus) this.#host.activeConversation.focus(this.#page, () => view.show(false));
      else view.show(true);
      this.#follow();
    } else await vscode.commands.executeCommand(`${viewIds.conversation}.focus`, { preserveFocus: !focus });
  }

  /**
   * Called when VS Code shows the view for the first time, and again when it creates a new frame for the view: after
   * the view was moved, or was hidden as a whole and shown again. `state`: what its page saved.
   */
  show(view: vscode.WebviewView, webview: PageWebview, state: unknown): void {
    this.#owned.dispose();
    const owned = new Disposables();
    const page = owned.add(this.#host.openPage(webview));
    owned.add(this.#host.activeConversation.add(page, view));
    this.#owned = owned;
    const saved = pageStateSchema.safeParse(state);
    if (saved.success) page.expectPosition(saved.data);
    this.#view = view;
    this.#page = page;
    page.startHeartbeat({ reload: () => webview.reload(), replace: () => void this.#replace() });
    this.#expectReload(page);
    const visibility = view.onDidChangeVisibility(() => {
      if (view.visible) this.#expectReload(page);
      else page.onHidden();
      this.#follow();
    });
    view.onDidDispose(() => {
      visibility.dispose();
      owned.dispose();
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
    this.#owned.dispose();
  }

  /** Shows the current session, and watches it while the view is visible. */
  #follow(): void {
    const { current } = this.#host.store;
    const isInEditor = current !== undefined && this.#editors.pageOf(current) !== undefined;
    const visible = this.#view?.visible === true && !isInEditor ? current : undefined;
    if (visible !== this.#watching?.key) {
      this.#watching?.handle.dispose();
      this.#watching = visible && { key: visible, handle: this.#host.watch(visible) };
    }
    this.#page?.show(current, this.#place, isInEditor);
    if (this.#page) this.#place = undefined;
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
