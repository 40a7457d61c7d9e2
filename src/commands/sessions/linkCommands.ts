import * as vscode from 'vscode';
import { defined } from '../../shared/defined.ts';
import { Batcher } from '../../shared/batcher.ts';
import { confirm, showInfo } from '../../host/prompts/notify.ts';
import { reasonOf } from '../../shared/log.ts';
import { namesList, plainLine, type Translate } from '../../shared/text.ts';
import { type LinkFailure, readSessionLink, type SessionLink } from '../../state/sessions/sessionLinks.ts';
import { serviceOf } from '../../state/store/connection.ts';
import type { NamedService } from '../../sync/connection/namedServices.ts';
import type { CommandContext } from '../context.ts';
import { notify, showCommandError, UserFacingError } from '../commandErrors.ts';
import type { CommandArguments, CommandHandlers } from '../commandArguments.ts';
import { linkOf } from './messageLinks.ts';
import { targetSessions } from './pick.ts';
import { refreshAll } from './refreshAll.ts';
import { openSession } from './openSession.ts';

/** The command that copies links to sessions and messages. */
export function linkCommands(context: CommandContext) {
  return { copyLink: (argument) => copyLink(context, argument) } satisfies Partial<CommandHandlers>;
}

/**
 * The delay after the last link before the user is asked, so that many links, for example from a page that opens them
 * in a loop, cause only one question.
 */
const collectMs = 250;
/** The maximum number of session IDs to name in a question. */
const mostNamedIds = 10;

/**
 * Follows links of the form `vscode://lineside.lineside/open?session=...`. The parameters `service`, `computer`, and
 * `message` are optional.
 */
export class LinkFollower {
  readonly #context: CommandContext;
  readonly #batches = new Batcher<vscode.Uri>(collectMs, (uris) => this.#followAll(uris));

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /**
   * Opens the session and message that a link refers to. Of links that arrive in quick succession, only the last one is
   * opened. Never rejects: a failure is shown to the user.
   */
  follow(uri: vscode.Uri): Promise<void> {
    return this.#batches.add(uri);
  }

