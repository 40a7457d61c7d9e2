import * as vscode from 'vscode';
import type { Translate } from '../../shared/text.ts';
import { renderPageHtml, type PageHtmlContent } from './pageHtml.ts';

/** The permissions of a page: to run scripts, and to read the media folder of the bundle (R2). */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [mediaFolder(extensionUri)],
  };
}

/** The HTML of a page: the conversation, or another bundle of the media folder with its own title. */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  t: Translate,
  place: PageHtmlContent['place'],
  bundle: 'conversation' | 'usage' = 'conversation',
  title = t('Conversation'),
): string {
  const resource = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(mediaFolder(extensionUri), name)).toString();
  return renderPageHtml({
    cspSource: webview.cspSource,
    scriptUri: resource(`${bundle}.js`),
    styleUri: resource(`${bundle}.css`),
    language: t.formats.language,
    title,
    place,
  });
}

function mediaFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'media');
}
