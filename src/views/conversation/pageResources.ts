import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { type PageHtmlContent, renderPageHtml } from './pageHtml.ts';
import { PageWebview } from './pageWebview.ts';

/** The HTML and the permissions of the pages in the media folder. */
export class PageResources {
  readonly #mediaFolder: vscode.Uri;

  constructor(extensionUri: vscode.Uri) {
    this.#mediaFolder = vscode.Uri.joinPath(extensionUri, 'dist', 'media');
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

  /** Loads the conversation page in a webview. */
  loadConversation(webview: vscode.Webview, place: PageHtmlContent['place']): PageWebview {
    const { t } = vscode.l10n;
    return this.#load('conversation', t('Conversation'), webview, place);
  }

  /** Loads the page with token usage in a webview. */
  loadUsage(webview: vscode.Webview): PageWebview {
    const { t } = vscode.l10n;
    return this.#load('usage', t('Token usage'), webview, 'editor');
  }

  #load(bundle: string, title: string, webview: vscode.Webview, place: PageHtmlContent['place']): PageWebview {
    const mediaUri = webview.asWebviewUri(this.#mediaFolder).toString();
    const render = () =>
      renderPageHtml({
        cspSource: webview.cspSource,
        mediaUri,
        // The comment names the script in stack traces.
        script: `${this.#read(`${bundle}.js`)}\n//# sourceURL=${mediaUri}/${bundle}.js`,
        style: this.#read(`${bundle}.css`),
        language: vscode.l10n.bundle ? vscode.env.language : 'en',
        title,
        place,
      });
    return new PageWebview(webview, this.options, render);
  }

  #read(name: string): string {
    return readFileSync(vscode.Uri.joinPath(this.#mediaFolder, name).fsPath, 'utf8');
  }
}