  async #followAll(uris: readonly vscode.Uri[]): Promise<void> {
    try {
      await this.#context.lifecycle.ensureStarted();
      await followLinks(this.#context, uris, this);
    } catch (error) {
      this.#context.log.error(`could not follow a link: ${reasonOf(error)}`);
      void showCommandError(error, this.#context, () => this.#followAll(uris));
    }
  }
}

async function copyLink(context: CommandContext, argument: CommandArguments['copyLink']): Promise<void> {
  const { t } = context;
  const keys = await targetSessions(context, argument, t('Copy Link'));
  const rowKey = keys.length === 1 ? argument.messageId : undefined;
  const links = keys.map((key) => linkOf(context.store, key, rowKey));
  if (links.length > 0) await vscode.env.clipboard.writeText(links.join('\n'));
}

/**
 * Opens the session of the last link whose session is in the list. Before that, asks once whether to add the sessions
 * that aren't. Invalid links, and links to a service other than that of the first valid link, are only counted.
 * @throws UserFacingError if no link is valid.
 */
async function followLinks(
  context: CommandContext,
  uris: readonly vscode.Uri[],
  follower: LinkFollower,
): Promise<void> {
  const { store, t } = context;
  const read = uris.map((uri) => readSessionLink(uri.path, uri.query));
  const links = read.filter((link) => typeof link === 'object');
  const [first] = links;
  const [failure = 'notOurs'] = read.filter((link) => typeof link === 'string');
  if (!first) throw new UserFacingError(linkErrorMessage(failure, t));
  const connect = async () => {
    await context.commands.run('connect', {});
    if (knownOrigin(context, first) !== undefined) await Promise.all(uris.map((uri) => follower.follow(uri)));
  };
  const origin = await connectedOrigin(context, first, connect);
  if (origin === undefined) return;
  const here = links.filter((link) => (link.origin ?? origin) === origin);
  const isListed = ({ sessionId }: SessionLink) => {
    const record = store.record({ origin, sessionId });
    return record !== undefined && !record.listEntry.isTransient;
  };
  const unknown = new Map(here.filter((link) => !isListed(link)).map((link) => [link.sessionId, link]));
  if (unknown.size > 0) await offerToAdd(context, origin, [...unknown.values()]);
  const skippedCount = uris.length - here.length;
  if (skippedCount > 0) {
    const message = t('Skipped {0} of {1} links: invalid, or for another service.', skippedCount, uris.length);
    void showInfo(message);
  }
  const last = here.findLast(isListed);
  if (!last) return;
  await openSession(context, { origin, sessionId: last.sessionId }, last.messageId);
}

async function offerToAdd(context: CommandContext, origin: string, links: readonly SessionLink[]): Promise<void> {
  const { sessionList, sessions, t } = context;
  const sessionIds = links.map(({ sessionId }) => sessionId);
  const [first] = links;
  const computerIds = links.flatMap(({ computerId }) => computerId ?? []);
  const computer =
    first?.computerId === undefined
      ? []
      : [t('It will be read from computer "{0}".', plainLine(first.computerId, 120))];
  const computers =
    computerIds.length === 0
      ? []
      : [t('Sessions are read from the computers in their links: {0}.', namesList(computerIds, mostNamedIds, 60, t))];
  const isConfirmed =
    sessionIds.length === 1
      ? await confirm(
          t('Do you want to add the session from this link to your list?'),
          [
            t(
              'Session "{0}" on {1}. Adding it doesn\'t send anything to it.',
              plainLine(first?.sessionId ?? '', 120),
              origin,
            ),
            ...computer,
          ].join(' '),
          t('Add Session'),
        )
      : await confirm(
          t({ other: 'Do you want to add {0} sessions from links to your list?' }, sessionIds.length),
          [
            t(
              "On {0}: {1}. Adding them doesn't send anything to them.",
              origin,
              namesList(sessionIds, mostNamedIds, 60, t),
            ),
            ...computers,
          ].join(' '),
          t('Add Sessions'),
        );
  if (!isConfirmed) return;
  for (const link of links) {
    await sessionList.add({ origin, sessionId: link.sessionId }, defined({ computerId: link.computerId }));
  }
  void refreshAll(
    sessions,
    sessionIds.map((id) => ({ origin, sessionId: id })),
  );
}

/** The origin of the link's service, or else of the current one; undefined if its sessions can't be in the list. */
function knownOrigin({ store }: CommandContext, link: SessionLink): string | undefined {
  const origin = link.origin ?? serviceOf(store.connection)?.origin;
  return origin !== undefined && store.connectionOf(origin).kind !== 'noService' ? origin : undefined;
}

/**
 * Resolves to the origin of the link's service. If the service isn't connected, lets the user leave the demo, or shows
 * a notification with a button that calls `connect`, and resolves to undefined if it still isn't connected.
 */
async function connectedOrigin(
  context: CommandContext,
  link: SessionLink,
  connect: () => Promise<void>,
): Promise<string | undefined> {
  const { connections, t } = context;
  const origin = knownOrigin(context, link);
  if (origin !== undefined) return origin;
  const known = connections.known.services.find((service) => service.origin === link.origin);
  if (known && connections.isTemporary) {
    await offerSwitch(context, known);
    return knownOrigin(context, link);
  }
  // Anyone can create a link, so its service URL is never prefilled. The user might enter a key for it by mistake.
  const message =
    link.origin === undefined
      ? t("The link doesn't specify a service. Connect to the session's service first.")
      : t('The link opens a session on {0}. Connect to that service first.', link.origin);
  // A notification that the user ignores never ends, and must not hold up later links.
  void notify(showInfo, context, message, { label: t('Connect to Service...'), run: connect });
  return undefined;
}

/** Offers to leave the demo, which replaces the user's services. */
async function offerSwitch(context: CommandContext, { name, baseUrl, origin }: NamedService): Promise<void> {
  const { commands, t } = context;
  const isConfirmed = await confirm(
    t('The link opens a session on "{0}". Switch to this service?', plainLine(name, 60)),
    t('Base URL: {0}', baseUrl),
    t('Switch Service'),
  );
  if (isConfirmed) await commands.run('switchService', { service: origin }, 'script');
}

function linkErrorMessage(failure: LinkFailure, t: Translate): string {
  switch (failure) {
    case 'notOurs':
      return t("Lineside doesn't support this type of link.");
    case 'noSession':
      return t("The link doesn't contain a session ID.");
    case 'badService':
      return t('The service URL in the link is invalid.');
  }
}
