import * as vscode from 'vscode';
import { shownEditors } from '../../host/editors/openEditors.ts';
import { baseName, workspacePath } from '../../host/files/workspacePath.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { NothingThereError } from '../errors.ts';

/** Files chosen in a dialog; undefined where none was. */
export async function chooseFiles(t: Translate): Promise<readonly vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({ canSelectMany: true, openLabel: t('Attach') });
}

/** Pictures chosen in a dialog; undefined where none was. */
export async function chooseImages(t: Translate): Promise<readonly vscode.Uri[] | undefined> {
  const filters = { [t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'] };
  return vscode.window.showOpenDialog({ canSelectMany: true, openLabel: t('Attach'), filters });
}

/** A folder chosen in a dialog; undefined where none was. */
export async function chooseFolder(t: Translate): Promise<vscode.Uri | undefined> {
  const options = { canSelectFiles: false, canSelectFolders: true, openLabel: t('Attach Folder') };
  return (await vscode.window.showOpenDialog(options))?.[0];
}

/**
 * Some of the files that are open in editors; undefined where none was chosen.
 * @throws NothingThereError where none is open.
 */
export async function chooseOpenEditors(t: Translate): Promise<readonly vscode.Uri[] | undefined> {
  const items = shownEditors().map(({ uri, isDirty, isActive }) => ({
    label: plainLine(baseName(uri), 120),
    description: [plainLine(workspacePath(uri) ?? '', 200), ...(isDirty ? [t('unsaved')] : [])].join(' · '),
    picked: isActive,
    uri,
  }));
  if (items.length === 0)
    throw new NothingThereError(t('No file is open in an editor, so there is nothing to attach.'));
  const options = { title: t('Attach Open Editors'), canPickMany: true, matchOnDescription: true } as const;
  const chosen = await vscode.window.showQuickPick(items, { ...options, placeHolder: t('Choose what to attach') });
  return chosen && chosen.length > 0 ? chosen.map(({ uri }) => uri) : undefined;
}
