import * as vscode from 'vscode';
import { extensionId } from '../../host/editors/git.ts';
import { confirm, showInfo } from '../../host/prompts/notify.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { type LinkProblem, readSessionLink, sessionLink, type SessionLink } from '../../state/sessions/links.ts';
import { serviceOf } from '../../state/store/connection.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Connections } from '../../sync/connection/connections.ts';
import type { NamedService } from '../../sync/connection/services.ts';
import type { SessionList } from '../../sync/sessionList/sessionList.ts';
import { UserFacingError } from '../errors.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { targetSessions } from './pick.ts';

/** The link to a session, or to the message of one of its rows, for this editor. */
export function linkOf(store: Store, key: SessionKey, rowKey: string | undefined): string {
  const { origin, sessionId } = key;
  const message = rowKey === undefined ? {} : { messageId: messageIdOf(store, key, rowKey) };
  return sessionLink(vscode.env.uriScheme, extensionId, { sessionId, origin, ...message });
}

/** The message a row stands for: one that was sent from here keeps the key it had on its way. */
export function messageIdOf(store: Store, key: SessionKey, rowKey: string): string {
  const entries = [...(store.record(key)?.entryIdByMessageId ?? [])];
  return entries.find(([, entryId]) => entryId === rowKey)?.[0] ?? rowKey;
}

export interface LinkParts {
  readonly store: Store;
  readonly sessionList: SessionList;
  readonly connections: Connections;
  readonly refresh: (key: SessionKey) => Promise<void>;
  /** Reads what is kept, once: links may be what starts the extension. */
  readonly wake: () => Promise<void>;
  readonly log: Log;
  readonly t: Translate;
}

/** Links to sessions and messages, for other people and other programs. */
export function linkCommands(parts: LinkParts): CommandTable {
  return { copyLink: (argument) => copyLink(parts, argument) };
}

/** Follows a link: `vscode://lineside.lineside/open?session=...&service=...&message=...`. Never rejects. */
export function linkFollower(
  parts: LinkParts,
  tell: (error: unknown, retry: () => unknown) => unknown,
): (uri: vscode.Uri) => Promise<void> {
  const followLink = async (uri: vscode.Uri): Promise<void> => {
    try {
      await parts.wake();
      await follow(parts, uri);
    } catch (error) {
      parts.log.error(`a link could not be followed: ${reasonOf(error)}`);
      tell(error, () => followLink(uri));
    }
  };
  return followLink;
}

async function copyLink(parts: LinkParts, argument: CommandArgument): Promise<void> {
  const { t } = parts;
  const keys = await targetSessions(parts, argument, t('Copy Link'));
  const rowKey = keys.length === 1 ? argument.messageId : undefined;
  const links = keys.map((key) => linkOf(parts.store, key, rowKey));
  if (links.length > 0) await vscode.env.clipboard.writeText(links.join('\n'));
}

/** A link opens a session of the deck; one that is not on it is added only where the user says so. */
async function follow(parts: LinkParts, uri: vscode.Uri): Promise<void> {
  const { store, sessionList, refresh, t } = parts;
  const link = readSessionLink(uri.path, uri.query);
  if (typeof link === 'string') throw new UserFacingError(linkSentence(link, t));
  const origin = await connectedOrigin(parts, link);
  if (origin === undefined) return;
  const key = { origin, sessionId: link.sessionId };
  const record = store.record(key);
  if (!record || record.listEntry.isTransient) {
    const isWanted = await confirm(
      t('A link wants to add a session to the deck. Add it?'),
      t('Session "{0}" of {1}. Nothing is sent to it.', plainLine(link.sessionId, 120), origin),
      t('Add Session'),
    );
    if (!isWanted) return;
    await sessionList.add(key);
    void refresh(key);
  }
  const { sessionId, messageId } = link;
  const target = { sessionId, service: origin, ...(messageId === undefined ? {} : { messageId }) };
  await vscode.commands.executeCommand('lineside.openConversation', target);
}

/** The origin the link is about, connected to where the user says so; undefined where they do not. */
async function connectedOrigin(parts: LinkParts, link: SessionLink): Promise<string | undefined> {
  const { store, connections, t } = parts;
  const current = () => serviceOf(store.connection)?.origin;
  const isConnected = () => current() !== undefined && (link.origin ?? current()) === current();
  if (isConnected()) return current();
  const known = connections.known.services.find(({ origin }) => origin === link.origin);
  if (known) await offerSwitch(parts, known);
  else {
    // The address in a link is anybody's: it is not filled in, where a key might follow it by mistake.
    const sentence =
      link.origin === undefined
        ? t('The link does not say which service its session belongs to. Connect to that service first.')
        : t('The link is about a session of {0}, which is not connected. Connect to it first.', link.origin);
    const connect = () => vscode.commands.executeCommand('lineside.connect');
    await showInfo(sentence, { label: t('Connect to Service...'), run: connect });
  }
  return isConnected() ? current() : undefined;
}

async function offerSwitch(parts: LinkParts, { name, baseUrl, origin }: NamedService): Promise<void> {
  const { t } = parts;
  const isWanted = await confirm(
    t('The link is about a session of "{0}". Switch to this service?', plainLine(name, 60)),
    t('{0}. Drafts and unsent messages of the service you are using are kept and go on when you switch back.', baseUrl),
    t('Switch Service'),
  );
  if (isWanted) await vscode.commands.executeCommand('lineside.switchService', { service: origin });
}

function linkSentence(problem: LinkProblem, t: Translate): string {
  switch (problem) {
    case 'notOurs':
      return t('Lineside does not know this kind of link. Nothing was opened.');
    case 'noSession':
      return t('The link does not name a session. Nothing was opened.');
    case 'badService':
      return t('The link names a service that is no web address. Nothing was opened.');
  }
}
