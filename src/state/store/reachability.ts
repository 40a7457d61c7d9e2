import type { Connection } from './connection.ts';
import type { SessionRecord } from './sessionRecord.ts';

/**
 * Whether there is nothing to show but why: no session was ever read here, and each try failed at the connection rather
 * than at the session. The deck itself is kept; it shows again with the first answer.
 */
export function isUnreachable(connection: Connection, records: readonly SessionRecord[]): boolean {
  if (connection.kind !== 'ready' || records.length === 0) return false;
  return records.every(({ asOf, problem }) => asOf === undefined && problem !== undefined && problem.kind !== 'status');
}

/** Whether a session was last asked for in vain because there was no way to its service. */
export function isUnreached(record: SessionRecord | undefined): boolean {
  return record?.problem?.kind === 'unreachable';
}

/** Whether the key was refused before anything could be read, so that the tree says this instead of bare ids. */
export function isLockedOut(connection: Connection, records: readonly SessionRecord[]): boolean {
  return connection.kind === 'keyRefused' && records.every(({ asOf }) => asOf === undefined);
}
