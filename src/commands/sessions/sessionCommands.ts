import * as vscode from 'vscode';
import { withViewProgress } from '../../host/prompts/progress.ts';
import { defined } from '../../shared/defined.ts';
import { askText } from '../../host/prompts/askText.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { isNotFound } from '../../state/presentation/describeSession.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { describeService } from '../../state/presentation/describeTree.ts';
import { Disposables, onDispose } from '../../shared/lifecycle.ts';
import { namesList, type Translate, plainLine } from '../../shared/text.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import {
  type SessionReference,
  offeredReferences,
  readDroppedReferences,
  readSessionReferences,
  referenceText,
} from '../../state/sessions/sessionLinks.ts';
import type { CommandContext } from '../context.ts';
import { takingEntered } from '../enteredFailure.ts';
import { NothingToDoError, notify, UserFacingError } from '../commandErrors.ts';
import { openSession, openSessionInEditor } from './openSession.ts';
import { refreshAll } from './refreshAll.ts';
import { argumentOf, type CommandArguments, type CommandHandlers, type SessionsArgument } from '../commandArguments.ts';
import { activeOrTarget, givenSession, pickSession, targetSession, targetSessions } from './pick.ts';

/** The maximum number of sessions that a notification names. */
const mostNamedIds = 10;

/** Commands that add, remove, refresh, and open sessions. */
export function sessionCommands(context: CommandContext) {
  const { store, navigation, t } = context;
  return {
    addSession: (argument) => addSession(context, argument),
    removeSession: (argument) => removeSession(context, argument),
    pickSession: () => showSessions(context),
    refresh: (argument) => refresh(context, argument),
    openRow: () => openRow(context),
    copySessionId: (argument) => vscode.env.clipboard.writeText(givenSession(store, argument, t).sessionId),
    openConversation: async (argument) => {
      const key = await targetSession(context, argument, t('Open Conversation'));
      if (key) await openSession(context, key, argument.messageId);
    },
    openConversationInEditor: async (argument) => {
      const key = await activeOrTarget(context, argument, t('Open Conversation in Editor'));
      if (key) await openSessionInEditor(context, key, argument.messageId);
    },
    moveConversationToSideBar: async (argument) => {
      const key = await activeOrTarget(context, argument, t('Move Conversation to Side Bar'));
      if (key) await navigation.moveToSideBar(key);
    },
  } satisfies Partial<CommandHandlers>;
}

/**
 * Runs the action of the clicked row of the tree.
 * @throws NothingToDoError if VS Code doesn't say which row was clicked.
 */
async function openRow(context: CommandContext): Promise<void> {
  const { navigation, commands, t } = context;
  const row = await navigation.clickedRow();
  if (row === 'unknown') throw new NothingToDoError(t('VS Code is still drawing the Sessions view. Try again.'));
  if (row?.kind === 'session') await commands.run('openConversation', argumentOf(row.key));
  if (row?.kind === 'message') {
    await commands.run('openConversation', { ...argumentOf(row.key), messageId: row.messageId });
  }
  if (row?.kind === 'changedFile') await commands.run('showChanges', { ...argumentOf(row.key), path: row.path });
  if (row?.kind === 'older') await loadOlder(context, row.key);
  if (row?.kind === 'moreChildren') navigation.showMoreChildren(row.key);
  if (row?.kind === 'moreSessions') navigation.showMoreSessions(row.parent);
}

/**
 * Shows older messages in the tree, and loads them if necessary, unless a load is running. If loading fails, the row
 * says so.
 * @throws UserFacingError if the service of the session can't be used.
 */
async function loadOlder(
  { navigation, lifecycle, sessions, store, t }: CommandContext,
  key: SessionKey,
): Promise<void> {
  if (!navigation.showOlder(key)) return;
  await lifecycle.ensureStarted();
  const connection = store.connectionOf(key.origin);
  if (connection.kind !== 'ready') {
    const name = plainLine(serviceOf(connection)?.name ?? key.origin, 60);
    throw new UserFacingError(
      connection.kind === 'noKey' || connection.kind === 'keyRejected'
        ? t("Can't load older messages. Check your API key for {0}.", name)
        : t("Can't load older messages. {0} isn't connected.", name),
    );
  }
  if (!store.record(key)?.history.isLoading) await sessions.loadOlder(key);
}

/**
 * Adds the sessions of the argument, or asks for sessions of its service, which is the current one by default; `lead`
 * is the first sentence of the prompt. Opens the first session unless the service doesn't know it.
 * @throws UserFacingError if there is no service, or if nothing that was dropped is a session of a connected service;
 * otherwise, as {@link takingEntered} does, for example if the service of a session isn't connected. Then no session is
 * added.
 */
export async function addSession(
  context: CommandContext,
  argument: CommandArguments['addSession'],
  lead?: string,
): Promise<void> {
  const { store, t } = context;
  const origin = argument.service ?? serviceOf(store.connection)?.origin;
  if (origin === undefined) throw new NothingToDoError(t('Connect to a service before you add sessions.'));
  const references = givenReferences(argument, store, origin, t) ?? (await askSessions(context, origin, lead));
  if (references) await takingEntered(() => addReferences(context, references, origin, argument.computerId));
}

