import type { Session } from '../../api/resources/session.ts';
import type { Failure } from './failure.ts';
import type { MessageHeader } from './messageHeader.ts';
import type { OutboxEntry, StoredAttachment } from './outboxEntry.ts';
import type { SessionKey } from './sessionKey.ts';

/** A comment on a part of a message. It is sent with the draft. */
export interface DraftComment {
  /** A UUID. */
  readonly commentId: string;
  /**
   * The ID of the message, or of the outbox entry that it was sent from if the service hadn't listed the message yet.
   */
  readonly messageId: string;
  /** The part of the message, at most 2,000 characters. Untrusted. */
  readonly quote: string;
  /**
   * The number of characters before the quote in the message's text, without white space. Identifies the right one of
   * several equal passages.
   */
  readonly offset: number;
  /** What the user wrote about it; can be empty. */
  readonly text: string;
}

/** Maximum number of comments in a draft. */
export const maxComments = 500;

/** The draft in a session's composer. Each session has its own draft, which is stored on disk and not in the page. */
export interface Draft {
  readonly text: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
  readonly attachments: readonly StoredAttachment[];
  /** In the order in which they were added. */
  readonly comments: readonly DraftComment[];
  /** The target computer of this message, if the user selected one (spec 4.4). */
  readonly computerId?: string | undefined;
  /** The last texts that were added below what the user wrote. Not saved. */
  readonly additions?: readonly DraftAddition[] | undefined;
}

/** A text that was added to a draft while the user may be typing in it. */
interface DraftAddition {
  /** Increases with each addition to a draft. */
  readonly addedId: number;
  readonly text: string;
}

export const emptyDraft: Draft = { text: '', selectionStart: 0, selectionEnd: 0, attachments: [], comments: [] };

/** The ID of the last addition to a draft; undefined if there is none. */
export function lastAddedId({ additions }: Draft): number | undefined {
  return additions?.at(-1)?.addedId;
}

/** Whether a draft has no content to save. */
export function isEmptyDraft({ text, attachments, comments, computerId }: Draft): boolean {
  return text === '' && attachments.length === 0 && comments.length === 0 && computerId === undefined;
}

/** A comment that was sent, with the text that it had then. */
export type SentComment = Pick<DraftComment, 'commentId' | 'text'>;

/**
 * The comments without those that were sent. A comment that was edited after it was sent stays, so that nothing written
 * is lost.
 */
export function unsentComments(
  comments: readonly DraftComment[],
  sent: readonly SentComment[],
): readonly DraftComment[] {
  const texts = new Map(sent.map(({ commentId, text }) => [commentId, text]));
  return comments.filter(({ commentId, text }) => texts.get(commentId) !== text);
}

/** The state of a session when the user last viewed it, and whether the user marked it as unread. */
export interface ReadMark {
  readonly messageCount: number;
  /** In Unix ms, by the service's clock. */
  readonly updatedAt: number;
  /**
   * Whether the agent was, or may have been, working at that time. If so, any later update counts as unread, even if
   * the message count is the same.
   */
  readonly wasAtWork: boolean;
  /** Whether the user marked the session as unread. */
  readonly isUnread?: boolean | undefined;
  /**
   * Whether the mark was set when the session was first loaded, so that nothing is unread. The user hasn't viewed the
   * session.
   */
  readonly isAssumed?: boolean | undefined;
}

/** The read mark for the current state of a session. */
export function readMarkOf(session: Session): ReadMark {
  return { messageCount: session.messageCount, updatedAt: session.updatedAt, wasAtWork: session.status !== 'idle' };
}

/** Whether a session has changed since the user viewed it, or was marked as unread. */
export function isUnread(session: Session | undefined, mark: ReadMark | undefined): boolean {
  return mark?.isUnread === true || hasNews(session, mark);
}

/**
 * Whether a session has changed since the user viewed it. If the agent wasn't working at that time, only a different
 * number of messages counts, because changes to settings also increase `updatedAt`.
 */
export function hasNews(session: Session | undefined, mark: ReadMark | undefined): boolean {
  if (!session || !mark || session.updatedAt <= mark.updatedAt) return false;
  return mark.wasAtWork || session.messageCount !== mark.messageCount;
}

/**
 * Whether the agent is known to be working or about to start. An agent with an unknown status is neither working nor
 * idle.
 */
