import type { SessionStatus } from '../../api/resources/session.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';

/**
 * What the user waits for: the status, whether the agent may be waiting, and the user's own changes to the list entry.
 */
export type SessionState = Pick<SessionRecord, 'waiting'> & {
  readonly status: SessionStatus | undefined;
  readonly listEntry: SessionRecord['listEntry'] | undefined;
};

/** The state of a session that may have been removed from the list. */
export function stateOf(record: SessionRecord | undefined): SessionState {
  return { status: record?.session?.status, waiting: record?.waiting, listEntry: record?.listEntry };
}

/** Whether nothing changed that the user waits for. */
export function isSameState(one: SessionState | undefined, other: SessionState): boolean {
  if (!one || one.status !== other.status) return false;
  return one.waiting === other.waiting && one.listEntry === other.listEntry;
}
