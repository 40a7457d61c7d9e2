import * as vscode from 'vscode';
import { pickRow } from '../../host/prompts/picker.ts';
import type { CommandContext } from '../context.ts';
import type { CommandArguments, CommandHandlers } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';
import { attachmentIcons } from '../../shared/protocol/vocabulary.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import { type AttachmentSources, attachmentSources, unavailableAttachments } from './sources.ts';

type AttachArgument = CommandArguments['attach'];

/** Commands that attach something to a draft from outside the composer. */
export function attachingCommands(context: CommandContext) {
  const { attachments, t } = context;
  const sources = attachmentSources(attachments, t);
  const from = (source: AttachmentSource) => (argument: AttachArgument) => attach(context, argument, source);
  return {
    attachFile: from(sources.file),
    attachSelection: from(sources.selection),
    attachSymbol: from(sources.symbol),
    attachFolder: from(sources.folder),
    attachImages: from(sources.image),
    attachOpenEditors: from(sources.openEditors),
    attachProblems: from(sources.problems),
    attachDiff: from(sources.diff),
    attachNotebookCells: from(sources.notebook),
    attachTerminalOutput: from(sources.terminal),
    attach: async (argument) => {
      const source = await chooseSource(sources, t('Attach'));
      if (source) await attach(context, argument, source);
    },
  } satisfies Partial<CommandHandlers>;
}

/**
 * Attaches to the draft of the given session, or else of the session in the active conversation. Asks for a session
 * only if there is neither, and before the user chooses what to attach.
 * @throws UserFacingError if the list is empty or doesn't contain the given session. UserFacingError or NotAttachable
 * if there is nothing to attach, or if the content can't be attached.
 */
async function attach(context: CommandContext, argument: AttachArgument, source: AttachmentSource): Promise<void> {
  const { attachments, navigation } = context;
  const key = await activeOrTarget(context, argument, source.title);
  const stored = key && (await source.choose(argument));
  if (!stored) return;
  await attachments.addToDraft(key, stored);
  await navigation.openConversation(key, undefined, true);
}

/**
 * Lets the user select a source. If a source has nothing to attach, its description explains why. Such a source can be
 * selected, too, and then reports the reason itself.
 */
async function chooseSource(sources: AttachmentSources, title: string): Promise<AttachmentSource | undefined> {
  const reasons = await unavailableAttachments(sources);
  const items = Object.values(sources).map((source: AttachmentSource) => ({
    label: source.label,
    description: reasons[source.kind] ?? '',
    iconPath: new vscode.ThemeIcon(attachmentIcons[source.kind]),
    source,
  }));
  return (await pickRow(items, { title }))?.source;
}
