import * as vscode from 'vscode';
import { unlinkedFile } from '../../host/files/workspacePaths.ts';
import { isolatedLine, type Translate } from '../../shared/text.ts';
import {
  describeChangesTitle,
  describeFileTitle,
  describeLoadedPart,
  splitPath,
} from '../../state/presentation/work.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { type MessageRange, rangeOf } from '../../state/work/changeReader.ts';
import type { ChangedFile } from '../../state/work/changes.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';
import type { CommandArguments, CommandHandlers, MessageArgument } from '../commandArguments.ts';
import { currentOrTarget } from '../sessions/pick.ts';
import type { ChangeAddress } from './changeFiles.ts';
import { loadedRecord } from './loadedRecord.ts';

/** VS Code loads all files of a multi-file diff. */
const maxFiles = 200;

/** The commands that show the files that the agent changed. They never write or apply anything. */
export function changeCommands(context: CommandContext) {
  return {
    showChanges: (argument) => showChanges(context, argument),
    compareWithWorkspaceFile: (argument) => compareWithWorkspaceFile(context, argument),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Shows the changes of a session, of the turn that contains `messageId`, or of the file with the given path.
 * @throws NothingToDoError if there are none.
 */
async function showChanges(context: CommandContext, argument: CommandArguments['showChanges']): Promise<void> {
  const { t } = context;
  const key = await currentOrTarget(context, argument, t('Show Changes'));
  if (!key) return;
  const { record, range } = await rangeToShow(context, key, argument.messageId);
  const changes = range && context.changeFiles.changes(record, range);
  if (!range || !changes || changes.files.length === 0) throw new NothingToDoError(nothingFound(record, argument, t));
  if (argument.path !== undefined) {
    await showFile(context, { key, range, path: argument.path }, changes.files);
    return;
  }
  const { files, confirmedCount } = changes;
  const confirmed = confirmedCount > 0 ? files.slice(0, confirmedCount) : files;
  const shown = confirmed.slice(0, maxFiles);
  const title = describeChangesTitle(
    record,
    {
      isTurn: argument.messageId !== undefined,
      isConfirmed: confirmedCount > 0,
      shownCount: shown.length,
      totalCount: confirmed.length,
    },
    t,
  );
  await openFiles(context, { key, range }, shown, title);
}

async function rangeToShow(
  context: CommandContext,
  key: SessionKey,
  messageId: string | undefined,
): Promise<{ readonly record: SessionRecord; readonly range: MessageRange | undefined }> {
  const { store, sessions, t } = context;
  const loaded = await loadedRecord(context, key);
  const isMissing = messageId !== undefined && !store.header(key, messageId);
  if (isMissing && (await sessions.fetchMessage(key, messageId)) === false) {
    throw new UserFacingError(t('This message was removed from the service.'));
  }
  const record = store.record(key) ?? loaded;
  return { record, range: rangeOf(record, messageId) };
}

async function showFile(context: CommandContext, address: ChangeAddress, files: readonly ChangedFile[]): Promise<void> {
  const file = files.find(({ path }) => path === address.path);
  if (!file) throw new NothingToDoError(context.t('No changes to this file.'));
  await openFiles(context, address, [file], describeFileTitle(file, context.t));
}

/**
 * Opens files in the multi-file diff editor, even a single one. In other editors, language extensions report errors in
 * the documents, because pieces of files rarely have a valid syntax.
 */
async function openFiles(
  { changeFiles }: CommandContext,
  { key, range }: Omit<ChangeAddress, 'path'>,
  files: readonly ChangedFile[],
  title: string,
): Promise<void> {
  const resources = files.map(({ path, oldPath, change }) => {
    const address = { key, range, path };
    // VS Code shows the old path of a renamed file.
    const [before, after] = [changeFiles.uri(address, 'before', oldPath), changeFiles.uri(address, 'after')];
    return [after, change === 'created' ? undefined : before, change === 'deleted' ? undefined : after];
  });
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

function nothingFound(record: SessionRecord, { messageId }: MessageArgument, t: Translate): string {
  if (messageId !== undefined) return t('No changed files found in this turn.');
  const isPart = describeLoadedPart(record, t) !== '';
  return isPart ? t('No changed files found in the loaded messages.') : t('No changed files found in this session.');
}

/**
 * Compares the agent's text of a file with the file in the workspace.
 * @throws UserFacingError unless the path is inside a folder of a trusted workspace, without symbolic links.
 */
async function compareWithWorkspaceFile(
  context: CommandContext,
  argument: CommandArguments['compareWithWorkspaceFile'],
): Promise<void> {
  const { changeFiles, t } = context;
  const address = await addressOf(context, argument);
  if (!address) throw new NothingToDoError(t('Select a changed file first.'));
  if (!vscode.workspace.isTrusted) throw new NothingToDoError(t('Trust this workspace to compare its files.'));
  const name = isolatedLine(splitPath(address.path).name, 120);
  const file = await unlinkedFile(address.path);
  if (!file) throw new NothingToDoError(t('"{0}" isn\'t a file in this workspace.', name));
  const title = t('{0} (workspace ↔ agent)', name);
  const text = changeFiles.uri(address, 'after');
  // The workspace file is on the left, where the diff editor can't change it.
  await vscode.commands.executeCommand('vscode.changes', title, [[text, file, text]]);
}

/** The file of a row in the tree, of a document, or of the active editor. */
async function addressOf(
  context: CommandContext,
  argument: CommandArguments['compareWithWorkspaceFile'],
): Promise<ChangeAddress | undefined> {
  const { path, uri = vscode.window.activeTextEditor?.document.uri } = argument;
  if (path === undefined || argument.sessionId === undefined) return uri && context.changeFiles.addressOf(uri);
  const key = await currentOrTarget(context, argument, '');
  if (!key) return undefined;
  const { range } = await rangeToShow(context, key, argument.messageId);
  return range && { key, range, path };
}
