import type { Session } from '../../api/resources/session.ts';

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
  return { messageCount: session.messageCount, updatedAt: session.updatedAt, wasAtWork: isAtWork(session) };
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
export function isAtWork(session: Session | undefined): boolean {
  return session?.status === 'running' || session?.status === 'pending';
}
