import * as vscode from 'vscode';
import { isLikelySecret } from '../../host/editors/attachmentRisk.ts';
import { pickFile } from '../../host/editors/documents.ts';
import { shownEditors } from '../../host/editors/openEditors.ts';
import { NotAttachable, type PickedContent } from '../../host/editors/pickedContent.ts';
import { type FolderFiles, listFolder } from '../../host/files/folderFiles.ts';
import { baseName, workspacePath } from '../../host/files/workspacePaths.ts';
import { confirm } from '../../host/prompts/notify.ts';
import { readSettings } from '../../host/settings.ts';
import { byteSize, plainLine, type Translate, wholeNumber } from '../../shared/text.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';
import { assertFitTogether, maxFileBytes } from './attachments.ts';

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
  if (items.length === 0) throw new NothingToDoError(t('No file is open in an editor, so there is nothing to attach.'));
  const options = { title: t('Attach Open Editors'), canPickMany: true, matchOnDescription: true } as const;
  const chosen = await vscode.window.showQuickPick(items, { ...options, placeHolder: t('Choose what to attach') });
  return chosen && chosen.length > 0 ? chosen.map(({ uri }) => uri) : undefined;
}

/** More files than a person can look through before they leave are refused. */
const maxFiles = 100;
const maxWalkMs = 30_000;
const namedFiles = 12;

interface Chosen {
  readonly contents: readonly PickedContent[];
  readonly emptyCount: number;
  readonly largeCount: number;
  readonly secretCount: number;
  readonly unreadableCount: number;
}

/**
 * The files of a folder that ignore rules do not leave out, after the person saw how many there are, how large they are
 * together, and what is left out. Undefined where they declined.
 * @throws ToldError where there is nothing in it, or too much. @throws NotAttachable where it is too large together.
 */
export async function chooseFolderFiles(folder: vscode.Uri, t: Translate): Promise<PickedContent[] | undefined> {
  const name = plainLine(baseName(folder), 120);
  const look = async () => {
    const files = await listed(folder, name, t);
    return { files, chosen: await pickAll(folder, files.uris) };
  };
  const { files, chosen } = await vscode.window.withProgress({ location: { viewId: 'lineside.conversation' } }, look);
  const { contents } = chosen;
  const leftOut = describeLeftOut(files, chosen, t);
  if (contents.length === 0) {
    throw new NothingToDoError([t('There is nothing in "{0}" to attach.', name), ...leftOut].join(' '));
  }
  const sizeBytes = contents.reduce((total, content) => total + content.sizeBytes, 0);
  const isOutside = !vscode.workspace.getWorkspaceFolder(folder);
  const details = [
    ...describeNames(contents, t),
    ...(isOutside ? [t('It lies outside the folders of this workspace.')] : []),
    ...leftOut,
  ];
  const question = t('Attach {0} files of "{1}", {2} in all?', contents.length, name, byteSize(sizeBytes));
  return (await confirm(question, details.join('\n'), t('Attach'))) ? [...contents] : undefined;
}

async function listed(folder: vscode.Uri, name: string, t: Translate): Promise<FolderFiles> {
  try {
    const files = await listFolder(folder, maxFiles, AbortSignal.timeout(maxWalkMs));
    if (!files.isTruncated) return files;
  } catch (cause) {
    throw new NotAttachable('unreadable', baseName(folder), undefined, cause);
  }
  throw new UserFacingError(
    t('"{0}" holds more than {1} files, so none was attached. Choose a smaller folder.', name, maxFiles),
  );
}

async function pickAll(folder: vscode.Uri, uris: readonly vscode.Uri[]): Promise<Chosen> {
  const contents: PickedContent[] = [];
  const counts = { empty: 0, tooLarge: 0, secret: 0, other: 0 };
  const { askBefore } = readSettings();
  for (const uri of uris) {
    if (isLikelySecret(uri, askBefore)) {
      counts.secret++;
      continue;
    }
    try {
      contents.push(named(await pickFile(uri, maxFileBytes()), folder, uri));
    } catch (error) {
      if (!(error instanceof NotAttachable)) throw error;
      counts[error.reason === 'empty' || error.reason === 'tooLarge' ? error.reason : 'other']++;
    }
    assertFitTogether(contents);
  }
  const { empty, tooLarge, secret, other } = counts;
  return { contents, emptyCount: empty, largeCount: tooLarge, secretCount: secret, unreadableCount: other };
}

/** Outside the workspace no path travels, so that the name has to tell files of different folders apart. */
function named(content: PickedContent, folder: vscode.Uri, uri: vscode.Uri): PickedContent {
  if (content.path !== undefined) return content;
  return { ...content, name: `${baseName(folder)}${uri.path.slice(folder.path.replace(/\/+$/, '').length)}` };
}

function describeNames(contents: readonly PickedContent[], t: Translate): string[] {
  const names = contents.slice(0, namedFiles).map(({ path, name }) => plainLine(path ?? name, 120));
  const moreCount = contents.length - names.length;
  return moreCount > 0 ? [...names, t('and {0} more', wholeNumber(moreCount)), ''] : [...names, ''];
}

function describeLeftOut(files: FolderFiles, chosen: Chosen, t: Translate): string[] {
  const { maxAttachmentMB } = readSettings();
  const parts: readonly (readonly [number, string])[] = [
    [files.ignoredCount, t('Left out by ignore rules: {0}.', wholeNumber(files.ignoredCount))],
    [chosen.secretCount, t('Left out because they look like secrets: {0}.', chosen.secretCount)],
    [chosen.largeCount, t('Left out because they are larger than {0} MB: {1}.', maxAttachmentMB, chosen.largeCount)],
    [chosen.emptyCount, t('Left out because they are empty: {0}.', chosen.emptyCount)],
    [files.linkCount, t('Symbolic links, which are not followed: {0}.', files.linkCount)],
    [chosen.unreadableCount, t('Left out because they cannot be read: {0}.', chosen.unreadableCount)],
  ];
  return parts.flatMap(([count, sentence]) => (count > 0 ? [sentence] : []));
}
