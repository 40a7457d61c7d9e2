import * as vscode from 'vscode';
import { pickRow } from '../../host/prompts/askChoice.ts';
import type { CommandContext } from '../context.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget } from '../sessions/pick.ts';
import { attachmentIcons } from '../../shared/protocol/vocabulary.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import { type AttachmentSources, attachmentSources, unavailableAttachments } from './sources.ts';

/** Commands that attach something to a draft from outside the composer. */
export function attachingCommands(context: CommandContext): CommandTable {
  const { attachments, t } = context;
  const sources = attachmentSources(attachments, t);
  const bySource = Object.values(sources).flatMap((source: AttachmentSource) =>
    source.command === undefined
      ? []
      : [[source.command, (argument: CommandArgument) => attach(context, argument, source)] as const],
  );
  return {
    ...Object.fromEntries(bySource),
    attach: async (argument) => {
      const source = await chooseSource(sources, t('Attach'));
      if (source) await attach(context, argument, source);
    },
  };
}

/** Attaches to the draft of the current conversation. Asks for a session only if there is none. */
async function attach(context: CommandContext, argument: CommandArgument, source: AttachmentSource): Promise<void> {
  const { attachments, navigation } = context;
  const stored = await source.choose(argument);
  if (!stored) return;
  const key = await currentOrTarget(context, argument, source.title);
  if (!key) {
    await attachments.drop(stored);
    return;
  }
  await attachments.addToDraft(key, stored);
  await navigation.openConversation(key, undefined, true);
}

/**
 * Lets the user select a source. If a source has nothing to attach, its description explains why; selecting it shows
 * the explanation again.
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
