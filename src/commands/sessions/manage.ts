import * as vscode from 'vscode';
import { askText } from '../../host/prompts/askText.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { serviceTitle } from '../../state/presentation/session.ts';
import { attentionRank, isUnreadSession } from '../../state/sessions/attention.ts';
import { lastTouched } from '../../state/sessions/sections.ts';
import { sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import { readMarkOf } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { SessionList } from '../../sync/sessionList/sessionList.ts';
import type { SessionListChange } from '../../sync/sessionList/sessionListRecord.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget, targetSessions } from './pick.ts';

export interface SessionListParts {
  readonly store: Store;
  readonly sessionList: SessionList;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly t: Translate;
}

/** What the user makes of their sessions here: pins, names, read marks. The service is told none of it. */
export function sessionListCommands(parts: SessionListParts): CommandTable {
  const { t } = parts;
  return {
    pinSession: (argument) => changeAll(parts, argument, t('Pin'), () => ({ isPinned: true })),
    unpinSession: (argument) => changeAll(parts, argument, t('Unpin'), () => ({ isPinned: false })),
    muteSession: (argument) => changeAll(parts, argument, t('Mute Notices'), () => ({ isMuted: true })),
    unmuteSession: (argument) => changeAll(parts, argument, t('Unmute Notices'), () => ({ isMuted: false })),
    markSessionRead: (argument) => changeAll(parts, argument, t('Mark as Read'), (key) => readChange(parts, key)),
    markSessionUnread: (argument) => changeAll(parts, argument, t('Mark as Unread'), (key) => unreadChange(parts, key)),
    renameSession: (argument) => renameSession(parts, argument),
  };
}

async function changeAll(
  parts: SessionListParts,
  argument: CommandArgument,
  title: string,
  changeOf: (key: SessionKey) => SessionListChange,
): Promise<void> {
  const keys = await targetSessions(parts, argument, title);
  await Promise.all(keys.map((key) => parts.sessionList.change(key, changeOf(key))));
}

function readChange({ store }: SessionListParts, key: SessionKey): SessionListChange {
  const session = store.record(key)?.session;
  return session ? { readMark: readMarkOf(session) } : {};
}

function unreadChange({ store }: SessionListParts, key: SessionKey): SessionListChange {
  const { session, listEntry } = store.record(key) ?? {};
  const mark = listEntry?.readMark ?? (session && readMarkOf(session));
  return mark ? { readMark: { ...mark, isUnread: true } } : {};
}

async function renameSession(parts: SessionListParts, argument: CommandArgument): Promise<void> {
  const { store, sessionList, t } = parts;
  const key = await currentOrTarget(parts, argument, t('Set Local Name'));
  const record = key && store.record(key);
  if (!record) return;
  const name = argument.isScripted && argument.text !== undefined ? argument.text : await askName();
  if (name !== undefined) await sessionList.change(record.listEntry.key, { name: plainLine(name, 120) });

  async function askName(): Promise<string | undefined> {
    const title = record ? serviceTitle(record) : '';
    const answer = await askText({
      title: t('Set Local Name'),
      prompt: t('Only you see this name, on your machines; the service keeps "{0}". Empty takes the name away.', title),
      value: record?.listEntry.name ?? title,
    });
    return answer.kind === 'text' ? answer.text : undefined;
  }
}

export interface UnreadParts {
  readonly store: Store;
  readonly t: Translate;
}

/** Going through what was not read yet. */
export function unreadCommands(parts: UnreadParts): CommandTable {
  return { nextUnreadSession: () => openNextUnread(parts) };
}

/** Opens what needs the user most, the latest first; the one on screen is not meant. */
async function openNextUnread({ store, t }: UnreadParts): Promise<void> {
  const unread = store.records
    .filter((record) => isUnreadSession(record) && !sameSession(record.listEntry.key, store.current))
    .sort((a, b) => attentionRank(a) - attentionRank(b) || lastTouched(b) - lastTouched(a));
  const next = unread[0]?.listEntry.key;
  if (!next) {
    void showInfo(t('No session is unread.'));
    return;
  }
  const target = { sessionId: next.sessionId, service: next.origin };
  await vscode.commands.executeCommand('lineside.openConversation', target);
}
