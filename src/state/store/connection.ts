import type { ServiceUrlProblem } from '../../api/serviceUrl.ts';
import type { Failure } from './failure.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** A service that was chosen: `baseUrl` without trailing slash, `origin` for keys and records. */
export interface Service {
  readonly origin: string;
  readonly baseUrl: string;
  /** What the user calls it; only where there is another one to be told from. */
  readonly name?: string;
  /** The demo: gone, with everything in it, when the window closes. */
  readonly isTemporary?: true;
}

/** Whether and how we may talk to the current service. Replaced whole on every change. */
export type Connection =
  /** Settings and key are still being read. */
  | { readonly kind: 'starting' }
  /** No base URL, or one that cannot be used for the reason given. */
  | { readonly kind: 'noService'; readonly problem?: ServiceUrlProblem }
  | { readonly kind: 'noKey'; readonly service: Service }
  | { readonly kind: 'ready'; readonly service: Service }
  /** The service answered 401: nothing is asked again until the key changes (R12). */
  | { readonly kind: 'keyRefused'; readonly service: Service; readonly failure: Failure };

/** The service of a connection, where it has one. */
export function serviceOf(connection: Connection): Service | undefined {
  return 'service' in connection ? connection.service : undefined;
}

/**
 * Whether there is nothing to show but why: no session was ever read here, and each try failed at the connection rather
 * than at the session. The deck itself is kept; it shows again with the first answer.
 */
export function isUnreachable(connection: Connection, records: readonly SessionRecord[]): boolean {
  if (connection.kind !== 'ready' || records.length === 0) return false;
  return records.every(({ asOf, failure }) => asOf === undefined && failure !== undefined && failure.kind !== 'status');
}

/** Whether a session was last asked for in vain because there was no way to its service. */
export function isUnreached(record: SessionRecord | undefined): boolean {
  return record?.failure?.kind === 'unreachable';
}

/** Whether the key was refused before anything could be read, so that the tree says this instead of bare ids. */
export function isLockedOut(connection: Connection, records: readonly SessionRecord[]): boolean {
  return connection.kind === 'keyRefused' && records.every(({ asOf }) => asOf === undefined);
}
