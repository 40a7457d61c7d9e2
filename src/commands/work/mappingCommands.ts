import * as vscode from 'vscode';
import { folderName, wholePath } from '../../host/files/folderNames.ts';
import { askChoice, type Choice } from '../../host/prompts/askChoice.ts';
import { isolatedLine, plainLine, type Translate } from '../../shared/text.ts';
import type { AgentFolder } from '../../state/work/agentFolders.ts';
import { agentPath } from '../../state/work/agentPaths.ts';
import type { CommandContext } from '../context.ts';
import { takingEntered } from '../enteredFailure.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { CommandHandlers, SessionArgument } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';
import { loadedRecord } from '../conversation/loadedRecord.ts';

/** The command that shows which workspace folders the agent's folders correspond to, and changes that. */
export function mappingCommands(context: CommandContext) {
  return { mapAgentFolder: (argument) => mapAgentFolder(context, argument) } satisfies Partial<CommandHandlers>;
}

/**
 * Lets the user select a folder of the agent and its workspace folder. The choice is saved for the agent's computer.
 * @throws NothingToDoError if no folder is open.
 */
async function mapAgentFolder(context: CommandContext, argument: SessionArgument): Promise<void> {
  const { t, agentFiles } = context;
  const title = t('Map Agent Folder');
  const key = await activeOrTarget(context, argument, title);
  if (!key) return;
  const local = vscode.workspace.workspaceFolders ?? [];
  if (local.length === 0) throw new NothingToDoError(t('Open a folder first.'));
  await loadedRecord(context, key);
  const folders = await agentFiles.folders(key);
  const root = await askChoice<string>({
    title,
    placeholder:
      folders.length === 0
        ? t("Enter the path of a folder on the agent's computer")
        : t("Select a folder on the agent's computer, or enter its path"),
    choices: folders.map((folder) => ({
      label: isolatedLine(folder.root, 300),
      description: describeFolder(folder, local, t),
      icon: folder.isUncertain ? 'question' : 'folder',
      value: folder.root,
    })),
    typed: (text) => typedFolder(text, t),
  });
  if (root.kind !== 'chosen') return;
  const known = folders.find((folder) => folder.root === root.value);
  if (known?.source === 'setting') {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'lineside.pathMappings');
    return;
  }
  const isCertain = known?.isUncertain === false && known.folders.length === 1;
  const current = isCertain ? known.folders[0] : undefined;
  const target = await askChoice<string>({
    title,
    placeholder: t('Select the workspace folder for {0}', plainLine(root.value, 200)),
    choices: [
      ...local.map(({ uri, name }) => ({
        label: plainLine(name, 120),
        description: uri.toString() === current ? t('current') : '',
        detail: local.length > 1 ? plainLine(wholePath(uri), 300) : undefined,
        icon: 'folder',
        value: uri.toString(),
      })),
      { label: t("Don't Map"), icon: 'circle-slash', value: '' },
    ],
    current: known?.folders[0],
  });
  if (target.kind !== 'chosen') return;
  const mapped = local.map(({ uri }) => ({
    root: root.value,
    folder: uri.toString(),
    isMapped: uri.toString() === target.value,
  }));
  await takingEntered(() => agentFiles.map(key, mapped));
}

function describeFolder(
  { folders, isUncertain, subfolder, source }: AgentFolder,
  local: readonly vscode.WorkspaceFolder[],
  t: Translate,
): string {
  const found = local.filter(({ uri }) => folders.includes(uri.toString()));
  const names = found.map((folder) => plainLine(folderName(folder), 300));
  if (isUncertain || names.length > 1) return t('Uncertain: {0}', t.formats.list(names));
  const [name] = names;
  if (name === undefined) return t('Not mapped');
  const shown = subfolder === undefined ? name : `${name}/${plainLine(subfolder, 120)}`;
  if (source === 'setting') return t('{0}, from settings', shown);
  return source === 'user' ? shown : t('{0}, inferred', shown);
}

function typedFolder(text: string, t: Translate): Choice<string> | undefined {
  const root = agentPath(text);
  return root === undefined ? undefined : { label: text, description: t('Use this path'), icon: 'folder', value: root };
}
