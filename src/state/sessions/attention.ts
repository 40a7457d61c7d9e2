import { isWorking, isUnread, type SessionRecord } from '../store/sessionRecord.ts';

/**
 * The reason why a session needs attention: a message wasn't sent, or the session is unread and its last message is an
 * error (`failed`) or not (`finished`).
 */
type Attention = 'unsent' | 'failed' | 'finished';

/** The reasons, from the most to the least urgent. */
const order: readonly Attention[] = ['unsent', 'failed', 'finished'];

/** The most urgent reason why a session needs attention; undefined if it needs none. */
export function attentionOf(record: SessionRecord): Attention | undefined {
  if (unsentCount(record) > 0) return 'unsent';
  if (!isUnreadSession(record) || isArchived(record)) return undefined;
  return record.headers.at(-1)?.isError ? 'failed' : 'finished';
}

/** A sort rank: lower numbers are more urgent. */
export function attentionRank(record: SessionRecord): number {
  const attention = attentionOf(record);
  return attention === undefined ? order.length : order.indexOf(attention);
}

/**
 * Whether a session is unread. While the agent is working, this is true only if the user marked the session as unread,
 * because more messages will follow.
 */
export function isUnreadSession({ session, listEntry }: SessionRecord): boolean {
  if (listEntry.readMark?.isUnread) return true;
  return !isWorking(session) && isUnread(session, listEntry.readMark);
}

/** The number of unsent messages that need a decision from the user. */
export function unsentCount({ outbox }: SessionRecord): number {
  return outbox.filter(({ state, isSearching }) => state === 'notSent' || (state === 'unknown' && !isSearching)).length;
}

/** Whether a session is archived on the service. */
export function isArchived({ session }: SessionRecord): boolean {
  return (session?.sessionSettings?.archivedAt ?? '') !== '';
}
