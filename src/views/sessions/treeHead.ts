import type * as vscode from 'vscode';

/** The parts of a tree view outside its rows. Empty strings aren't shown. */
export interface TreeHead {
  readonly message: string;
  /** Shown next to the title. */
  readonly description: string;
  readonly badge: vscode.ViewBadge;
}

/** Sets only the parts that changed, because VS Code redraws the header on every assignment. */
export function drawTreeHead(view: vscode.TreeView<unknown>, { message, description, badge }: TreeHead): void {
  if ((view.message ?? '') !== message) view.message = message;
  if ((view.description ?? '') !== description) view.description = description;
  if (view.badge?.value !== badge.value || view.badge.tooltip !== badge.tooltip) view.badge = badge;
}
