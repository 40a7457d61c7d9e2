import type { SessionStatus } from '../../api/resources/session.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';

/**
 * The parts of a session whose changes the tree draws soon: the status, whether the agent may be waiting, and the list
 * entry, which the user changes. Changes to other details can be drawn later.
 */
export type SessionState = Pick<SessionRecord, 'waiting'> & {
  readonly status: SessionStatus | undefined;
  readonly listEntry: SessionRecord['listEntry'] | undefined;
};

/** The state of a session that may have been removed from the list. */
export function stateOf(record: SessionRecord | undefined): SessionState {
  return { status: record?.session?.status, waiting: record?.waiting, listEntry: record?.listEntry };
}

/** Whether two states of a session are the same; false if the first is unknown. */
export function isSameState(one: SessionState | undefined, other: SessionState): boolean {
  if (!one || one.status !== other.status) return false;
  return one.waiting === other.waiting && one.listEntry === other.listEntry;
}
