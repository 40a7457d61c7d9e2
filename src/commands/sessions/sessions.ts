import * as vscode from 'vscode';
import { askText } from '../../host/prompts/askText.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import { describeService } from '../../state/presentation/tree.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { type SessionReference, offeredReferences, readSessionReferences } from '../../state/sessions/links.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';
import { refreshAll } from './refreshAll.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget, givenSession, pickSession, targetSession, targetSessions } from './pick.ts';

/** Everything about which sessions there are and where they are shown. */
export function sessionCommands(context: CommandContext): CommandTable {
  const { store, navigation, t } = context;
  return {
    addSession: (argument) => addSession(context, argument),
    removeSession: (argument) => removeSession(context, argument),
    pickSession: () => showSessions(context),
    refresh: (argument) => refresh(context, argument),
    showMoreChildren: (argument) => navigation.showMoreChildren(givenSession(store, argument, t)),
    loadOlder: (argument) => navigation.showOlder(givenSession(store, argument, t)),
    copySessionId: (argument) => vscode.env.clipboard.writeText(givenSession(store, argument, t).sessionId),
    openConversation: async (argument) => {
      const key = await targetSession(context, argument, t('Open Conversation'));
      if (key) await open(context, key, argument.messageId, () => navigation.openConversation(key, argument.messageId));
    },
    openConversationInEditor: async (argument) => {
      const key = await currentOrTarget(context, argument, t('Open Conversation in Editor'));
      if (key) await open(context, key, argument.messageId, () => navigation.openInEditor(key, argument.messageId));
    },
  };
}

/** Who opens a child session may write to it, so it is kept on the deck from then on, below its parent. */
async function open(
  context: CommandContext,
  key: SessionKey,
  messageId: string | undefined,
  show: () => unknown,
): Promise<void> {
  const { isTransient, parentId } = context.store.record(key)?.listEntry ?? {};
  if (isTransient && parentId !== undefined) await context.sessionList.add(key, { parentId });
  await show();
  await fetchMessage(context, key, messageId);
}

async function addSession(context: CommandContext, argument: CommandArgument): Promise<void> {
  const { store, sessionList, t } = context;
  const origin = serviceOf(store.connection)?.origin;
  if (origin === undefined) throw new NothingToDoError(t('Connect to a service first; sessions belong to one.'));
  const references =
    argument.sessionId === undefined ? await askSessions(context, origin) : [{ sessionId: argument.sessionId }];
  const keys = references?.map(({ sessionId }) => ({ origin: argument.service ?? origin, sessionId })) ?? [];
  const [first] = keys;
  if (!first) return;
  if (first.origin !== origin)
    throw new UserFacingError(t('That session belongs to {0}, which is not connected.', first.origin));
  for (const key of keys) {
    await sessionList.add(key, argument.computerId === undefined ? {} : { computerId: argument.computerId });
  }
  // ConversationFilter them says whether they exist; the deck keeps them either way.
  void Promise.all(keys.map((key) => context.sessions.refresh(key))).then(() => tellUnknown(context, keys));
  await context.navigation.openConversation(first);
}

/**
 * What is on the clipboard is read only now, and offered only where it is surely a session that is not here yet. In a
 * browser nothing is read: it would ask for a permission, or VS Code would complain that it has none.
 */
async function offeredText({ store }: CommandContext, origin: string): Promise<string> {
  if (vscode.env.uiKind === vscode.UIKind.Web) return '';
  const text = await Promise.resolve(vscode.env.clipboard.readText()).catch(() => '');
  const isNew = ({ sessionId, origin: named = origin }: SessionReference) =>
    named === origin && isAbsent(store.record({ origin, sessionId }));
  const references = offeredReferences(text).filter(isNew);
  return references.map(({ sessionId }) => sessionId).join(' ');
}

async function askSessions(context: CommandContext, origin: string): Promise<readonly SessionReference[] | undefined> {
  const { t } = context;
  const offered = await offeredText(context, origin);
  const serviceName = describeService(context.store.connection);
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

async function tellUnknown({ store, sessionList, t }: CommandContext, keys: readonly SessionKey[]): Promise<void> {
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
async function fetchMessage(context: CommandContext, key: SessionKey, messageId: string | undefined): Promise<void> {
  if (messageId === undefined || (await context.sessions.fetchMessage(key, messageId)) !== false) return;
  throw new UserFacingError(context.t('The service does not have this message any more. The conversation is open.'));
}

async function removeSession(context: CommandContext, argument: CommandArgument): Promise<void> {
  const { store, sessionList, t } = context;
  const keys = await sessionsToRemove(context, argument);
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
async function sessionsToRemove(context: CommandContext, argument: CommandArgument): Promise<readonly SessionKey[]> {
  const title = context.t('Remove Session from Deck');
  if (argument.sessionId !== undefined) return targetSessions(context, argument, title);
  const key = await pickSession(context, title);
  return key ? [key] : [];
}

async function refresh(context: CommandContext, argument: CommandArgument): Promise<void> {
  const { store, sessions } = context;
  const keys =
    argument.sessionId === undefined
      ? store.records.map((record) => record.listEntry.key)
      : await targetSessions(context, argument, '');
  const options = { location: { viewId: 'lineside.sessions' } };
  await vscode.window.withProgress(options, () => refreshAll(sessions, keys));
}

/** The status bar's click: the sessions, and what else one may want there. */
async function showSessions(context: CommandContext): Promise<void> {
  const { t } = context;
  const key = await pickSession(context, t('Sessions'), [
    { icon: 'add', label: t('Add Session...'), command: 'lineside.addSession' },
    serviceOf(context.store.connection)?.name === undefined
      ? { icon: 'plug', label: t('Connect to Service...'), command: 'lineside.connect' }
      : { icon: 'arrow-swap', label: t('Switch Service...'), command: 'lineside.switchService' },
    { icon: 'key', label: t('Set API Key...'), command: 'lineside.setApiKey' },
  ]);
  if (key) await context.navigation.openConversation(key);
}
