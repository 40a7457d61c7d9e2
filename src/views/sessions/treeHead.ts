import type * as vscode from 'vscode';

/** What stands around a tree; empty texts are not shown. */
export interface TreeHead {
  readonly message: string;
  /** Beside the title. */
  readonly description: string;
  readonly badge: vscode.ViewBadge;
}

/** Shows what has changed of it: VS Code draws a view's head anew for each word it is told. */
export function drawTreeHead(view: vscode.TreeView<unknown>, { message, description, badge }: TreeHead): void {
  if ((view.message ?? '') !== message) view.message = message;
  if ((view.description ?? '') !== description) view.description = description;
  if (view.badge?.value !== badge.value) view.badge = badge;
}
