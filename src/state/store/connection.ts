import type { ServiceUrlFailure } from '../../api/serviceUrl.ts';
import { type Failure, isNetworkFailure } from './failure.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** A configured service. `baseUrl` has no trailing slash; `origin` identifies the service in keys and records. */
export interface Service {
  readonly origin: string;
  readonly baseUrl: string;
  /** The user's name for the service. Absent if it has none, or if no other service is known. */
  readonly name?: string;
  /** Whether the list can also contain sessions of other services, so each session has to show its service. */
  readonly isAmongSeveral?: true;
  /** Whether this is the demo service, which ends with the window. */
  readonly isTemporary?: true;
}

/** The state of the connection to a service. Immutable: every change creates a new value. */
export type Connection =
  /** The settings are loading. If `service` is known, only its API key is still loading. */
  | { readonly kind: 'starting'; readonly service?: Service }
  /** No base URL, or an invalid one. */
  | { readonly kind: 'noService'; readonly failure?: ServiceUrlFailure }
  | { readonly kind: 'noKey'; readonly service: Service }
  | { readonly kind: 'ready'; readonly service: Service }
  /** The service responded with 401. No requests are made until the key changes or the user retries (R12). */
  | { readonly kind: 'keyRejected'; readonly service: Service; readonly failure: Failure };

/** The connection to a connected service other than the current one. Such a service always has a key. */
export type OtherConnection = Extract<Connection, { kind: 'ready' | 'keyRejected' }>;

/** The service of a connection, if it has one. */
export function serviceOf(connection: Connection): Service | undefined {
  return 'service' in connection ? connection.service : undefined;
}

/** The name of each service, or its host if it has no name, by origin. */
export function serviceNames(connections: readonly Connection[]): ReadonlyMap<string, string> {
  const services = connections.flatMap((connection) => serviceOf(connection) ?? []);
  return new Map(services.map(({ origin, name }) => [origin, name ?? new URL(origin).host]));
}

/**
 * Whether a connected service was never reached: it has sessions in the list, none of them was ever loaded on this
 * machine, and the last attempt to load each one failed with an error other than an HTTP status.
 */
export function isUnreachable(connection: Connection, records: readonly SessionRecord[]): boolean {
  if (connection.kind !== 'ready' || records.length === 0) return false;
  return records.every(({ asOf, failure }) => asOf === undefined && failure !== undefined && failure.kind !== 'status');
}

/**
 * Whether the tree shows an error instead of sessions, because no session was ever loaded: either no service can be
 * reached, or all of them reject their keys. `recordsOf` returns the sessions of an origin.
 */
export function isWithoutSessions(
  connections: readonly Connection[],
  recordsOf: (origin: string) => readonly SessionRecord[],
): boolean {
  if (connections.length === 0) return false;
  const isAll = (is: typeof isUnreachable) =>
    connections.every((connection) => is(connection, recordsOf(serviceOf(connection)?.origin ?? '')));
  return isAll(isUnreachable) || isAll(isLockedOut);
}

/**
 * Whether the service of these sessions can't be reached at the moment: a refresh failed for a reason that isn't
 * specific to its session (see {@link isNetworkFailure}), and no later refresh in this window succeeded.
 */
export function isOffline(records: readonly SessionRecord[]): boolean {
  let failedAt = 0;
  let refreshedAt = 0;
  for (const { failure, asOf = 0, isRemembered } of records) {
    if (isNetworkFailure(failure)) failedAt = Math.max(failedAt, failure?.at ?? 0);
    if (!isRemembered) refreshedAt = Math.max(refreshedAt, asOf);
  }
  return failedAt > refreshedAt;
}

/** Whether the last refresh of a session failed because its service was unreachable. */
export function isUnreached(record: SessionRecord | undefined): boolean {
  return record?.failure?.kind === 'unreachable';
}

/** Whether the service rejected its API key before any of its sessions was loaded, so only their IDs are known. */
export function isLockedOut(connection: Connection, records: readonly SessionRecord[]): boolean {
  return connection.kind === 'keyRejected' && records.every(({ asOf }) => asOf === undefined);
}
