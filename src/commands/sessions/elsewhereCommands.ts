import * as vscode from 'vscode';
import { openExternalAddress } from '../../host/externalOpener.ts';
import { plainLabel } from '../../host/prompts/editorText.ts';
import { settings } from '../../host/settings.ts';
import { defined } from '../../shared/defined.ts';
import { plainLine } from '../../shared/text.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { describeTemplateFailure } from '../../state/presentation/describeTemplateFailure.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { fillCommand } from '../../state/templates/commandTemplate.ts';
import type { TemplateIds } from '../../state/templates/placeholders.ts';
import { fillUrl } from '../../state/templates/urlTemplate.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError, UserFacingError } from '../commandErrors.ts';
import type { CommandHandlers, MessageArgument } from '../commandArguments.ts';
import { messageIdOf } from './messageLinks.ts';
import { activeOrTarget } from './pick.ts';
import { isApproved, printedCommand } from './templateApproval.ts';

const urlSetting = 'lineside.openInBrowser.url';
const commandSetting = 'lineside.openInTerminal.command';

/**
 * The commands that open a session in the user's own tools, with the templates in the settings. Each template is shown
 * with its IDs filled in before its first use, even if the command was called programmatically.
 */
export function elsewhereCommands(context: CommandContext) {
  return {
    openInBrowser: (argument) => openInBrowser(context, argument),
    openInTerminal: (argument) => openInTerminal(context, argument),
  } satisfies Partial<CommandHandlers>;
}

async function openInBrowser(context: CommandContext, argument: MessageArgument): Promise<void> {
  const { t } = context;
  const template = settings.browserTemplate.read();
  requireTemplate(context, template !== '', urlSetting);
  const record = await targetRecord(context, argument, t('Open in Browser'));
  if (!record) return;
  const filled = fillUrl(template, idsOf(context, record, argument));
  if ('failure' in filled) throw new UserFacingError(describeTemplateFailure(filled.failure, urlSetting, t));
  const { url } = filled;
  if (!(await isApproved(context, urlSetting, template, t('Open this URL?'), url, t('Open')))) return;
  await openExternalAddress(url);
}

async function openInTerminal(context: CommandContext, argument: MessageArgument): Promise<void> {
  const { t } = context;
  const template = settings.terminalTemplate.read();
  requireTemplate(context, template.length > 0, commandSetting);
  const record = await targetRecord(context, argument, t('Open in Terminal'));
  if (!record) return;
  const filled = fillCommand(template, idsOf(context, record, argument));
  if ('failure' in filled) throw new UserFacingError(describeTemplateFailure(filled.failure, commandSetting, t));
  const question = t('Run this command in a terminal?');
  const stored = JSON.stringify(template);
  if (!(await isApproved(context, commandSetting, stored, question, printedCommand(filled), t('Run')))) return;
  const terminal = vscode.window.createTerminal({
    name: plainLabel(plainLine(sessionTitle(record), 40)),
    shellPath: filled.program,
    shellArgs: [...filled.args],
    isTransient: true,
  });
  terminal.show();
}

/** @throws NothingToDoError in Restricted Mode, or if the setting contains no template. */
function requireTemplate({ t }: CommandContext, hasTemplate: boolean, setting: string): void {
  if (!vscode.workspace.isTrusted) {
    throw new NothingToDoError(t("This command isn't available in Restricted Mode. Trust the workspace to use it."));
  }
  if (!hasTemplate) throw new NothingToDoError(t('To use this command, set "{0}" first.', setting));
}

async function targetRecord(
  context: CommandContext,
  argument: MessageArgument,
  title: string,
): Promise<SessionRecord | undefined> {
  const key = await activeOrTarget(context, argument, title);
  return key && context.store.record(key);
}

/** The IDs that are known for a session, and for the message of a row if one is given. */
function idsOf({ store }: CommandContext, record: SessionRecord, { messageId }: MessageArgument): TemplateIds {
  const { key, computerId } = record.listEntry;
  return {
    sessionId: key.sessionId,
    ...defined({
      computerId: record.session?.computerId ?? computerId,
      messageId: messageId === undefined ? undefined : listedId(record, messageIdOf(store, key, messageId)),
    }),
  };
}

/** The ID, unless it belongs to a message that the service doesn't have yet. */
function listedId({ outbox }: SessionRecord, id: string): string | undefined {
  return outbox.some(({ entryId }) => entryId === id) ? undefined : id;
}
