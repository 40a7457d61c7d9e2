import { isWorking, isUnread, type SessionRecord } from '../store/sessionRecord.ts';

/** Why a session needs the user: a message of theirs was not sent, it ended with an error, it finished unseen. */
export type Attention = 'unsent' | 'failed' | 'finished';

/** What comes first. */
const order: readonly Attention[] = ['unsent', 'failed', 'finished'];

/** Why a session needs the user, the most pressing reason; undefined where it does not. */
export function attentionOf(record: SessionRecord): Attention | undefined {
  if (unsentCount(record) > 0) return 'unsent';
  if (!isUnreadSession(record) || isArchived(record)) return undefined;
  return record.headers.at(-1)?.isError ? 'failed' : 'finished';
}

/** A number by which what is more pressing comes first. */
export function attentionRank(record: SessionRecord): number {
  const attention = attentionOf(record);
  return attention === undefined ? order.length : order.indexOf(attention);
}

/** Whether there is something to read: while the agent works there is always more to come, so not then. */
export function isUnreadSession({ session, listEntry }: SessionRecord): boolean {
  if (listEntry.readMark?.isUnread) return true;
  return !isWorking(session) && isUnread(session, listEntry.readMark);
}

/** How many messages of the user wait for their word. */
export function unsentCount({ outbox }: SessionRecord): number {
  return outbox.filter(({ state, isSearching }) => state === 'notSent' || (state === 'unknown' && !isSearching)).length;
}

/** Whether the service has a session as archived. */
export function isArchived({ session }: SessionRecord): boolean {
  return (session?.sessionSettings?.archivedAt ?? '') !== '';
}
