import * as vscode from 'vscode';

/** The file of a tab; for a comparison, the modified file. Undefined for a tab without a file, such as a terminal. */
function uriOfTab({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) return input.modified;
  const hasUri =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook;
  return hasUri ? input.uri : undefined;
}

/**
 * The file of the active text editor or, if there is none, of the active tab, such as an image preview. Undefined if
 * neither has a file.
 */
export function activeUri(): vscode.Uri | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return vscode.window.activeTextEditor?.document.uri ?? (tab && uriOfTab(tab));
}

/** A file that is open in an editor. */
interface ShownEditor {
  readonly uri: vscode.Uri;
  readonly isDirty: boolean;
  readonly isActive: boolean;
}

/** All open files, each once, in tab order. */
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

/**
 * Closes the text editors of a document, in all groups. Other editors stay as they are. If the document has unsaved
 * changes, VS Code asks whether to save them. Resolves to whether the text editors were closed.
 */
export async function closeTabs(uri: vscode.Uri): Promise<boolean> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isOfDocument = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  return vscode.window.tabGroups.close(tabs.filter(isOfDocument));
}

/** Whether an editor has unsaved changes to this file. */
export function isShownDirty(uri: vscode.Uri): boolean {
  return shownEditors().some((editor) => editor.isDirty && editor.uri.toString() === uri.toString());
}

/**
 * The active text editor or, if there is none, a visible one; undefined if none is visible. A text editor stays active
 * when a view gets the focus, but not when an editor tab with a webview does.
 */
export function lastTextEditor(): vscode.TextEditor | undefined {
  return vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
}
