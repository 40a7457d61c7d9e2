import * as vscode from 'vscode';
import { withCancel } from '../../host/prompts/progress.ts';
import { isolatedLine, type Translate } from '../../shared/text.ts';
import {
  describeChangesTitle,
  describeComparisonTitle,
  describeFileTitle,
  describeLoadedPart,
  splitPath,
} from '../../state/presentation/describeChanges.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { type MessageRange, rangeOf } from '../../state/work/changeReader.ts';
import type { AgentChanges, ChangedFile } from '../../state/work/changes.ts';
import { unknownPresence } from '../../state/work/presence.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { CommandArguments, CommandHandlers, MessageArgument } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';
import type { ChangeAddress, ComparedSides } from './changeFiles.ts';
import { chooseFile } from './linkedFileCommands.ts';
import { recordWithMessage } from '../conversation/loadedRecord.ts';

/** VS Code loads all files of a multi-file diff. */
const maxFiles = 200;

/** The commands that show the files that the agent changed. They never write or apply anything. */
export function changeCommands(context: CommandContext) {
  return {
    showChanges: (argument) => showChanges(context, argument),
    compareWithWorkspaceFile: (argument) => compareWithWorkspaceFile(context, argument),
    compareAllWithWorkspace: (argument) => compareAllWithWorkspace(context, argument),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Shows the changes of a session, of the turn that contains `messageId`, or of the file with the given path.
 * @throws NothingToDoError if there are none.
 */
async function showChanges(context: CommandContext, argument: CommandArguments['showChanges']): Promise<void> {
  const { t } = context;
  const key = await activeOrTarget(context, argument, t('Show Changes'));
  if (!key) return;
  const { record, range } = await rangeToShow(context, key, argument.messageId);
  const changes = range && context.changeFiles.changes(record, range);
  if (!range || !changes || changes.files.length === 0) throw new NothingToDoError(nothingFound(record, argument, t));
  if (argument.path !== undefined) {
    await showFile(context, { key, range, path: argument.path }, changes.files);
    return;
  }
  const { files, isConfirmed } = filesToShow(changes);
  const shown = files.slice(0, maxFiles);
  const isTurn = argument.messageId !== undefined;
  // The known presence is that of all changes of the session. Comparing the changes of a turn would delay the editor.
  const { presences } = isTurn ? unknownPresence : context.presence.current(key);
  const title = describeChangesTitle(
    record,
    {
      presences,
      isTurn,
      isConfirmed,
      shownCount: shown.length,
      totalCount: files.length,
    },
    t,
  );
  await openFiles(context, { key, range }, shown, title);
}

/** The confirmed files, or all files if none is confirmed, for example if the service sends no results of calls. */
function filesToShow({ files, confirmedCount }: AgentChanges): {
  readonly files: readonly ChangedFile[];
  readonly isConfirmed: boolean;
} {
  return confirmedCount > 0
    ? { files: files.slice(0, confirmedCount), isConfirmed: true }
    : { files, isConfirmed: false };
}

async function rangeToShow(
  context: CommandContext,
  key: SessionKey,
  messageId: string | undefined,
): Promise<{ readonly record: SessionRecord; readonly range: MessageRange | undefined }> {
  const record = await recordWithMessage(context, key, messageId);
  return { record, range: rangeOf(record, messageId) };
}

async function showFile(context: CommandContext, address: ChangeAddress, files: readonly ChangedFile[]): Promise<void> {
  const file = files.find(({ path }) => path === address.path);
  if (!file) throw new NothingToDoError(context.t('No changes to this file.'));
  await openFiles(context, address, [file], describeFileTitle(file, context.t));
}

/**
 * Opens files in the multi-file diff editor, even a single one. In other editors, language extensions report errors in
 * the documents, because pieces of files are rarely valid syntax.
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
  const files = await context.agentFiles.unlinkedFiles(address.key, address.path);
  if (files.length === 0) throw new NothingToDoError(t('"{0}" isn\'t a file in this workspace.', name));
  const places = files.map((uri) => ({ uri, selection: undefined }));
  const file = (await chooseFile(places, address.path, t))?.uri;
  if (!file) return;
  const own = await changeFiles.readChanges(address);
  const sides = own && (await changeFiles.compare(address, own.file, file, own.changes));
  if (!sides) throw new NothingToDoError(t('No changes to this file.'));
  await vscode.commands.executeCommand('vscode.changes', t('{0} (workspace ↔ agent)', name), [sides]);
}

/**
 * Compares the agent's texts of the files that Show Changes shows for a session or a turn with the files in the
 * workspace. Writes nothing.
 * @throws NothingToDoError if none of them is in a folder of a trusted workspace.
 */
async function compareAllWithWorkspace(context: CommandContext, argument: MessageArgument): Promise<void> {
  const { t, agentFiles, changeFiles, messages } = context;
  const key = await activeOrTarget(context, argument, t('Compare All with Workspace'));
  if (!key) return;
  if (!vscode.workspace.isTrusted) throw new NothingToDoError(t('Trust this workspace to compare its files.'));
  const { record, range } = await rangeToShow(context, key, argument.messageId);
  const changes = range && changeFiles.changes(record, range);
  if (!range || !changes || changes.files.length === 0) throw new NothingToDoError(nothingFound(record, argument, t));
  const { files, isConfirmed } = filesToShow(changes);
  const resources = await withCancel(t('Comparing...'), async (signal, report) => {
    const places = messages.places(key);
    const compared: ComparedSides[] = [];
    for (const [index, file] of files.entries()) {
      if (signal.aborted) return undefined;
      if (compared.length === maxFiles) break;
      report(t('{0} of {1}', index, files.length));
      const place = await agentFiles.locate(key, file.path);
      if (!(place instanceof vscode.Uri)) continue;
      const changes = (await changeFiles.cachedChanges(key, file, places, signal))?.map(({ change }) => change);
      const sides = await changeFiles.compare({ key, range, path: file.path }, file, place, changes, signal);
      if (!sides) return undefined;
      compared.push(sides);
    }
    return compared;
  });
  if (!resources) return;
  if (resources.length === 0) throw new NothingToDoError(t('None of the changed files is in this workspace.'));
  const title = describeComparisonTitle(
    record,
    { isConfirmed, shownCount: resources.length, totalCount: files.length },
    t,
  );
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

/**
 * The changed file that an argument means. With a path, that is the file with this path in the given session, or else
 * in the session of the active conversation. Without a path, it is the file of the change document `uri`, or else of
 * the change document in the active editor. Undefined if there is none.
 */
async function addressOf(
  context: CommandContext,
  argument: CommandArguments['compareWithWorkspaceFile'],
): Promise<ChangeAddress | undefined> {
  const { path, uri = vscode.window.activeTextEditor?.document.uri } = argument;
  if (path === undefined) return uri && context.changeFiles.addressOf(uri);
  const key = await activeOrTarget(context, argument, context.t('Compare'));
  if (!key) return undefined;
  const { range } = await rangeToShow(context, key, argument.messageId);
  return range && { key, range, path };
}
