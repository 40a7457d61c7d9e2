import type * as vscode from 'vscode';

/**
 * The row that an accepted picker returns; undefined if no row is active. A picker that has no row to return stays open,
 * with the text in it.
 *
 * VS Code reports the active row after the text, so Enter can arrive before the active row of rows that were replaced
 * meanwhile. Then it is the first row that is shown whatever the text is.
 */
export function chosenRow<T extends vscode.QuickPickItem>({
  activeItems: [active],
  items,
}: Pick<vscode.QuickPick<T>, 'activeItems' | 'items'>): T | undefined {
  return active && items.includes(active) ? active : items.find(({ alwaysShow }) => alwaysShow === true);
}
