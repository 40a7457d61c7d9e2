import * as vscode from 'vscode';

/** The file behind a tab: of a comparison the right side, which is the newer one. */
export function uriOfTab({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) return input.modified;
  const hasUri =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook;
  return hasUri ? input.uri : undefined;
}

/** The file of the active tab, also where it is no text editor: a picture, for example. */
export function activeUri(): vscode.Uri | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return vscode.window.activeTextEditor?.document.uri ?? (tab && uriOfTab(tab));
}

/** A file that is open in some editor of the window. */
export interface ShownEditor {
  readonly uri: vscode.Uri;
  readonly isDirty: boolean;
  readonly isActive: boolean;
}

/** Every open file once, in the order of the tabs. */
export function shownEditors(): ShownEditor[] {
  const editors = new Map<string, ShownEditor>();
  for (const group of vscode.window.tabGroups.all) {
    for (const tab of group.tabs) {
      const uri = uriOfTab(tab);
      if (!uri) continue;
      const known = editors.get(uri.toString());
      const isActive = (tab.isActive && group.isActive) || known?.isActive === true;
      editors.set(uri.toString(), { uri, isDirty: tab.isDirty || known?.isDirty === true, isActive });
    }
  }
  return [...editors.values()];
}

/** Whether some editor has changes of this file that are not saved. */
export function isShownDirty(uri: vscode.Uri): boolean {
  return shownEditors().some((editor) => editor.isDirty && editor.uri.toString() === uri.toString());
}

/** The editor the person was in before a page took the focus; the editor still calls it active. */
export function lastTextEditor(): vscode.TextEditor | undefined {
  return vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
}
