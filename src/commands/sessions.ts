import * as vscode from 'vscode';
import { askText } from '../host/askText.ts';
import { showInfo } from '../host/notify.ts';
import { serviceOf } from '../state/connection.ts';
import { sessionTitle } from '../state/describeSession.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import { type SessionReference, readSessionReferences } from '../state/sessionReference.ts';
import type { Store } from '../state/store.ts';
import type { Translate } from '../state/words.ts';
import type { Deck } from '../sync/deck.ts';
import { ToldError } from './problems.ts';
import type { CommandArgument, CommandTable } from './register.ts';
import { pickSession } from './sessionPick.ts';
import { currentOrTarget, givenSession, targetSession } from './sessionTarget.ts';

export interface SessionParts {
  readonly store: Store;
  readonly deck: Deck;
  /** Reads a session now; resolves when it is done, also when it failed. */
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly showOlder: (key: SessionKey) => Promise<void>;
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
    loadOlder: (argument) => parts.showOlder(givenSession(store, argument, t)),
    copySessionId: (argument) => vscode.env.clipboard.writeText(givenSession(store, argument, t).sessionId),
    openConversation: async (argument) => {
      const key = await targetSession(parts, argument, t('Open Conversation'));
      if (key) await parts.openConversation(key, argument.messageId);
      if (key) await bringMessage(parts, key, argument.messageId);
    },
    openConversationInEditor: async (argument) => {
      const key = await currentOrTarget(parts, argument, t('Open Conversation in Editor'));
      if (key) parts.openInEditor(key, argument.messageId);
      if (key) await bringMessage(parts, key, argument.messageId);
    },
  };
}

async function addSession(parts: SessionParts, argument: CommandArgument): Promise<void> {
  const { store, deck, t } = parts;
  const origin = serviceOf(store.connection)?.origin;
  if (origin === undefined) throw new ToldError(t('Connect to a service first; sessions belong to one.'));
  const references =
    argument.sessionId === undefined ? await askSessions(origin, t) : [{ sessionId: argument.sessionId }];
  const keys = references?.map(({ sessionId }) => ({ origin: argument.service ?? origin, sessionId })) ?? [];
  const [first] = keys;
  if (!first) return;
  if (first.origin !== origin)
    throw new ToldError(t('That session belongs to {0}, which is not connected.', first.origin));
  for (const key of keys) {
    await deck.add(key, argument.computerId);
    // Reading it says whether it exists; the deck keeps it either way.
    void parts.refresh(key).then(() => tellIfUnknown(parts, key));
  }
  await parts.openConversation(first);
}

async function askSessions(origin: string, t: Translate): Promise<readonly SessionReference[] | undefined> {
  const check = (text: string) => {
    const references = readSessionReferences(text);
    const foreign = references.find((reference) => reference.origin !== undefined && reference.origin !== origin);
    if (references.length === 0) return { message: t('Enter the ID or the URL of a session.'), isWarning: false };
    if (!foreign) return undefined;
    return { message: t('{0} is not the connected service ({1}).', foreign.origin ?? '', origin), isWarning: true };
  };
  const answer = await askText({
    title: t('Add Session'),
    prompt: t('ID or URL of a session; several at once are separated by spaces or commas.'),
    placeholder: t('Session ID or URL'),
    check,
  });
  return answer.kind === 'text' ? readSessionReferences(answer.text) : undefined;
}

async function tellIfUnknown({ store, deck, t }: SessionParts, key: SessionKey): Promise<void> {
  const problem = store.record(key)?.problem;
  if (problem?.status !== 404) return;
  const sentence = t(
    'The service does not know the session "{0}". It stays on the deck until you remove it.',
    key.sessionId,
  );
  await showInfo(sentence, { label: t('Remove Session from Deck'), run: () => deck.remove(key) });
}

/** The conversation is open; a message that is not here yet is shown as soon as it came. */
async function bringMessage(parts: SessionParts, key: SessionKey, messageId: string | undefined): Promise<void> {
  if (messageId === undefined || (await parts.bringMessage(key, messageId)) !== false) return;
  throw new ToldError(parts.t('The service does not have this message any more. The conversation is open.'));
}

async function removeSession(parts: SessionParts, argument: CommandArgument): Promise<void> {
  const { store, deck, t } = parts;
  const key =
    argument.sessionId === undefined
      ? await pickSession(parts, t('Remove Session from Deck'))
      : givenSession(store, argument, t);
  const record = key && store.record(key);
  if (!key || !record) return;
  const title = sessionTitle(record);
  await deck.remove(key);
  void showInfo(t('"{0}" was removed from the deck. The service keeps it.', title), {
    label: t('Undo'),
    run: () => deck.add(key, record.deck.computerId),
  });
}

async function refresh({ store, ...parts }: SessionParts, argument: CommandArgument): Promise<void> {
  const keys =
    argument.sessionId === undefined
      ? store.records.map((record) => record.deck.key)
      : [givenSession(store, argument, parts.t)];
  const options = { location: { viewId: 'sessionDeck.sessions' } };
  await vscode.window.withProgress(options, () => Promise.all(keys.map((key) => parts.refresh(key))));
}

/** The status bar's click: the sessions, and what else one may want there. */
async function showSessions(parts: SessionParts): Promise<void> {
  const { t } = parts;
  const key = await pickSession(parts, t('Sessions'), [
    { icon: 'add', label: t('Add Session...'), command: 'sessionDeck.addSession' },
    { icon: 'plug', label: t('Connect to Service...'), command: 'sessionDeck.connect' },
    { icon: 'key', label: t('Set API Key...'), command: 'sessionDeck.setApiKey' },
  ]);
  if (key) await parts.openConversation(key);
}