export function isWorking(session: Session | undefined): boolean {
  return session?.status === 'running' || session?.status === 'pending';
}

/**
 * When the last turn of a session started, after a refresh returned `session`; in Unix ms by the service's clock. The
 * session's `updatedAt` grows with every step of the agent, and also when settings change. This time changes only when
 * the agent starts working, or when a turn started and ended between two refreshes.
 */
export function turnStart(before: Pick<SessionRecord, 'session' | 'turnStartedAt'>, session: Session): number {
  const { session: known, turnStartedAt = session.updatedAt } = before;
  if (!known) return session.updatedAt;
  if (known.status !== 'idle') return turnStartedAt;
  const isNewTurn = session.status !== 'idle' || session.messageCount !== known.messageCount;
  return isNewTurn ? session.updatedAt : turnStartedAt;
}

/** A message that the user wants to find again. */
export interface Bookmark {
  readonly messageId: string;
  /** Unix ms. */
  readonly addedAt: number;
  /** What the user wrote about it, in one line of at most {@link maxNoteLength} characters. Never empty. */
  readonly note?: string | undefined;
}

/** Maximum number of bookmarks in all sessions. */
export const maxBookmarks = 200;
/** Maximum length of a bookmark's note, in characters. */
export const maxNoteLength = 200;

/** A session in the user's list, with local properties that the service doesn't know about. */
export interface SessionListEntry {
  readonly key: SessionKey;
  /** The computer to query directly, if the user specified one. */
  readonly computerId?: string | undefined;
  /** Unix ms. */
  readonly addedAt: number;
  /** The user's own name for the session. */
  readonly name?: string | undefined;
  readonly isPinned?: boolean | undefined;
  /** Whether to suppress the notification when the agent finishes. */
  readonly isMuted?: boolean | undefined;
  /** Absent until the session is loaded for the first time. */
  readonly readMark?: ReadMark | undefined;
  /** The ID of the message about which the user said that the agent isn't waiting; see {@link Waiting}. */
  readonly notWaitingId?: string | undefined;
  /**
   * The ID of the session from which this one was opened as a child. This one is shown below its parent while the
   * parent is in the list.
   */
  readonly parentId?: string | undefined;
  /** Absent if there are none. */
  readonly bookmarks?: readonly Bookmark[] | undefined;
  /** Shown only below its parent: not part of the list, and not saved. */
  readonly isTransient?: true;
}

/** The loading state of a session's history. */
export interface HistoryState {
  /** `unread`: nothing loaded; `partial`: the service has more messages; `complete`: everything loaded. */
  readonly completeness: 'unread' | 'partial' | 'complete';
  readonly isLoading: boolean;
  /** Whether loading requires many pages and can be canceled. */
  readonly isLongWalk?: boolean;
  /** The service lists the oldest messages first, and the user canceled loading the newer ones. */
  readonly isTailSkipped?: boolean;
  /**
   * The number of messages in the session's `messageCount` that the service doesn't list yet; absent if there are none.
   */
  readonly missingCount?: number;
  /**
   * The session's `messageCount` when its newest messages were read while the agent was idle; absent if they weren't,
   * or if some are missing.
   */
  readonly settledCount?: number;
  /** The cursor of the last page, if the service lists the oldest messages first and all of them are loaded. */
  readonly tailCursor?: string;
  readonly failure?: Failure | undefined;
}

/** The newest messages of a session that an earlier window knew. They can be shown before all messages are stored. */
export interface NewestMessages {
  /** In order, beginning with a prompt. Every message that isn't among them is older. */
  readonly headers: readonly MessageHeader[];
  /** The number of messages that the earlier window knew, or slightly fewer. */
  readonly totalCount: number;
}

/** Why the agent may be waiting for the user. */
export interface Waiting {
  /** The ID of the message that the rule applies to. */
  readonly messageId: string;
  /**
   * `question`: a question asked with a tool has no answer. `approval`: a plan asks for approval. `answer`: the agent's
   * answer ends in a question.
   */
  readonly rule: 'question' | 'approval' | 'answer';
  /** The question, or the plan to approve, shortened; can be empty. Untrusted. */
  readonly question: string;
}

/**
 * What the newest messages of a session say. It is known without adding these messages to the history, which must have
 * no gaps.
 */
