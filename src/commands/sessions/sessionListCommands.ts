import { askText } from '../../host/prompts/askText.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { plainLine } from '../../shared/text.ts';
import { serviceTitle } from '../../state/store/sessionFacts.ts';
import { attentionRank, isUnreadSession } from '../../state/sessions/attention.ts';
import { lastTouched } from '../../state/sessions/sections.ts';
import { sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import { readMarkOf } from '../../state/store/sessionRecord.ts';
import type { SessionListChange } from '../../sync/sessionList/sessionListRecord.ts';
import type { CommandContext } from '../context.ts';
import { takingEntered } from '../enteredFailure.ts';
import type { Caller, CommandArguments, CommandHandlers, SessionsArgument } from '../commandArguments.ts';
import { pickReadingComputer } from './computers.ts';
import { activeOrTarget, targetSessions } from './pick.ts';
import { openSession } from './openSession.ts';

/**
 * Commands that pin, mute, rename, and mark sessions as read or unread, and that set the computer to read them from.
 * None of these changes is sent to the service; requests that read a session name its computer.
 */
export function sessionListCommands(context: CommandContext) {
  const { t } = context;
  return {
    pinSession: (argument) => changeAll(context, argument, t('Pin'), () => ({ isPinned: true })),
    unpinSession: (argument) => changeAll(context, argument, t('Unpin'), () => ({ isPinned: false })),
    muteSession: (argument) => changeAll(context, argument, t('Mute Notifications'), () => ({ isMuted: true })),
    unmuteSession: (argument) => changeAll(context, argument, t('Unmute Notifications'), () => ({ isMuted: false })),
    markSessionRead: (argument) => changeAll(context, argument, t('Mark as Read'), (key) => readChange(context, key)),
    markSessionUnread: (argument) =>
      changeAll(context, argument, t('Mark as Unread'), (key) => unreadChange(context, key)),
    renameSession: (argument, caller) => renameSession(context, argument, caller),
    readFromComputer: (argument) => readFromComputer(context, argument),
  } satisfies Partial<CommandHandlers>;
}

async function changeAll(
  context: CommandContext,
  argument: SessionsArgument,
  title: string,
  changeOf: (key: SessionKey) => SessionListChange,
): Promise<void> {
  const keys = await targetSessions(context, argument, title);
  await Promise.all(keys.map((key) => context.sessionList.change(key, changeOf(key))));
}

function readChange({ store }: CommandContext, key: SessionKey): SessionListChange {
  const session = store.record(key)?.session;
  return session ? { readMark: readMarkOf(session) } : {};
}

function unreadChange({ store }: CommandContext, key: SessionKey): SessionListChange {
  const { session, listEntry } = store.record(key) ?? {};
  const mark = listEntry?.readMark ?? (session && readMarkOf(session));
  return mark ? { readMark: { ...mark, isUnread: true } } : {};
}

async function renameSession(
  context: CommandContext,
  argument: CommandArguments['renameSession'],
  caller: Caller,
): Promise<void> {
  const { store, sessionList, t } = context;
  const key = await activeOrTarget(context, argument, t('Rename Session'));
  const record = key && store.record(key);
  if (!record) return;
  const name = caller === 'script' && argument.text !== undefined ? argument.text : await askName();
  if (name === undefined) return;
  await takingEntered(() => sessionList.change(record.listEntry.key, { name: plainLine(name, 120) }));

  async function askName(): Promise<string | undefined> {
    const title = record ? serviceTitle(record) : '';
    const answer = await askText({
      title: t('Rename Session'),
      prompt: t('Only you can see this name. Leave empty to use the original title, "{0}".', title),
      value: record?.listEntry.name ?? title,
    });
    return answer.kind === 'text' ? answer.text : undefined;
  }
}

/** Sets the computer that requests name when they read this session (spec 4.1); an empty ID removes the computer. */
async function readFromComputer(
  context: CommandContext,
  argument: CommandArguments['readFromComputer'],
): Promise<void> {
  const { store, sessionList, sessions, t } = context;
  const key = await activeOrTarget(context, argument, t('Read from Computer'));
  if (!key) return;
  const computerId = argument.computerId ?? (await pickReadingComputer(store, key, t));
  if (computerId === undefined || computerId === (store.record(key)?.listEntry.computerId ?? '')) return;
  await sessionList.change(key, { computerId });
  void sessions.refresh(key);
}

/** The command that opens the next unread session. */
export function unreadCommands(context: CommandContext) {
  return { nextUnreadSession: () => openNextUnread(context) } satisfies Partial<CommandHandlers>;
}

/**
 * Opens the unread session, other than the current one, that most needs attention; among equals, the most recent one.
 */
async function openNextUnread(context: CommandContext): Promise<void> {
  const { store, t } = context;
  const unread = store.records
    .filter((record) => isUnreadSession(record) && !sameSession(record.listEntry.key, store.current))
    .sort((a, b) => attentionRank(a) - attentionRank(b) || lastTouched(b) - lastTouched(a));
  const next = unread[0]?.listEntry.key;
  if (!next) {
    void showInfo(t('No unread sessions.'));
    return;
  }
  await openSession(context, next);
}
