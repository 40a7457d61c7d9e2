import type * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import type { HostMessage } from '../../shared/protocol/hostMessages.ts';

/**
 * A webview with a page. The page starts to load when this object is created, often before anything listens to it, so
 * its messages are kept until there is a listener.
 */
export class PageWebview {
  readonly #webview: vscode.Webview;
  readonly #html: () => string;
  #early: unknown[] = [];
  readonly #keeping: Disposable;

  /** `html` renders the page. Each time, it must return a different text, or VS Code doesn't load the page again. */
  constructor(webview: vscode.Webview, options: vscode.WebviewOptions, html: () => string) {
    this.#webview = webview;
    this.#html = html;
    this.#keeping = webview.onDidReceiveMessage((message: unknown) => this.#early.push(message));
    webview.options = options;
    this.reload();
  }

  reload(): void {
    this.#webview.html = this.#html();
  }

  /** Resolves to whether the page received the message. */
  postMessage(message: HostMessage): PromiseLike<boolean> {
    return this.#webview.postMessage(message);
  }

  /**
   * Passes messages from the page to `listener` until disposed. The first listener also gets those that arrived
   * earlier, as soon as the calling code has finished.
   */
  onDidReceiveMessage(listener: (message: unknown) => void): Disposable {
    this.#keeping.dispose();
    const early = this.#early.splice(0);
    const own = new Disposables();
    own.add(this.#webview.onDidReceiveMessage(listener));
    queueMicrotask(() => {
      for (const message of early) if (!own.isDisposed) listener(message);
    });
    return own;
  }
}

/** Shows conversations in webviews whose pages are loading already. */
export interface ConversationProvider<View> {
  /** Called when VS Code shows the view, or restores the tab with the `state` that its page saved. */
  show(view: View, page: PageWebview, state?: unknown): void;
}
