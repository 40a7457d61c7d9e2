import * as vscode from 'vscode';
import type { AttachmentKind } from '../../shared/protocol/vocabulary.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';
import { unavailableAttachments, type AttachmentSource, attachWays } from './sources.ts';
import type { Attachments } from './attachments.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget, targetSession } from '../sessions/pick.ts';

export interface AttachingParts {
  readonly store: Store;
  readonly attachments: Attachments;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly openConversation: (key: SessionKey, messageId?: string, focus?: boolean) => Promise<void>;
  readonly t: Translate;
}

/** Everything that puts something into a composer from outside it. */
export function attachingCommands(parts: AttachingParts): CommandTable {
  const { attachments, t } = parts;
  const ways = attachWays(attachments, t);
  return {
    attach: async (argument) => {
      const chosen = await chooseWay(t);
      if (chosen) await attach(parts, argument, chosen.label, ways[chosen.what], currentOrTarget);
    },
    attachSelection: (argument) => attach(parts, argument, t('Attach Selection'), ways.selection),
    attachFile: (argument) => attach(parts, argument, t('Attach File'), ways.file),
    attachFolder: (argument) => attach(parts, argument, t('Attach Folder'), ways.folder),
    attachOpenEditors: (argument) => attach(parts, argument, t('Attach Open Editors'), ways.openEditors),
    attachImages: (argument) => attach(parts, argument, t('Attach Images'), ways.image),
    attachProblems: (argument) => attach(parts, argument, t('Attach Problems'), ways.problems),
    attachDiff: (argument) => attach(parts, argument, t('Attach Git Changes'), ways.diff),
    attachNotebookCells: (argument) => attach(parts, argument, t('Attach Notebook Cells'), ways.notebook),
  };
}

async function attach(
  parts: AttachingParts,
  argument: CommandArgument,
  title: string,
  way: AttachmentSource,
  askTarget = targetSession,
): Promise<void> {
  const { attachments, openConversation } = parts;
  const picked = await way(argument);
  if (!picked) return;
  const key = await askTarget(parts, argument, title);
  if (!key) {
    await attachments.drop(picked);
    return;
  }
  await attachments.addToDraft(key, picked);
  await openConversation(key, undefined, true);
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
