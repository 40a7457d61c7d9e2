import * as vscode from 'vscode';
import { withViewProgress } from '../../host/prompts/progress.ts';
import { isLikelySecret, isLink } from '../../host/editors/attachmentRisk.ts';
import { pickFile } from '../../host/editors/documents.ts';
import { NotAttachable, type PickedContent } from '../../host/editors/pickedContent.ts';
import { containsSecret } from '../../host/editors/secretContent.ts';
import { type FolderFiles, listFolder } from '../../host/files/folderFiles.ts';
import { baseName } from '../../host/files/workspacePaths.ts';
import { confirm } from '../../host/prompts/notify.ts';
import { settings } from '../../host/settings.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { NothingToDoError, UserFacingError } from '../commandErrors.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import { assertFitTogether, type Attachments, maxFileBytes } from './attachments.ts';

/** The files of a folder and its subfolders. */
export function folderSource(attachments: Attachments, t: Translate): AttachmentSource<'folder'> {
  const title = t('Attach Folder');
  return {
    kind: 'folder',
    label: t('Folder...'),
    title,
    whyUnavailable: () => undefined,
    choose: async ({ uri }) => {
      const folder = uri ?? (await chooseFolder(title));
      const picked = folder && (await chooseFolderFiles(folder, t));
      return picked && attachments.store(picked);
    },
  };
}

async function chooseFolder(openLabel: string): Promise<vscode.Uri | undefined> {
  const options = { canSelectFiles: false, canSelectFolders: true, openLabel };
  return (await vscode.window.showOpenDialog(options))?.[0];
}

/** A folder with more files is rejected, because the user couldn't review them before they are sent. */
const maxFiles = 100;
const timeoutMs = 30_000;
const maxListedNames = 12;

/** The files of a folder that can be attached, and the number of those that can't, by reason. */
interface PickedFiles {
  readonly contents: readonly PickedContent[];
  readonly emptyCount: number;
  readonly largeCount: number;
  readonly secretCount: number;
  readonly unreadableCount: number;
}

/**
 * Picks the files of a folder that no ignore rule excludes, after the user confirms their number, their total size, and
 * the files to skip. Resolves to undefined if the user declines.
 * @throws UserFacingError if the folder has no such files or too many. @throws NotAttachable if they are too large
 * together, or if the folder itself can't be read.
 */
export async function chooseFolderFiles(folder: vscode.Uri, t: Translate): Promise<PickedContent[] | undefined> {
  const name = plainLine(baseName(folder), 120);
  const pick = async () => {
    const files = await listFiles(folder, name, t);
    return { files, picked: await pickFiles(folder, files.uris) };
  };
  const { files, picked } = await withViewProgress('lineside.conversation', pick);
  const { contents } = picked;
  const skipped = describeSkipped(files, picked, t);
  if (contents.length === 0) {
    throw new NothingToDoError([t('"{0}" has no files to attach.', name), ...skipped].join(' '));
  }
  const sizeBytes = contents.reduce((total, content) => total + content.sizeBytes, 0);
  const isOutside = !vscode.workspace.getWorkspaceFolder(folder);
  const details = [
    ...contents.slice(0, maxListedNames).map(({ path, name }) => plainLine(path ?? name, 120)),
    ...(contents.length > maxListedNames ? [t('and {0} more', contents.length - maxListedNames)] : []),
    '',
    ...(isOutside ? [t('This folder is outside your workspace.')] : []),
    ...((await isLink(folder)) ? [t('This folder is a symbolic link or is inside a linked folder.')] : []),
    ...skipped,
  ];
  const question = t(
    { one: 'Attach 1 file from "{1}" ({2} in total)?', other: 'Attach {0} files from "{1}" ({2} in total)?' },
    contents.length,
    name,
    t.formats.size(sizeBytes),
  );
  return (await confirm(question, details.join('\n'), t('Attach'))) ? [...contents] : undefined;
}

async function listFiles(folder: vscode.Uri, name: string, t: Translate): Promise<FolderFiles> {
  try {
    const files = await listFolder(folder, maxFiles, AbortSignal.timeout(timeoutMs));
    if (!files.isTruncated) return files;
  } catch (cause) {
    throw new NotAttachable('unreadable', baseName(folder), undefined, cause);
  }
  throw new UserFacingError(
    t({ other: '"{0}" contains more than {1} files, so none were attached. Choose a smaller folder.' }, name, maxFiles),
  );
}

async function pickFiles(folder: vscode.Uri, uris: readonly vscode.Uri[]): Promise<PickedFiles> {
  const contents: PickedContent[] = [];
  const counts = { empty: 0, tooLarge: 0, secret: 0, other: 0 };
  const askBefore = settings.askBefore.read();
  for (const uri of uris) {
    if (isLikelySecret(uri, askBefore)) {
      counts.secret++;
      continue;
    }
    try {
      const content = await pickFile(uri, maxFileBytes());
      if (await containsSecret(content)) counts.secret++;
      else contents.push(withFolderName(content, folder, uri));
    } catch (error) {
      if (!(error instanceof NotAttachable)) throw error;
      counts[error.reason === 'empty' || error.reason === 'tooLarge' ? error.reason : 'other']++;
    }
    assertFitTogether(contents);
  }
  const { empty, tooLarge, secret, other } = counts;
  return { contents, emptyCount: empty, largeCount: tooLarge, secretCount: secret, unreadableCount: other };
}

/** Adds the folders to the name of a file outside the workspace, because its path isn't sent (R36). */
function withFolderName(content: PickedContent, folder: vscode.Uri, uri: vscode.Uri): PickedContent {
  if (content.path !== undefined) return content;
  return { ...content, name: `${baseName(folder)}${uri.path.slice(folder.path.replace(/(?<!\/)\/+$/, '').length)}` };
}

function describeSkipped(files: FolderFiles, picked: PickedFiles, t: Translate): string[] {
  const maxAttachmentMB = settings.maxAttachmentMB.read();
  const unreadableCount = picked.unreadableCount + files.unreadableCount;
  const parts: readonly (readonly [number, string])[] = [
    [files.ignoredCount, t('Skipped files excluded by ignore rules: {0}.', files.ignoredCount)],
    [picked.secretCount, t('Skipped files that might contain secrets: {0}.', picked.secretCount)],
    [picked.largeCount, t('Skipped files larger than {0} MB: {1}.', maxAttachmentMB, picked.largeCount)],
    [picked.emptyCount, t('Skipped empty files: {0}.', picked.emptyCount)],
    [files.linkCount, t('Skipped symbolic links: {0}.', files.linkCount)],
    [unreadableCount, t('Skipped unreadable files: {0}.', unreadableCount)],
  ];
  return parts.flatMap(([count, sentence]) => (count > 0 ? [sentence] : []));
}