/**
 * Adds sessions, and opens the first one. `origin` is the service of references without a service. If `computerId` is
 * given, it replaces the computers of all references.
 * @throws UserFacingError if the service of a reference isn't connected; then no session is added.
 */
async function addReferences(
  context: CommandContext,
  references: readonly SessionReference[],
  origin: string,
  computerId: string | undefined,
): Promise<void> {
  const { store, sessionList, t } = context;
  const keyOf = (reference: SessionReference) => ({
    origin: reference.origin ?? origin,
    sessionId: reference.sessionId,
  });
  const keys = references.map(keyOf);
  const [first] = keys;
  if (!first) return;
  const foreign = keys.find((key) => !isConnected(store, key.origin));
  if (foreign)
    throw new UserFacingError(t('The session belongs to {0}. Connect to that service first.', foreign.origin));
  for (const reference of references) {
    await sessionList.add(keyOf(reference), defined({ computerId: computerId ?? reference.computerId }));
  }
  // The refresh shows whether the sessions exist. They stay in the list either way.
  void refreshAll(context.sessions, keys).then(() => notifyOfMissing(context, keys));
  await firstResponse(store, first);
  const record = store.record(first);
  if (record && !isNotFound(record)) await openSession(context, first, references[0]?.messageId);
}

/**
 * The sessions that an argument names; undefined if it names none.
 * @throws UserFacingError if nothing that was dropped is a session of a connected service.
 */
function givenReferences(
  { sessionId, dropped }: CommandArguments['addSession'],
  store: Store,
  origin: string,
  t: Translate,
): readonly SessionReference[] | undefined {
  if (dropped === undefined) return sessionId === undefined ? undefined : [{ sessionId }];
  const references = readDroppedReferences(dropped);
  const here = references.filter((reference) => isConnected(store, reference.origin ?? origin));
  const foreign = references.find((reference) => !here.includes(reference))?.origin;
  if (here.length === 0) {
    throw new UserFacingError(
      foreign === undefined
        ? t('No session URL found in the dropped item. Nothing was added.')
        : t('The session belongs to {0}. Connect to that service first.', foreign),
    );
  }
  const skippedCount = dropped.length - here.length;
  if (skippedCount > 0) {
    void showInfo(t('Skipped {0} of {1} links: invalid, or for another service.', skippedCount, dropped.length));
  }
  return here;
}

/** Whether sessions of this service can be in the list. */
function isConnected(store: Store, origin: string): boolean {
  return store.connectionOf(origin).kind !== 'noService';
}

/** How long to wait for the first response, which shows whether the service knows an added session. */
const responseLimitMs = 1_500;

/** Resolves when the first request for a session has succeeded or failed, or after {@link responseLimitMs}. */
async function firstResponse(store: Store, key: SessionKey): Promise<void> {
  const waits = new Disposables();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, responseLimitMs);
    waits.add(onDispose(() => clearTimeout(timer)));
    const check = () => {
      const record = store.record(key);
      if (record?.asOf !== undefined || record?.failure) resolve();
    };
    waits.add(store.onDidChange(check));
    check();
  });
  waits.dispose();
}

/**
 * The sessions on the clipboard that aren't in the list yet, separated by spaces. Empty in a browser, because reading
 * the clipboard requires a permission there.
 */
async function clipboardSessions({ store }: CommandContext, origin: string): Promise<string> {
  if (vscode.env.uiKind === vscode.UIKind.Web) return '';
  const text = await Promise.resolve(vscode.env.clipboard.readText()).catch(() => '');
  const isNew = ({ sessionId, origin: named = origin }: SessionReference) =>
    isConnected(store, named) && isAbsent(store.record({ origin: named, sessionId }));
  const references = offeredReferences(text).filter(isNew);
  return references.map((reference) => referenceText(reference, origin)).join(' ');
}

async function askSessions(
  context: CommandContext,
  origin: string,
  lead: string | undefined,
): Promise<readonly SessionReference[] | undefined> {
  const { t } = context;
  const offered = await clipboardSessions(context, origin);
  const serviceName = describeService(context.store.connectionOf(origin));
  const check = (text: string) => {
    const references = readSessionReferences(text);
    const foreign = references.find((reference) => !isConnected(context.store, reference.origin ?? origin));
    if (references.length === 0) return { message: t('Enter a session ID or URL.'), isWarning: false };
    if (!foreign) return undefined;
    return {
      message: t("{0} isn't one of your services. Connect to it first.", foreign.origin ?? origin),
      isWarning: true,
    };
  };
  const prompt =
    offered === ''
      ? t('Enter one or more session IDs or URLs, separated by spaces or commas.')
      : t('Found on the clipboard. Press Enter to add, or enter a different session ID or URL.');
  const answer = await askText({
    title: serviceName === '' ? t('Add Session') : t('Add Session to {0}', serviceName),
    prompt: lead === undefined ? prompt : `${lead} ${prompt}`,
    value: offered,
    placeholder: t('Session ID or URL'),
    check,
  });
  return answer.kind === 'text' ? readSessionReferences(answer.text) : undefined;
}

