import { type Connection, type OtherConnection, serviceOf } from './connection.ts';
import type { Failure } from './failure.ts';

/** The connections to all services whose sessions are in the list. Belongs to the store. */
export class ServiceConnections {
  #current: Connection = { kind: 'starting' };
  #others: readonly OtherConnection[] = [];

  /** The connection to the current service, to which new sessions are added. */
  get current(): Connection {
    return this.#current;
  }

  get others(): readonly OtherConnection[] {
    return this.#others;
  }

  /** All connections that have a service; the current one comes first. */
  get all(): readonly Connection[] {
    return serviceOf(this.#current) ? [this.#current, ...this.#others] : this.#others;
  }

  /** The connection to the service with this origin; `noService` if none of its sessions can be in the list. */
  of(origin: string): Connection {
    return this.all.find((connection) => serviceOf(connection)?.origin === origin) ?? { kind: 'noService' };
  }

  /** Sets all connections. Returns the origins whose connection was added, removed, or replaced with another object. */
  set(current: Connection, others: readonly OtherConnection[]): ReadonlySet<string> {
    const before = this.all;
    const currentOrigin = serviceOf(current)?.origin;
    this.#current = current;
    this.#others = others.filter(({ service }) => service.origin !== currentOrigin);
    const after = this.all;
    const changed = [...before, ...after].filter((one) => !before.includes(one) || !after.includes(one));
    return new Set(changed.flatMap((connection) => serviceOf(connection)?.origin ?? []));
  }

  /** Marks the key of a service as rejected, if the service is ready. Returns the origins that changed. */
  rejectKey(origin: string, failure: Failure): ReadonlySet<string> {
    const rejected = (connection: Connection): OtherConnection | undefined =>
      connection.kind === 'ready' && connection.service.origin === origin
        ? { kind: 'keyRejected', service: connection.service, failure }
        : undefined;
    return this.set(
      rejected(this.#current) ?? this.#current,
      this.#others.map((connection) => rejected(connection) ?? connection),
    );
  }
}
