import type * as vscode from 'vscode';
import { Emitter } from '../../../src/shared/lifecycle.ts';

/** An editor tab with a webview, as VS Code passes it to an extension. It is visible until it is hidden or closed. */
export class FakePanel {
  title = '';
  iconPath: unknown;
  viewColumn = 1;
  isClosed = false;
  revealCount = 0;
  readonly webview: vscode.Webview;
  readonly #viewStates = new Emitter<void>();
  readonly #disposals = new Emitter<void>();
  #visible = true;
  #active: boolean;
  readonly onDidChangeViewState = this.#viewStates.event;
  readonly onDidDispose = this.#disposals.event;

  constructor(active: boolean, webview: Partial<vscode.Webview> = {}) {
    this.#active = active;
    this.webview = webview as vscode.Webview;
  }

  /** @throws Error if the tab is closed, as in VS Code. */
  get active(): boolean {
    this.#assertOpen();
    return this.#active;
  }

  /** @throws Error if the tab is closed, as in VS Code. */
  get visible(): boolean {
    this.#assertOpen();
    return this.#visible;
  }

  /** Reports a new state, even if it is the same. */
  setState(state: { readonly visible: boolean; readonly active: boolean }): void {
    this.#visible = state.visible;
    this.#active = state.active;
    this.#viewStates.fire();
  }

  reveal(): void {
    this.revealCount += 1;
  }

  dispose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#disposals.fire();
  }

  /** This panel as the type that the code under test expects. */
  get given(): vscode.WebviewPanel {
    return this as unknown as vscode.WebviewPanel;
  }

  #assertOpen(): void {
    if (this.isClosed) throw new Error('Webview is disposed');
  }
}
