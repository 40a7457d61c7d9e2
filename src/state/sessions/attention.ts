import { needsDecision } from '../store/outboxEntry.ts';
import { isArchived } from '../store/sessionFacts.ts';
import { isWorking, isUnread, type SessionRecord } from '../store/sessionRecord.ts';
import { endsInError } from '../work/tail.ts';

/**
 * The reason why a session needs attention: a message wasn't sent, or may not have been, and the user has to decide
 * (`unsent`); the last message reports an error that the user hasn't seen (`failed`); the agent may be waiting for the
 * user; the session is unread and idle (`finished`); or it is unread, and not known to be idle.
 */
export type Attention = 'unsent' | 'failed' | 'waiting' | 'finished' | 'unread';

/** The reasons, from the most to the least urgent. */
const attentionOrder: readonly Attention[] = ['unsent', 'failed', 'waiting', 'finished', 'unread'];

/** The most urgent reason why a session needs attention; undefined if it needs none. */
export function attentionOf(record: SessionRecord): Attention | undefined {
  if (unsentCount(record) > 0) return 'unsent';
  const isNews = isUnreadSession(record) && !isArchived(record);
  if ((isNews || isUnviewed(record)) && endsInError(record)) return 'failed';
  if (record.waiting) return 'waiting';
  if (!isNews) return undefined;
  return record.session?.status === 'idle' ? 'finished' : 'unread';
}

/** Whether a session needs the user: a message needs a decision, a turn failed, or the agent may be waiting. */
export function needsYou(record: SessionRecord): boolean {
  const attention = attentionOf(record);
  return attention === 'unsent' || attention === 'failed' || attention === 'waiting';
}

/** A sort rank: lower numbers are more urgent. */
export function attentionRank(record: SessionRecord): number {
  const attention = attentionOf(record);
  return attention === undefined ? attentionOrder.length : attentionOrder.indexOf(attention);
}

/**
 * Whether a session is unread. While the agent is working, this is true only if the user marked the session as unread,
 * because more messages will follow.
 */
export function isUnreadSession({ session, listEntry }: SessionRecord): boolean {
  if (listEntry.readMark?.isUnread) return true;
  return !isWorking(session) && isUnread(session, listEntry.readMark);
}

/**
 * Whether the user has never viewed a session that is neither working nor archived: if it counts as read, then only
 * because that was assumed when it was first loaded.
 */
export function isUnviewed(record: SessionRecord): boolean {
  const { session, listEntry } = record;
  return listEntry.readMark?.isAssumed === true && !isWorking(session) && !isArchived(record);
}

/** The number of messages that weren't sent, or may not have been, and that need a decision from the user. */
export function unsentCount({ outbox }: SessionRecord): number {
  return outbox.filter(needsDecision).length;
}
