import type { Session } from '../../api/resources/session.ts';
import type { Failure } from './failure.ts';
import type { MessageHeader } from './messageHeader.ts';
import type { OutboxEntry, StoredAttachment } from './outboxEntry.ts';
import type { SessionKey } from './sessionKey.ts';

/** What stands in a session's composer. There is one per session, kept on disk; the page keeps none. */
export interface Draft {
  readonly text: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
  readonly attachments: readonly StoredAttachment[];
  /** The computer to route this message to, only if the person chose one (spec 4.4). */
  readonly computerId?: string | undefined;
}

export const emptyDraft: Draft = { text: '', selectionStart: 0, selectionEnd: 0, attachments: [] };

/** Whether there is nothing in it worth keeping. */
export function isEmptyDraft(draft: Draft): boolean {
  return draft.text === '' && draft.attachments.length === 0 && draft.computerId === undefined;
}

/** How far a session was read: what it looked like when somebody last looked, or that it is to count as unread. */
export interface ReadMark {
  readonly messageCount: number;
  /** The service's time, Unix ms. */
  readonly updatedAt: number;
  /** The agent was at work then: whatever it did afterwards is unread, also where the count stayed. */
  readonly wasAtWork: boolean;
  /** The user marked it as unread. */
  readonly isUnread?: boolean | undefined;
}

/** The mark of somebody who sees a session as it is now. */
export function readMarkOf(session: Session): ReadMark {
  return { messageCount: session.messageCount, updatedAt: session.updatedAt, wasAtWork: isWorking(session) };
}

/**
 * Whether there is something in a session that was not looked at. Settings that changed are nothing to read: an idle
 * session counts only with another number of messages.
 */
export function isUnread(session: Session | undefined, mark: ReadMark | undefined): boolean {
  if (mark?.isUnread) return true;
  if (!session || !mark || session.updatedAt <= mark.updatedAt) return false;
  return mark.wasAtWork || session.messageCount !== mark.messageCount;
}

/** Whether the agent works, or is about to. */
export function isWorking(session: Session | undefined): boolean {
  return session?.status === 'running' || session?.status === 'pending';
}

/** What the user put on the deck, and what they made of it. None of it is known to the service. */
export interface SessionListEntry {
  readonly key: SessionKey;
  /** The computer to query directly, only if the user gave one. */
  readonly computerId?: string | undefined;
  /** Unix ms. */
  readonly addedAt: number;
  /** What the user calls it here. */
  readonly name?: string | undefined;
  readonly isPinned?: boolean | undefined;
  /** No notice when it has finished. */
  readonly isMuted?: boolean | undefined;
  /** Absent until it was read for the first time. */
  readonly readMark?: ReadMark | undefined;
  /** The session it was opened from as a child: while that one is on the deck it stands below it. */
  readonly parentId?: string | undefined;
  /** It is shown below its parent only: it is in no list, and nothing of it is kept. */
  readonly isTransient?: true;
}

/** How much of a session's history is here. */
export interface HistoryState {
  /** `unread`: no page yet; `partial`: older messages are on the service; `complete`: all are here. */
  readonly completeness: 'unread' | 'partial' | 'complete';
  readonly isLoading: boolean;
  /** It takes many pages, and can be cancelled. */
  readonly isLongWalk?: boolean;
  /** The person cancelled the loading of what is newer than the messages here. */
  readonly isTailSkipped?: boolean;
  readonly failure?: Failure | undefined;
}

/** Everything known of one session of the deck. Replaced whole on every change. */
export interface SessionRecord {
  readonly listEntry: SessionListEntry;
  readonly session?: Session | undefined;
  /** When `session` was read, Unix ms, our clock. */
  readonly asOf?: number | undefined;
  /** `session` is known from an earlier window and was not read in this one yet. */
  readonly isRemembered?: boolean;
  /** The last reading failed; `session` is then the last one known. */
  readonly failure?: Failure | undefined;
  readonly history: HistoryState;
  readonly headers: readonly MessageHeader[];
  readonly outbox: readonly OutboxEntry[];
  readonly draft: Draft;
  /** The entry each message was sent from, so that its bubble stays the same one (R33). */
  readonly entryIdByMessageId: ReadonlyMap<string, string>;
}

/** The sessions that the service names as children of this one, by the keys of their token usage (spec 2.2). */
export function childSessionIds({ session, listEntry }: SessionRecord): readonly string[] {
  const usage = session?.sessionSettings?.childInclusiveTokenUsageBySessionId ?? {};
  return Object.keys(usage).filter((sessionId) => sessionId !== '' && sessionId !== listEntry.key.sessionId);
}
