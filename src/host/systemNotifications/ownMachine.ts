import * as vscode from 'vscode';

/**
 * Whether this extension runs on the machine of the person in front of the screen. In a browser, and on the remote side
 * of a remote window, it doesn't.
 */
export function runsOnOwnMachine({ extensionKind }: vscode.Extension<unknown>): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && extensionKind === vscode.ExtensionKind.UI;
}
