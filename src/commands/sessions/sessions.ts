import * as vscode from 'vscode';
import { askText } from '../../host/prompts/askText.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import { describeService } from '../../state/presentation/tree.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { type SessionReference, offeredReferences, readSessionReferences } from '../../state/sessions/links.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';
import type { SessionList } from '../../sync/sessionList/sessionList.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';
import { refreshAll } from './refreshAll.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget, givenSession, pickSession, targetSession, targetSessions } from './pick.ts';

export interface SessionParts {
  readonly store: Store;
  readonly sessionList: SessionList;
  /** Reads a session now; resolves when it is done, also when it failed. */
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly showOlder: (key: SessionKey) => Promise<void>;
  readonly showMoreChildren: (key: SessionKey) => void;
  /** Brings a message that is not here yet; false where the service does not have it, undefined where it is not asked. */
  readonly bringMessage: (key: SessionKey, messageId: string) => Promise<boolean | undefined>;
  /** Makes a session the current one and shows its conversation. */
  readonly openConversation: (key: SessionKey, messageId?: string, focus?: boolean) => Promise<void>;
  readonly openInEditor: (key: SessionKey, messageId?: string) => void;
  readonly t: Translate;
}

/** Everything about which sessions there are and where they are shown. */
export function sessionCommands(parts: SessionParts): CommandTable {
  const { store, t } = parts;
  return {
    addSession: (argument) => addSession(parts, argument),
    removeSession: (argument) => removeSession(parts, argument),
    pickSession: () => showSessions(parts),
    refresh: (argument) => refresh(parts, argument),
    showMoreChildren: (argument) => parts.showMoreChildren(givenSession(store, argument, t)),
    loadOlder: (argument) => parts.showOlder(givenSession(store, argument, t)),
    copySessionId: (argument) => vscode.env.clipboard.writeText(givenSession(store, argument, t).sessionId),
    openConversation: async (argument) => {
      const key = await targetSession(parts, argument, t('Open Conversation'));
      if (key) await open(parts, key, argument.messageId, () => parts.openConversation(key, argument.messageId));
    },
    openConversationInEditor: async (argument) => {
      const key = await currentOrTarget(parts, argument, t('Open Conversation in Editor'));
      if (key) await open(parts, key, argument.messageId, () => parts.openInEditor(key, argument.messageId));
    },
  };
}

/** Who opens a child session may write to it, so it is kept on the deck from then on, below its parent. */
async function open(
  parts: SessionParts,
  key: SessionKey,
  messageId: string | undefined,
  show: () => unknown,
): Promise<void> {
  const { isTransient, parentId } = parts.store.record(key)?.listEntry ?? {};
  if (isTransient && parentId !== undefined) await parts.sessionList.add(key, { parentId });
  await show();
  await bringMessage(parts, key, messageId);
}

async function addSession(parts: SessionParts, argument: CommandArgument): Promise<void> {
  const { store, sessionList, t } = parts;
  const origin = serviceOf(store.connection)?.origin;
  if (origin === undefined) throw new NothingToDoError(t('Connect to a service first; sessions belong to one.'));
  const references =
    argument.sessionId === undefined ? await askSessions(parts, origin) : [{ sessionId: argument.sessionId }];
  const keys = references?.map(({ sessionId }) => ({ origin: argument.service ?? origin, sessionId })) ?? [];
  const [first] = keys;
  if (!first) return;
  if (first.origin !== origin)
    throw new UserFacingError(t('That session belongs to {0}, which is not connected.', first.origin));
  for (const key of keys) {
    await sessionList.add(key, argument.computerId === undefined ? {} : { computerId: argument.computerId });
  }
  // Reading them says whether they exist; the deck keeps them either way.
  void Promise.all(keys.map((key) => parts.refresh(key))).then(() => tellUnknown(parts, keys));
  await parts.openConversation(first);
}

/**
 * What is on the clipboard is read only now, and offered only where it is surely a session that is not here yet. In a
 * browser nothing is read: it would ask for a permission, or VS Code would complain that it has none.
 */
async function offeredText({ store }: SessionParts, origin: string): Promise<string> {
  if (vscode.env.uiKind === vscode.UIKind.Web) return '';
  const text = await Promise.resolve(vscode.env.clipboard.readText()).catch(() => '');
  const isNew = ({ sessionId, origin: named = origin }: SessionReference) =>
    named === origin && isAbsent(store.record({ origin, sessionId }));
  const references = offeredReferences(text).filter(isNew);
  return references.map(({ sessionId }) => sessionId).join(' ');
}

