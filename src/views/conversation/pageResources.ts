import * as vscode from 'vscode';
import { renderPageHtml, type PageHtmlParts } from './pageHtml.ts';

/** What a conversation page may do: run its script, and read nothing but the bundle's media folder (R2). */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [mediaFolder(extensionUri)],
  };
}

/** The page for a webview: the conversation, or another bundle of the media folder with a title of its own. */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  place: PageHtmlParts['place'],
  bundle: 'conversation' | 'usage' = 'conversation',
  title = vscode.l10n.t('Conversation'),
): string {
  const resource = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(mediaFolder(extensionUri), name)).toString();
  return renderPageHtml({
    cspSource: webview.cspSource,
    scriptUri: resource(`${bundle}.js`),
    styleUri: resource(`${bundle}.css`),
    language: vscode.env.language,
    title,
    place,
  });
}

function mediaFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'media');
}
