import * as vscode from 'vscode';
import { defined } from '../../shared/defined.ts';
import { confirm, showInfo } from '../../host/prompts/notify.ts';
import { reasonOf } from '../../shared/log.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { type LinkProblem, readSessionLink, type SessionLink } from '../../state/sessions/links.ts';
import { serviceOf } from '../../state/store/connection.ts';
import type { NamedService } from '../../sync/connection/services.ts';
import type { CommandContext } from '../context.ts';
import { showCommandError, UserFacingError } from '../errors.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { linkOf } from './messageLinks.ts';
import { targetSessions } from './pick.ts';

/** The command that copies links to sessions and messages. */
export function linkCommands(context: CommandContext): CommandTable {
  return { copyLink: (argument) => copyLink(context, argument) };
}

/** Follows links of the form `vscode://lineside.lineside/open?session=...&service=...&message=...`. */
export class LinkFollower {
  readonly #context: CommandContext;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** Opens the session and message that a link refers to. Never rejects: a failure is shown to the user. */
  async follow(uri: vscode.Uri): Promise<void> {
    try {
      await this.#context.lifecycle.ensureStarted();
      await follow(this.#context, uri);
    } catch (error) {
      this.#context.log.error(`could not follow a link: ${reasonOf(error)}`);
      void showCommandError(error, this.#context, () => this.follow(uri));
    }
  }
}

async function copyLink(context: CommandContext, argument: CommandArgument): Promise<void> {
  const { t } = context;
  const keys = await targetSessions(context, argument, t('Copy Link'));
  const rowKey = keys.length === 1 ? argument.messageId : undefined;
  const links = keys.map((key) => linkOf(context.store, key, rowKey));
  if (links.length > 0) await vscode.env.clipboard.writeText(links.join('\n'));
}

/** Opens the session of a link. A session that is not in the list is added only if the user confirms. */
async function follow(context: CommandContext, uri: vscode.Uri): Promise<void> {
  const { store, sessionList, sessions, t } = context;
  const link = readSessionLink(uri.path, uri.query);
  if (typeof link === 'string') throw new UserFacingError(linkErrorMessage(link, t));
  const origin = await connectedOrigin(context, link);
  if (origin === undefined) return;
  const key = { origin, sessionId: link.sessionId };
  const record = store.record(key);
  if (!record || record.listEntry.isTransient) {
    const isConfirmed = await confirm(
      t('Do you want to add the session from this link to your list?'),
      t('Session "{0}" on {1}. Adding it doesn\'t send anything to it.', plainLine(link.sessionId, 120), origin),
      t('Add Session'),
    );
    if (!isConfirmed) return;
    await sessionList.add(key);
    void sessions.refresh(key);
  }
  const { sessionId, messageId } = link;
  const target = { sessionId, service: origin, ...defined({ messageId }) };
  await vscode.commands.executeCommand('lineside.openConversation', target);
}

/**
 * Resolves to the origin of the link's service, after switching to it if the user confirms. Undefined if the service is
 * not the current one afterward.
 */
async function connectedOrigin(context: CommandContext, link: SessionLink): Promise<string | undefined> {
  const { store, connections, t } = context;
  const current = () => serviceOf(store.connection)?.origin;
  const isConnected = () => current() !== undefined && (link.origin ?? current()) === current();
  if (isConnected()) return current();
  const known = connections.known.services.find(({ origin }) => origin === link.origin);
  if (known) await offerSwitch(context, known);
  else {
    // Anyone can create a link, so its service URL is never prefilled. The user might enter a key for it by mistake.
    const message =
      link.origin === undefined
        ? t("The link doesn't specify a service. Connect to the session's service first.")
        : t('The link opens a session on {0}. Connect to that service first.', link.origin);
    const connect = () => vscode.commands.executeCommand('lineside.connect');
    await showInfo(message, { label: t('Connect to Service...'), run: connect });
  }
  return isConnected() ? current() : undefined;
}

async function offerSwitch(context: CommandContext, { name, baseUrl, origin }: NamedService): Promise<void> {
  const { t } = context;
  const isConfirmed = await confirm(
    t('The link opens a session on "{0}". Switch to this service?', plainLine(name, 60)),
    t(
      '{0}. Drafts and queued messages for the current service are saved. Sending resumes when you switch back.',
      baseUrl,
    ),
    t('Switch Service'),
  );
  if (isConfirmed) await vscode.commands.executeCommand('lineside.switchService', { service: origin });
}

function linkErrorMessage(problem: LinkProblem, t: Translate): string {
  switch (problem) {
    case 'notOurs':
      return t("Lineside doesn't support this type of link.");
    case 'noSession':
      return t("The link doesn't contain a session ID.");
    case 'badService':
      return t('The service URL in the link is invalid.');
  }
}
