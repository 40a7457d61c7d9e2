import type * as vscode from 'vscode';
import { pickRows } from '../../host/prompts/picker.ts';
import { notebookCells, notebookEditor } from '../../host/editors/notebookCells.ts';
import type { PickedContent } from '../../host/editors/pickedContent.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { textSizeBytes } from '../../shared/text/textSize.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';

/** Cells of the active notebook, with their outputs as text. */
export function notebookSource(attachments: Attachments, t: Translate): AttachmentSource<'notebook'> {
  const title = t('Attach Notebook Cells');
  return {
    kind: 'notebook',
    label: t('Notebook Cells...'),
    title,
    whyUnavailable: () => (notebookEditor() ? undefined : t('No notebook is open.')),
    choose: async () => {
      const editor = notebookEditor();
      if (!editor) throw new NothingToDoError(t('Open a notebook first.'));
      const picked = await chooseCells(editor, title, t);
      return picked && attachments.fromContents(picked, [editor.notebook.uri]);
    },
  };
}

async function chooseCells(
  editor: vscode.NotebookEditor,
  title: string,
  t: Translate,
): Promise<PickedContent[] | undefined> {
  const cells = notebookCells(editor);
  if (cells.length === 0) throw new NothingToDoError(t('The notebook has no cells to attach.'));
  const items = cells.map(({ number, languageId, firstLine, isSelected, content }) => ({
    label: t('Cell {0}', number),
    description:
      content.parsedData === undefined
        ? languageId
        : t('{0}, with outputs ({1})', languageId, t.formats.size(textSizeBytes(content.parsedData))),
    detail: plainLine(firstLine, 120),
    picked: isSelected,
    content,
  }));
  const options = { title, placeHolder: t('Select what to attach'), matchOnDetail: true };
  const chosen = await pickRows(items, options);
  return chosen && chosen.length > 0 ? chosen.map(({ content }) => content) : undefined;
}
