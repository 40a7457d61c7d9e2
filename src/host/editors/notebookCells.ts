import * as vscode from 'vscode';
import { type PickedContent, contentOfText } from './pickedContent.ts';
import { outputsText } from './notebookOutputs.ts';
import { baseName, workspacePath } from '../files/workspacePaths.ts';

/** A notebook cell that can be picked. */
interface NotebookCellChoice {
  /** One-based. */
  readonly number: number;
  readonly languageId: string;
  readonly firstLine: string;
  /** Whether it is selected in the notebook. */
  readonly isSelected: boolean;
  /** The text of the cell, with the text of its outputs as `parsedData`. */
  readonly content: PickedContent;
}

/** The editor of the active notebook or, if none is active, of a visible one; undefined if no notebook is visible. */
export function notebookEditor(): vscode.NotebookEditor | undefined {
  return vscode.window.activeNotebookEditor ?? vscode.window.visibleNotebookEditors[0];
}

/** The non-empty cells of a notebook. */
export function notebookCells(editor: vscode.NotebookEditor): NotebookCellChoice[] {
  return editor.notebook.getCells().flatMap((cell) => {
    const text = cell.document.getText();
    if (text.trim() === '') return [];
    const isSelected = editor.selections.some(({ start, end }) => cell.index >= start && cell.index < end);
    const { languageId } = cell.document;
    const firstLine = text.trimStart().split(/\r?\n/, 1)[0] ?? '';
    const content = contentOfCell(editor.notebook, cell, text);
    return [{ number: cell.index + 1, languageId, firstLine, isSelected, content }];
  });
}

function contentOfCell({ uri, isDirty }: vscode.NotebookDocument, cell: vscode.NotebookCell, text: string) {
  const parsedData = outputsText(cell.outputs);
  const name = `${baseName(uri)}#cell-${cell.index + 1} (${cell.document.languageId})`;
  return contentOfText(text, { kind: 'selection', name, path: workspacePath(uri), isUnsaved: isDirty, parsedData });
}
