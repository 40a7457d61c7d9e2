import * as vscode from 'vscode';
import type { AttachmentKind } from '../../shared/protocol/composerProtocol.ts';
import type { Translate } from '../../shared/text.ts';
import { unavailableAttachments, type AttachmentSource, attachWays } from './sources.ts';
import type { CommandContext } from '../context.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget, targetSession } from '../sessions/pick.ts';

/** Everything that puts something into a composer from outside it. */
export function attachingCommands(context: CommandContext): CommandTable {
  const { attachments, t } = context;
  const ways = attachWays(attachments, t);
  return {
    attach: async (argument) => {
      const chosen = await chooseWay(t);
      if (chosen) await attach(context, argument, chosen.label, ways[chosen.what], currentOrTarget);
    },
    attachSelection: (argument) => attach(context, argument, t('Attach Selection'), ways.selection),
    attachFile: (argument) => attach(context, argument, t('Attach File'), ways.file),
    attachFolder: (argument) => attach(context, argument, t('Attach Folder'), ways.folder),
    attachOpenEditors: (argument) => attach(context, argument, t('Attach Open Editors'), ways.openEditors),
    attachImages: (argument) => attach(context, argument, t('Attach Images'), ways.image),
    attachProblems: (argument) => attach(context, argument, t('Attach Problems'), ways.problems),
    attachDiff: (argument) => attach(context, argument, t('Attach Git Changes'), ways.diff),
    attachNotebookCells: (argument) => attach(context, argument, t('Attach Notebook Cells'), ways.notebook),
  };
}

async function attach(
  context: CommandContext,
  argument: CommandArgument,
  title: string,
  way: AttachmentSource,
  askTarget = targetSession,
): Promise<void> {
  const { attachments, navigation } = context;
  const picked = await way(argument);
  if (!picked) return;
  const key = await askTarget(context, argument, title);
  if (!key) {
    await attachments.drop(picked);
    return;
  }
  await attachments.addToDraft(key, picked);
  await navigation.openConversation(key, undefined, true);
}

/** What cannot be attached now stands there with the reason; chosen all the same, the reason is told. */
async function chooseWay(t: Translate): Promise<{ readonly label: string; readonly what: AttachmentKind } | undefined> {
  const hindrances = await unavailableAttachments(t);
  const items: readonly (vscode.QuickPickItem & { readonly what: AttachmentKind })[] = [
    { what: 'file', label: t('Current File'), iconPath: new vscode.ThemeIcon('file') },
    { what: 'selection', label: t('Selection'), iconPath: new vscode.ThemeIcon('list-selection') },
    { what: 'pick', label: t('Choose Files...'), iconPath: new vscode.ThemeIcon('go-to-file') },
    { what: 'folder', label: t('Folder...'), iconPath: new vscode.ThemeIcon('folder') },
    { what: 'image', label: t('Images...'), iconPath: new vscode.ThemeIcon('file-media') },
    { what: 'openEditors', label: t('Open Editors...'), iconPath: new vscode.ThemeIcon('files') },
    { what: 'problems', label: t('Problems...'), iconPath: new vscode.ThemeIcon('warning') },
    { what: 'diff', label: t('Git Changes...'), iconPath: new vscode.ThemeIcon('git-compare') },
    { what: 'notebook', label: t('Notebook Cells...'), iconPath: new vscode.ThemeIcon('notebook') },
  ];
  const described = items.map((item) => ({ ...item, description: hindrances[item.what] ?? '' }));
  return vscode.window.showQuickPick(described, { title: t('Attach to Composer') });
}