function isAbsent(record: SessionRecord | undefined): boolean {
  return !record || record.listEntry.isTransient === true;
}

function notifyOfMissing(context: CommandContext, keys: readonly SessionKey[]): void {
  const { store, sessionList, t } = context;
  const unknown = keys.filter((key) => store.record(key)?.failure?.status === 404);
  const [first] = unknown;
  if (!first) return;
  if (unknown.length > 1) {
    const ids = unknown.map(({ sessionId }) => sessionId);
    const message = t(
      { other: "{0} sessions weren't found on the service: {1}. They're still in your list." },
      unknown.length,
      namesList(ids, mostNamedIds, 60, t),
    );
    const run = () => Promise.all(unknown.map((key) => sessionList.remove(key)));
    void notify(showInfo, context, message, { label: t('Remove from List'), run });
    return;
  }
  const { computerId } = store.record(first)?.listEntry ?? {};
  const sessionId = plainLine(first.sessionId, 120);
  const message =
    computerId === undefined
      ? t('Session "{0}" wasn\'t found on the service. It\'s still in your list.', sessionId)
      : t(
          'Session "{0}" or computer "{1}" wasn\'t found on the service. The session is still in your list.',
          sessionId,
          plainLine(computerId, 120),
        );
  void notify(showInfo, context, message, {
    label: t('Remove Session from List'),
    run: () => sessionList.remove(first),
  });
}

async function removeSession(context: CommandContext, argument: SessionsArgument): Promise<void> {
  const { store, sessionList, t } = context;
  const keys = await sessionsToRemove(context, argument);
  const [first] = keys.flatMap((key) => store.record(key) ?? []);
  if (!first) return;
  // Removing a session also removes its bookmarks.
  const bookmarks = keys.map((key) => store.record(key)?.listEntry.bookmarks ?? []);
  const unsentCount = keys.reduce((count, key) => count + countUnsent(store.record(key)), 0);
  await Promise.all(keys.map((key) => sessionList.remove(key)));
  void notify(
    showInfo,
    context,
    [describeRemoved(keys.length, first, t), ...describeUnsent(unsentCount, t)].join(' '),
    {
      label: t('Undo'),
      run: () =>
        Promise.all(
          keys.map((key, index) => sessionList.change(key, { isListed: true, bookmarks: bookmarks[index] ?? [] })),
        ),
    },
  );
}

function describeRemoved(count: number, first: SessionRecord, t: Translate): string {
  if (count > 1) {
    return t({ other: "Removed {0} sessions from your list. They're still available on the service." }, count);
  }
  const title = sessionTitle(first);
  return isNotFound(first)
    ? t('Removed "{0}" from your list.', title)
    : t('Removed "{0}" from your list. It\'s still available on the service.', title);
}

function countUnsent(record: SessionRecord | undefined): number {
  return record?.outbox.filter(({ state }) => state !== 'accepted').length ?? 0;
}

/** Says how many unsent messages the removed sessions leave on this machine, because nothing else shows them. */
function describeUnsent(count: number, t: Translate): string[] {
  if (count === 0) return [];
  return [
    t(
      {
        one: "1 unsent message is saved and won't be sent unless you add the session again.",
        other: "{0} unsent messages are saved and won't be sent unless you add the sessions again.",
      },
      count,
    ),
  ];
}

/** Asks for the session if none is given, because the current session must not be removed by default. */
async function sessionsToRemove(context: CommandContext, argument: SessionsArgument): Promise<readonly SessionKey[]> {
  const title = context.t('Remove Session from List');
  if (argument.sessionId !== undefined) return targetSessions(context, argument, title);
  const key = await pickSession(context, title);
  return key ? [key] : [];
}

async function refresh(context: CommandContext, argument: SessionsArgument): Promise<void> {
  const { store, sessions } = context;
  const keys =
    argument.sessionId === undefined
      ? store.records.map((record) => record.listEntry.key)
      : await targetSessions(context, argument, '');
  await withViewProgress('lineside.sessions', () => refreshAll(sessions, keys));
}

/** Shows the picker that the status bar item opens, with sessions and related commands. */
async function showSessions(context: CommandContext): Promise<void> {
  const { commands, t } = context;
  const key = await pickSession(context, t('Sessions'), [
    { icon: 'add', label: t('Add Session...'), run: () => commands.run('addSession', {}) },
    serviceOf(context.store.connection)?.name === undefined
      ? { icon: 'plug', label: t('Connect to Service...'), run: () => commands.run('connect', {}) }
      : { icon: 'arrow-swap', label: t('Switch Service...'), run: () => commands.run('switchService', {}) },
    { icon: 'key', label: t('Set API Key...'), run: () => commands.run('setApiKey', {}) },
  ]);
  if (key) await context.navigation.openConversation(key);
}
