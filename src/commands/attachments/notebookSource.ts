import * as vscode from 'vscode';
import { notebookCells } from '../../host/editors/notebookCells.ts';
import type { PickedContent } from '../../host/editors/pickedContent.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { NothingToDoError } from '../errors.ts';

/**
 * Cells of the notebook in front of the person, those that are selected ticked. Undefined where they chose none.
 * @throws NothingThereError where there is no notebook, or nothing in it.
 */
export async function chooseCells(t: Translate): Promise<PickedContent[] | undefined> {
  const cells = notebookCells();
  if (!cells) throw new NothingToDoError(t('Open a notebook first.'));
  if (cells.length === 0)
    throw new NothingToDoError(t('The notebook has no cells with text, so there is nothing to attach.'));
  const items = cells.map(({ number, languageId, firstLine, isSelected, content }) => ({
    label: t('Cell {0}', number),
    description: languageId,
    detail: plainLine(firstLine, 120),
    picked: isSelected,
    content,
  }));
  const options = { title: t('Attach Notebook Cells'), canPickMany: true, matchOnDetail: true } as const;
  const chosen = await vscode.window.showQuickPick(items, { ...options, placeHolder: t('Choose what to attach') });
  return chosen && chosen.length > 0 ? chosen.map(({ content }) => content) : undefined;
}
