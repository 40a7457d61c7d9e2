import * as vscode from 'vscode';
import { wholePath } from '../../host/files/folderNames.ts';
import { type FilePlace, openFilePlace } from '../../host/files/workspacePaths.ts';
import { askChoice } from '../../host/prompts/askChoice.ts';
import { isolatedLine, plainLine, type Translate } from '../../shared/text.ts';
import { argumentOf, type CommandArguments, type CommandHandlers } from '../commandArguments.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError } from '../commandErrors.ts';
import { activeOrTarget } from '../sessions/pick.ts';

type FileArgument = CommandArguments['openLinkedFile'];

/** The commands of the context menu of a link to a file. Each looks for the file again. */
export function linkedFileCommands(context: CommandContext) {
  return {
    openLinkedFile: (argument) => withFile(context, argument, (place) => openFilePlace(place)),
    openLinkedFileToSide: (argument) => withFile(context, argument, (place) => openFilePlace(place, true)),
    revealLinkedFile: (argument) =>
      withFile(context, argument, ({ uri }) => vscode.commands.executeCommand('revealInExplorer', uri)),
    copyLinkedFilePath: (argument) =>
      withFile(context, argument, ({ uri }) => {
        return vscode.env.clipboard.writeText(wholePath(uri));
      }),
    copyLinkedFileRelativePath: (argument) =>
      withFile(context, argument, ({ uri }) => {
        return vscode.env.clipboard.writeText(vscode.workspace.asRelativePath(uri));
      }),
    attachLinkedFile: (argument) =>
      withFile(context, argument, ({ uri }, session) => context.commands.run('attachFile', { ...session, uri })),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Runs an action on the file that the argument names.
 * @throws NothingToDoError if the argument names no file, or if there is no such file in the workspace.
 */
async function withFile(
  context: CommandContext,
  argument: FileArgument,
  run: (place: FilePlace, session: ReturnType<typeof argumentOf>) => PromiseLike<unknown>,
): Promise<void> {
  const { t, agentFiles } = context;
  const { path } = argument;
  if (path === undefined) throw new NothingToDoError(t('Select a link to a file first.'));
  const key = await activeOrTarget(context, argument, t('Open File'));
  if (!key) return;
  const places = await agentFiles.find(key, path);
  if (places.length === 0) throw new NothingToDoError(t("{0} wasn't found in this workspace.", plainLine(path)));
  const place = await chooseFile(places, path, t);
  if (place) await run(place, argumentOf(key));
}

/**
 * Lets the user select one of the files that a path can mean, unless it is the only one. Undefined if there is none, or
 * if the user cancels.
 */
export async function chooseFile(
  places: readonly FilePlace[],
  path: string,
  t: Translate,
): Promise<FilePlace | undefined> {
  if (places.length <= 1) return places[0];
  const answer = await askChoice({
    title: t('Open File'),
    placeholder: t('Select the workspace folder for {0}', isolatedLine(path, 200)),
    choices: places.map((place) => ({
      label: plainLine(vscode.workspace.getWorkspaceFolder(place.uri)?.name ?? '', 120),
      description: plainLine(wholePath(place.uri), 300),
      icon: 'folder',
      value: place,
    })),
  });
  return answer.kind === 'chosen' ? answer.value : undefined;
}