export interface Tail {
  /** The session's `messageCount` when the messages were read while the agent was idle. */
  readonly messageCount: number;
  /** Whether the messages couldn't be read, so nothing else is known of them. */
  readonly isUnreadable?: true | undefined;
  /** The ID of the newest message; absent if there is none. */
  readonly messageId?: string | undefined;
  /** Whether the newest message is an error or contains a failed tool result. */
  readonly isError: boolean;
  /**
   * The `firstLine` of the newest message that has one and isn't hidden from users; empty if there is none. Untrusted.
   */
  readonly excerpt: string;
  /** The agent's last message with text; absent if none was read. `isOfTurn`: no prompt follows it. */
  readonly answer?: { readonly firstLine: string; readonly isOfTurn: boolean } | undefined;
  /** Why the agent may be waiting for the user; absent if nothing indicates it. */
  readonly waiting?: Waiting | undefined;
  /** The paths of the first files that these messages changed. Untrusted. */
  readonly files: readonly string[];
  /** The cursor of the page with these messages, if the service lists the oldest messages first. */
  readonly cursor?: string | undefined;
}

/** Everything known about a session. Immutable: every change creates a new record. */
export interface SessionRecord {
  readonly listEntry: SessionListEntry;
  readonly session?: Session | undefined;
  /** When `session` was refreshed, in Unix ms, by this machine's clock. */
  readonly asOf?: number | undefined;
  /**
   * The number of the request whose response is `session`; see `countRequest` of the store. 0 if `session` is from an
   * earlier window and the last refresh returned an older state; absent before the first refresh in this window.
   */
  readonly requestNumber?: number | undefined;
  /** When the last turn started, as far as was observed, in Unix ms by the service's clock; see {@link turnStart}. */
  readonly turnStartedAt?: number | undefined;
  /** Whether `session` is from an earlier window and hasn't been refreshed in this one. */
  readonly isRemembered?: boolean;
  /** The failure of the last refresh; `session` is then the last known state. */
  readonly failure?: Failure | undefined;
  /**
   * With `failure`, when the next refresh is due, in Unix ms; absent if none is scheduled, or if the session's
   * conversation isn't shown. Without `failure`, meaningless.
   */
  readonly retryAt?: number | undefined;
  readonly history: HistoryState;
  readonly headers: readonly MessageHeader[];
  /** The ID of the newest known message when the agent was last known to be idle; absent if it never was. */
  readonly idleAfterId?: string | undefined;
  /** Why the agent may be waiting for the user; absent if nothing indicates it, or if detecting it is turned off. */
  readonly waiting?: Waiting | undefined;
  /** What the newest messages said when they were last read without the conversation, by this window or another one. */
  readonly tail?: Tail | undefined;
  /**
   * While the user views the session, messages that are newer than this are new to them: the `updatedAt` of the session
   * when they last viewed it. Absent if no messages are new.
   */
  readonly newSince?: number | undefined;
  readonly outbox: readonly OutboxEntry[];
  readonly draft: Draft;
  /** Why the draft isn't on disk; absent if it is, or soon will be. */
  readonly draftFailure?: Failure | undefined;
  /** The ID of the outbox entry that each message was sent from, so that its row stays the same (R33). */
  readonly entryIdByMessageId: ReadonlyMap<string, string>;
}

/**
 * A record with this `waiting` and with `idleAfterId`, which follows from its other fields; the same object if neither
 * changes.
 */
export function withDerived(record: SessionRecord, waiting: Waiting | undefined): SessionRecord {
  const newestId = record.session?.status === 'idle' ? record.headers.at(-1)?.messageId : undefined;
  const idleAfterId = newestId ?? record.idleAfterId;
  const isSame = waiting === record.waiting && idleAfterId === record.idleAfterId;
  return isSame ? record : { ...record, waiting, idleAfterId };
}

/** IDs of the child sessions, from the keys of the child token usage (spec 2.2). */
export function childSessionIds({ session, listEntry }: SessionRecord): readonly string[] {
  const usage = session?.sessionSettings?.childInclusiveTokenUsageBySessionId ?? {};
  return Object.keys(usage).filter((sessionId) => sessionId !== '' && sessionId !== listEntry.key.sessionId);
}

/** The record of a session that was just added to the list. */
export function newRecord(listEntry: SessionListEntry): SessionRecord {
  return {
    listEntry,
    history: { completeness: 'unread', isLoading: false },
    headers: [],
    outbox: [],
    draft: emptyDraft,
    entryIdByMessageId: new Map(),
  };
}
