import { isWorking, isUnread, type SessionRecord } from '../store/sessionRecord.ts';

/** Why a session needs attention: a message was not sent, it ended with an error, or it finished unseen. */
type Attention = 'unsent' | 'failed' | 'finished';

/** From the most to the least urgent. */
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

/** Whether a session has unread messages. Never while the agent is working, because more messages will follow. */
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
