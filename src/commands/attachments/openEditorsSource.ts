import type * as vscode from 'vscode';
import { pickRows } from '../../host/prompts/picker.ts';
import { shownEditors } from '../../host/editors/openEditors.ts';
import { baseName, workspacePath } from '../../host/files/workspacePaths.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';

/** The files that the user selects among those open in editors, with their unsaved changes. */
export function openEditorsSource(attachments: Attachments, t: Translate): AttachmentSource<'openEditors'> {
  const title = t('Attach Open Editors');
  return {
    kind: 'openEditors',
    label: t('Open Editors...'),
    title,
    startsGroup: true,
    whyUnavailable: () => (shownEditors().length > 0 ? undefined : t('No files are open.')),
    choose: async () => {
      const uris = await chooseOpenEditors(title, t);
      return uris && attachments.fromFiles(uris);
    },
  };
}

async function chooseOpenEditors(title: string, t: Translate): Promise<readonly vscode.Uri[] | undefined> {
  const items = shownEditors().map(({ uri, isDirty, isActive }) => ({
    label: plainLine(baseName(uri), 120),
    description: [plainLine(workspacePath(uri) ?? '', 200), ...(isDirty ? [t('unsaved')] : [])].join(' · '),
    picked: isActive,
    uri,
  }));
  if (items.length === 0) throw new NothingToDoError(t('No files are open.'));
  const options = {
    title,
    placeHolder: t('Select what to attach'),
    matchOnDescription: true,
  };
  const chosen = await pickRows(items, options);
  return chosen && chosen.length > 0 ? chosen.map(({ uri }) => uri) : undefined;
}
