import * as vscode from 'vscode';
import { allProblems } from '../../host/editors/diagnostics.ts';
import { gitRepositories } from '../../host/editors/git.ts';
import { notebookCells } from '../../host/editors/notebookCells.ts';
import { activeUri, lastTextEditor, shownEditors } from '../../host/editors/openEditors.ts';
import { NotAttachable, type PickedContent } from '../../host/editors/pickedContent.ts';
import { isFolder } from '../../host/files/folderFiles.ts';
import type { AttachHindrances } from '../../shared/protocol/pageModel.ts';
import type { AttachmentKind } from '../../shared/protocol/vocabulary.ts';
import type { Translate } from '../../shared/text.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { Attachments } from './attachments.ts';
import { chooseFiles, chooseFolder, chooseFolderFiles, chooseImages, chooseOpenEditors } from './fileSources.ts';
import { chooseDiff, gitSentence } from './gitSource.ts';
import { chooseCells } from './notebookSource.ts';
import { chooseProblems } from './problemSource.ts';

/** What is attached, where that is said beforehand: a file or folder, a line of it (from 1). */
export interface AttachTarget {
  readonly uri?: vscode.Uri | undefined;
  readonly uris?: readonly vscode.Uri[] | undefined;
  readonly line?: number | undefined;
}

/** Lets the person choose, and keeps it. Undefined where they stopped on the way. Throws where it cannot be attached. */
export type AttachmentSource = (target: AttachTarget) => Promise<StoredAttachment[] | undefined>;

/** How each thing that can be attached is picked; whatever is not said is asked. */
export function attachWays(attachments: Attachments, t: Translate): Readonly<Record<AttachmentKind, AttachmentSource>> {
  const files = async (uris: readonly vscode.Uri[] | undefined) => uris && attachments.fromFiles(uris);
  const contents = async (picked: readonly PickedContent[] | undefined) => picked && attachments.keep(picked);
  return {
    file: ({ uri, uris }) => fromFilesAndFolders(attachments, uris ?? (uri ? [uri] : undefined), t),
    selection: () => attachments.fromSelection(lastTextEditor()),
    pick: async () => files(await chooseFiles(t)),
    folder: async ({ uri }) => {
      const folder = uri ?? (await chooseFolder(t));
      return folder && contents(await chooseFolderFiles(folder, t));
    },
    openEditors: async () => files(await chooseOpenEditors(t)),
    image: async () => files(await chooseImages(t)),
    problems: async (target) => contents(await chooseProblems(target, t)),
    diff: async () => contents(await chooseDiff(t)),
    notebook: async () => contents(await chooseCells(t)),
  };
}

/** The place that a text names, dropped from anywhere. @throws NotAttachable for what the editor cannot read. */
export function droppedUri(text: string): vscode.Uri {
  try {
    const uri = vscode.Uri.parse(text, true);
    if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined) return uri;
  } catch {
    // It is told like any other place that cannot be read.
  }
  throw new NotAttachable('unreadable', text);
}

/** Where a folder is among them, its files are meant. @throws NotAttachable where one cannot be attached; then none is. */
async function fromFilesAndFolders(
  attachments: Attachments,
  uris: readonly vscode.Uri[] | undefined,
  t: Translate,
): Promise<StoredAttachment[] | undefined> {
  if (!uris) return attachments.fromFile();
  const areFolders = await Promise.all(uris.map(isFolder));
  const files = uris.filter((_, index) => !areFolders[index]);
  const kept = (files.length > 0 ? await attachments.fromFiles(files) : undefined) ?? [];
  try {
    for (const folder of uris.filter((_, index) => areFolders[index])) {
      const picked = await chooseFolderFiles(folder, t);
      if (picked) kept.push(...(await attachments.keep(picked)));
    }
  } catch (error) {
    await attachments.drop(kept);
    throw error;
  }
  return kept.length > 0 ? kept : undefined;
}

/** Why some of what can be attached cannot be attached now, one sentence each. Never rejects. */
export async function unavailableAttachments(t: Translate): Promise<AttachHindrances> {
  const isSelected = lastTextEditor()?.selections.some((selection) => !selection.isEmpty) === true;
  const git = await gitRepositories().catch(() => 'off' as const);
  return {
    ...(activeUri() ? {} : { file: t('No file is open in the active editor.') }),
    ...(isSelected ? {} : { selection: t('Nothing is selected in the editor.') }),
    ...(shownEditors().length > 0 ? {} : { openEditors: t('No file is open in an editor.') }),
    ...(allProblems().length > 0 ? {} : { problems: t('VS Code reports no problems.') }),
    ...(typeof git === 'string' ? { diff: gitSentence(git, t) } : {}),
    ...(notebookCells() ? {} : { notebook: t('No notebook is open.') }),
  };
}
