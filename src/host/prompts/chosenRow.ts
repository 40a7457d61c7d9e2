import type * as vscode from 'vscode';

/**
 * The row that an accepted picker returns: the active one or, if there is none, the first row with `alwaysShow`.
 * Undefined if there is neither; the picker should then stay open.
 *
 * VS Code reports the active row after the text. If rows are replaced when the text changes, Enter can arrive before VS
 * Code reports which of the new rows is active.
 */
export function chosenRow<T extends vscode.QuickPickItem>({
  activeItems: [active],
  items,
}: Pick<vscode.QuickPick<T>, 'activeItems' | 'items'>): T | undefined {
  return active && items.includes(active) ? active : items.find(({ alwaysShow }) => alwaysShow === true);
}
