import type { OutboxEntry } from '../../state/store/outboxEntry.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Attention } from './intervals.ts';
import type { Poll } from './poll.ts';

/** An agent that was sent something is expected to begin within this time. */
const expectedMs = 60_000;

/** What decides how soon a session is read again; notes that somebody looks. `now` is Unix ms, `crowd` all sessions. */
export function attentionTo(
  poll: Poll,
  record: SessionRecord,
  isFocused: boolean,
  now: number,
  crowd: number,
): Attention {
  const isOpen = wantsMessages(poll, record);
  const isVisible = poll.watchers.size > 0;
  const archivedAt = record.session?.sessionSettings?.archivedAt ?? '';
  if (isVisible && isFocused) poll.attendedAt = now;
  poll.attendedAt ??= now;
  return {
    status: record.session?.status,
    isExpected: now - poll.sentAt < expectedMs,
    isArchived: archivedAt !== '' && !isOpen,
    crowd: isOpen ? 0 : crowd,
    isVisible,
    isFocused,
    unattendedMs: now - poll.attendedAt,
  };
}

/** Whether the messages of a session are wanted, not only what it says of itself. */
export function wantsMessages(poll: Poll, record: SessionRecord | undefined): boolean {
  const hasOutgoing = (record?.outbox.length ?? 0) > 0;
  return hasOutgoing || [...poll.watchers].some((watcher) => watcher.wantsMessages);
}

/** Notes the messages that the service accepted from here. Returns whether there is a new one among them. */
export function noteSent(poll: Poll, outbox: readonly OutboxEntry[], now: number): boolean {
  const known = poll.followedIds.size;
  for (const { messageId } of outbox) if (messageId !== undefined) poll.followedIds.add(messageId);
  if (poll.followedIds.size === known) return false;
  poll.sentAt = now;
  return true;
}

/** Whether what is known was read here after `since` (Unix ms); the messages, too, where they are wanted. */
export function isFresh(
  poll: Poll,
  record: SessionRecord | undefined,
  isWithMessages: boolean,
  since: number,
): boolean {
  if (record?.asOf === undefined || record.isRemembered) return false;
  return (poll.isRead || !isWithMessages) && record.asOf > since;
}
