import * as vscode from 'vscode';
import { activeUri } from '../../host/editors/openEditors.ts';
import { NotAttachable } from '../../host/editors/pickedContent.ts';
import { isFolder } from '../../host/files/folderFiles.ts';
import type { Translate } from '../../shared/text.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';
import { chooseFolderFiles } from './folderSource.ts';

/** The file in the active editor, or the files and folders that were chosen in the Explorer or dropped. */
export function currentFileSource(attachments: Attachments, t: Translate): AttachmentSource<'file'> {
  return {
    kind: 'file',
    label: t('Current File'),
    title: t('Attach File'),
    whyUnavailable: () => (activeUri() ? undefined : t('No file is open in the active editor.')),
    choose: ({ uri, uris = uri && [uri] }) =>
      uris ? fromFilesAndFolders(uris, attachments, t) : attachments.fromFile(),
  };
}

/** Parses the URI of something that was dropped. @throws NotAttachable if VS Code can't read from it. */
export function parseDroppedUri(text: string): vscode.Uri {
  try {
    const uri = vscode.Uri.parse(text, true);
    if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined) return uri;
  } catch {
    // Report a malformed URI like any other URI that VS Code can't read from.
  }
  throw new NotAttachable('unreadable', text);
}

/**
 * Stores the files and, if the user confirms, those in the folders. Inside a folder, skips files that can't be
 * attached. Resolves to undefined if the user declines all of them.
 * @throws UserFacingError or NotAttachable if one of the files or folders can't be attached; then nothing is stored.
 */
async function fromFilesAndFolders(
  uris: readonly vscode.Uri[],
  attachments: Attachments,
  t: Translate,
): Promise<StoredAttachment[] | undefined> {
  const areFolders = await Promise.all(uris.map(isFolder));
  const files = uris.filter((_, index) => !areFolders[index]);
  const stored = (files.length > 0 ? await attachments.fromFiles(files) : undefined) ?? [];
  try {
    for (const folder of uris.filter((_, index) => areFolders[index])) {
      const picked = await chooseFolderFiles(folder, t);
      if (picked) for (const one of await attachments.store(picked)) stored.push(one);
    }
  } catch (error) {
    await attachments.drop(stored);
    throw error;
  }
  return stored.length > 0 ? stored : undefined;
}
