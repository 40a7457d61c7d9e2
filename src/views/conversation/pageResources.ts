import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type Disposable, Emitter, onDispose } from '../../shared/lifecycle.ts';
import { viewIds } from '../viewIds.ts';
import { type PageHtmlContent, renderPageHtml } from './pageHtml.ts';
import { PageWebview } from './pageWebview.ts';

/** How long to wait for VS Code to ask for the content of a view, which it doesn't do if the view has its page. */
const viewDelayMs = 200;

/**
 * Where to open a tab (by default, in the active editor group), what to call it, and whether the focus stays where it
 * is.
 */
export interface TabOptions {
  readonly viewColumn?: vscode.ViewColumn | undefined;
  readonly title?: string;
  readonly preserveFocus?: boolean;
}

/** An editor tab whose conversation page is loading. */
export interface ConversationTab {
  readonly panel: vscode.WebviewPanel;
  readonly webview: PageWebview;
}

/** Loads the pages in the media folder, with their HTML and permissions, and opens tabs for conversations. */
export class PageResources {
  readonly #mediaFolder: vscode.Uri;
  /** Fires when the page of the Conversation view starts to load. */
  readonly #viewLoading = new Emitter<void>();
  #preparedTab: ConversationTab | undefined;

  constructor(extensionUri: vscode.Uri) {
    this.#mediaFolder = vscode.Uri.joinPath(extensionUri, 'dist', 'media');
  }

  /**
   * Loads the page for the conversation that a command opens, before the code that runs the command is loaded. Resolves
   * to a handle if it opened a tab. Dispose of the handle after the command, to close the tab if the command didn't use
   * it.
   */
  async showBefore(command: string, [argument]: readonly unknown[]): Promise<Disposable | undefined> {
    if (!namesSession(argument)) return undefined;
    if (command === 'openConversationInEditor') return this.#preparedTab ? undefined : this.#prepareTab();
    if (command === 'openConversation') {
      const loading = new Promise<void>((resolve) => this.#viewLoading.event(resolve));
      await vscode.commands.executeCommand(`${viewIds.conversation}.focus`, { preserveFocus: true });
      await Promise.race([loading, wait(viewDelayMs)]);
    }
    return undefined;
  }

  /** Opens a tab, or returns the one that {@link showBefore} opened. In that case, the options are ignored. */
  openTab(options: TabOptions = {}): ConversationTab {
    const tab = this.#preparedTab ?? this.#openTab(options);
    this.#preparedTab = undefined;
    return tab;
  }

  /** The permissions of a page: to run scripts, and to read the media folder (R2). */
  get options(): vscode.WebviewOptions {
    return {
      enableScripts: true,
      enableForms: false,
      enableCommandUris: false,
      localResourceRoots: [this.#mediaFolder],
    };
  }

  /** The icon of a tab with a conversation. */
  get tabIcon(): vscode.ThemeIcon {
    return new vscode.ThemeIcon('comment-discussion');
  }

  /** Loads the conversation page in a webview. */
  loadConversation(webview: vscode.Webview, place: PageHtmlContent['place']): PageWebview {
    const { t } = vscode.l10n;
    if (place === 'view') this.#viewLoading.fire();
    return this.#load('conversation', t('Conversation'), webview, place);
  }

  /** Loads the page with token usage in a webview. */
  loadUsage(webview: vscode.Webview): PageWebview {
    const { t } = vscode.l10n;
    return this.#load('usage', t('Token usage'), webview, 'editor');
  }

  /** Opens a tab in the active editor group, which the next {@link openTab} returns. */
  #prepareTab(): Disposable {
    const tab = this.#openTab({});
    const forget = () => {
      if (this.#preparedTab === tab) this.#preparedTab = undefined;
    };
    this.#preparedTab = tab;
    tab.panel.onDidDispose(forget);
    return onDispose(() => {
      if (this.#preparedTab === tab) tab.panel.dispose();
    });
  }

  #openTab({
    viewColumn = vscode.ViewColumn.Active,
    title = vscode.l10n.t('Conversation'),
    preserveFocus = false,
  }: TabOptions): ConversationTab {
    const place = { viewColumn, preserveFocus };
    const panel = vscode.window.createWebviewPanel(viewIds.conversationEditor, title, place, this.options);
    panel.iconPath = this.tabIcon;
    return { panel, webview: this.loadConversation(panel.webview, 'editor') };
  }

  #load(bundle: string, title: string, webview: vscode.Webview, place: PageHtmlContent['place']): PageWebview {
    const mediaUri = webview.asWebviewUri(this.#mediaFolder).toString();
    const render = () =>
      renderPageHtml({
        cspSource: webview.cspSource,
        mediaUri,
        scriptUri: `${mediaUri}/${bundle}.js`,
        style: readFileSync(vscode.Uri.joinPath(this.#mediaFolder, `${bundle}.css`).fsPath, 'utf8'),
        language: vscode.l10n.bundle ? vscode.env.language : 'en',
        title,
        place,
      });
    return new PageWebview(webview, this.options, render);
  }
}

/** Whether a command's argument names a session, so the command doesn't ask for one. */
function namesSession(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && 'sessionId' in argument;
}