async function askSessions(parts: SessionParts, origin: string): Promise<readonly SessionReference[] | undefined> {
  const { t } = parts;
  const offered = await offeredText(parts, origin);
  const serviceName = describeService(parts.store.connection);
  const check = (text: string) => {
    const references = readSessionReferences(text);
    const foreign = references.find((reference) => reference.origin !== undefined && reference.origin !== origin);
    if (references.length === 0) return { message: t('Enter the ID or the URL of a session.'), isWarning: false };
    if (!foreign) return undefined;
    return { message: t('{0} is not the connected service ({1}).', foreign.origin ?? '', origin), isWarning: true };
  };
  const answer = await askText({
    title: serviceName === '' ? t('Add Session') : t('Add Session to {0}', serviceName),
    prompt:
      offered === ''
        ? t('ID or URL of a session; several at once are separated by spaces or commas.')
        : t('From the clipboard. Press Enter to add it, or type the ID or URL of another session.'),
    value: offered,
    placeholder: t('Session ID or URL'),
    check,
  });
  return answer.kind === 'text' ? readSessionReferences(answer.text) : undefined;
}

function isAbsent(record: SessionRecord | undefined): boolean {
  return !record || record.listEntry.isTransient === true;
}

async function tellUnknown({ store, sessionList, t }: SessionParts, keys: readonly SessionKey[]): Promise<void> {
  const unknown = keys.filter((key) => store.record(key)?.failure?.status === 404);
  const [first] = unknown;
  if (!first) return;
  if (unknown.length > 1) {
    const ids = unknown.map(({ sessionId }) => sessionId).join(', ');
    const sentence = t(
      'The service does not know {0} of these sessions: {1}. They stay on the deck.',
      unknown.length,
      ids,
    );
    const run = () => Promise.all(unknown.map((key) => sessionList.remove(key)));
    await showInfo(sentence, { label: t('Remove Them from Deck'), run });
    return;
  }
  const { computerId } = store.record(first)?.listEntry ?? {};
  const sentence =
    computerId === undefined
      ? t('The service does not know the session "{0}". It stays on the deck until you remove it.', first.sessionId)
      : t(
          'The service does not know the session "{0}", or not the computer "{1}". It stays on the deck until you remove it.',
          first.sessionId,
          computerId,
        );
  await showInfo(sentence, { label: t('Remove Session from Deck'), run: () => sessionList.remove(first) });
}

/** The conversation is open; a message that is not here yet is shown as soon as it came. */
async function bringMessage(parts: SessionParts, key: SessionKey, messageId: string | undefined): Promise<void> {
  if (messageId === undefined || (await parts.bringMessage(key, messageId)) !== false) return;
  throw new UserFacingError(parts.t('The service does not have this message any more. The conversation is open.'));
}

async function removeSession(parts: SessionParts, argument: CommandArgument): Promise<void> {
  const { store, sessionList, t } = parts;
  const keys = await sessionsToRemove(parts, argument);
  const [first] = keys.flatMap((key) => store.record(key) ?? []);
  if (!first) return;
  await Promise.all(keys.map((key) => sessionList.remove(key)));
  const sentence =
    keys.length === 1
      ? t('"{0}" was removed from the deck. The service keeps it.', sessionTitle(first))
      : t('{0} sessions were removed from the deck. The service keeps them.', keys.length);
  void showInfo(sentence, {
    label: t('Undo'),
    run: () => Promise.all(keys.map((key) => sessionList.change(key, { isListed: true }))),
  });
}

/** What is on screen is not taken as meant here: without a choice one is asked for. */
async function sessionsToRemove(parts: SessionParts, argument: CommandArgument): Promise<readonly SessionKey[]> {
  const title = parts.t('Remove Session from Deck');
  if (argument.sessionId !== undefined) return targetSessions(parts, argument, title);
  const key = await pickSession(parts, title);
  return key ? [key] : [];
}

async function refresh({ store, ...parts }: SessionParts, argument: CommandArgument): Promise<void> {
  const keys =
    argument.sessionId === undefined
      ? store.records.map((record) => record.listEntry.key)
      : await targetSessions({ store, ...parts }, argument, '');
  const options = { location: { viewId: 'lineside.sessions' } };
  await vscode.window.withProgress(options, () => refreshAll(keys, parts.refresh));
}

/** The status bar's click: the sessions, and what else one may want there. */
async function showSessions(parts: SessionParts): Promise<void> {
  const { t } = parts;
  const key = await pickSession(parts, t('Sessions'), [
    { icon: 'add', label: t('Add Session...'), command: 'lineside.addSession' },
    serviceOf(parts.store.connection)?.name === undefined
      ? { icon: 'plug', label: t('Connect to Service...'), command: 'lineside.connect' }
      : { icon: 'arrow-swap', label: t('Switch Service...'), command: 'lineside.switchService' },
    { icon: 'key', label: t('Set API Key...'), command: 'lineside.setApiKey' },
  ]);
  if (key) await parts.openConversation(key);
}
