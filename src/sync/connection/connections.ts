import { createSessionsClient } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import type { FailureListener } from '../../api/http/requester.ts';
import { type ServiceUrl, parseServiceUrl } from '../../api/serviceUrl.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import {
  type NetworkSettings,
  type Route,
  WorkingRoutes,
  chooseRoute,
  openRoute,
} from '../../api/transport/workingRoutes.ts';
import { sameItems, sameValue } from '../../shared/equality.ts';
import { type Disposable, Disposables, type Event } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import { type Connection, type OtherConnection, type Service, serviceOf } from '../../state/store/connection.ts';
import type { Store } from '../../state/store/store.ts';
import type { Clock } from '../storage/clock.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { type ServiceSetting, readServices } from './namedServices.ts';
import { isKeyRejected, toFailure } from './probe.ts';

/** Provides the base URL, the services, the network settings, and the keys. */
export interface ConnectionSources {
  /** The base URL as the user entered it; empty if there is none. */
  readonly baseUrl: () => string;
  /** The named services as the user entered them. */
  readonly services: () => ServiceSetting;
  readonly network: () => NetworkSettings;
  readonly readKey: (origin: string) => Promise<string | undefined>;
  /** Fires when any of these values may have changed. */
  readonly onDidChange: Event<void>;
}

/** A service with its own key, such as the demo, that temporarily replaces all configured ones. */
export interface TemporaryService {
  /** The name shown if there are other services. */
  readonly name?: string;
  readonly baseUrl: string;
  readonly key: string;
}

interface ServiceWithKey {
  readonly service: ServiceUrl;
  readonly key: string;
}

/** A service's client, and the key for which its connection was determined. */
interface Link {
  readonly service: ServiceUrl;
  readonly route: Route;
  readonly api: SessionsApi;
  /** Used to detect a new key. Never leaves this file. */
  key?: string | undefined;
}

/**
 * Determines which services are connected and can be used: rereads the base URL, the services, and the keys whenever
 * they may have changed, and puts the result in the store. A service in the setting that isn't the current one is
 * connected if a key for it is stored, which means that the user entered the key on this machine. There is one client
 * for each origin, and it reads the key of this origin only (R9). After a service rejects a key, the key is not used
 * again until it or the base URL changes, or {@link refresh} permits it (R12).
 */
export class Connections implements Disposable {
  readonly #store: Store;
  readonly #sources: ConnectionSources;
  readonly #records: RecordStores;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #workingRoutes: WorkingRoutes;
  readonly #disposables = new Disposables();
  /** By origin. */
  readonly #links = new Map<string, Link>();
  #temporary: TemporaryService | undefined;
  readonly #queue = new SerialQueue();

  constructor(store: Store, sources: ConnectionSources, records: RecordStores, clock: Clock, log: Log) {
    this.#store = store;
    this.#sources = sources;
    this.#records = records;
    this.#clock = clock;
    this.#log = log;
    this.#workingRoutes = new WorkingRoutes(log);
    this.#disposables.add(sources.onDidChange(() => void this.refresh()));
  }

  /** The client for a service; undefined unless the service is connected, has a key, and did not reject it. */
  apiFor(origin: string): SessionsApi | undefined {
    return this.#store.connectionOf(origin).kind === 'ready' ? this.#links.get(origin)?.api : undefined;
  }

  /** Opens a client to test a service before anything is saved. The caller disposes it. */
  openTrial(service: Service, key: string): SessionsApi {
    return this.#open(service, this.#route, () => Promise.resolve(key));
  }

  /** The services that the user can switch to, including the current one, and the unusable entries of the setting. */
  get known(): ReturnType<typeof readServices> {
    return readServices(this.#sources.services(), this.#sources.baseUrl());
  }

  get #route(): Route {
    return chooseRoute(this.#sources.network(), process.env);
  }

  /** Whether a temporary service, such as the demo, is the current one. */
  get isTemporary(): boolean {
    return this.#temporary !== undefined;
  }

  /**
   * Replaces all configured services temporarily with one whose records are kept in memory; undefined restores them.
   * Resolves when the store is updated.
   */
  useTemporary(service: TemporaryService | undefined): Promise<void> {
    this.#temporary = service;
    if (service) this.#records.keepInMemory(new URL(service.baseUrl).origin);
    return this.refresh();
  }

  /**
   * Rereads the base URL, the services, and the keys. `retryRejectedKeys` permits using rejected keys. Resolves when
   * the store is updated. Never rejects; errors are logged.
   */
  refresh(retryRejectedKeys = false): Promise<void> {
    return this.#queue
      .run(() => this.#rereadNow(retryRejectedKeys))
      .catch((error: unknown) => {
        this.#log.error(`the connection could not be read: ${error instanceof Error ? error.name : 'unknown'}`);
      });
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const origin of this.#links.keys()) this.#unlink(origin);
  }

  async #rereadNow(retryRejectedKeys: boolean): Promise<void> {
    const url = parseServiceUrl(this.#temporary?.baseUrl ?? this.#sources.baseUrl());
    const configured = 'failure' in url ? undefined : url;
    if (configured && !this.#temporary && this.#store.connection.kind === 'starting') {
      // VS Code may take a long time to read the keys, for example while it builds a webview. Show what is on disk
      // meanwhile.
      this.#announce({ kind: 'starting', service: this.#describe(configured, false) }, []);
    }
    const withKeys = await this.#servicesWithKeys(configured);
    if (this.#disposables.isDisposed) return;
    const isEmpty = 'failure' in url && url.failure === 'empty';
    const current = configured ?? (isEmpty ? withKeys[0]?.service : undefined);
    const isCurrent = ({ service }: ServiceWithKey) => service.origin === current?.origin;
    const others = withKeys.filter((other) => !isCurrent(other));
    const isAmongSeveral = others.length + (current ? 1 : 0) > 1;
    const connectionTo = ({ service, key }: ServiceWithKey) =>
      this.#connectionTo(this.#describe(service, isAmongSeveral), key, retryRejectedKeys);
    const own = withKeys.find(isCurrent);
    const otherConnections = others.map(connectionTo);
    if (own) this.#announce(connectionTo(own), otherConnections);
    else if (current)
      this.#announce({ kind: 'noKey', service: this.#describe(current, isAmongSeveral) }, otherConnections);
    else
      this.#announce(
        { kind: 'noService', ...('failure' in url && !isEmpty ? { failure: url.failure } : {}) },
        otherConnections,
      );
    const linked = new Set(withKeys.map(({ service }) => service.origin));
    for (const origin of this.#links.keys()) if (!linked.has(origin)) this.#unlink(origin);
  }

  /** The services for which a key is stored, the configured one first. A temporary service is the only one. */
  async #servicesWithKeys(configured: ServiceUrl | undefined): Promise<readonly ServiceWithKey[]> {
    const temporary = this.#temporary;
    const named = temporary ? [] : this.known.services.filter(({ origin }) => origin !== configured?.origin);
    const services = [...(configured ? [configured] : []), ...named];
    const keys = await Promise.all(
      services.map(async ({ origin }) => (temporary ? temporary.key : this.#sources.readKey(origin))),
    );
    return services.flatMap((service, place) => {
      const key = keys[place];
      return key === undefined ? [] : [{ service, key }];
    });
  }

  /**
   * The connection to a service with a key: the known one if neither service nor key changed. With `retryRejectedKeys`,
   * a rejected key counts as changed. Opens a client if needed.
   */
  #connectionTo(service: Service, key: string, retryRejectedKeys: boolean): OtherConnection {
    const link = this.#link(service);
    const before = this.#store.connectionOf(service.origin);
    const isKnownKey = link.key === key;
    link.key = key;
    const isSameUrl = serviceOf(before)?.baseUrl === service.baseUrl;
    if (before.kind === 'keyRejected' && isKnownKey && isSameUrl && !retryRejectedKeys) return before;
    const ready = { kind: 'ready', service } as const;
    return before.kind === 'ready' && isKnownKey && sameValue(before, ready) ? before : ready;
  }

  /** Puts the connections in the store if one of them changed. */
  #announce(current: Connection, others: readonly OtherConnection[]): void {
    const before = [this.#store.connection, ...this.#store.connections];
    const known = current.kind !== 'ready' && sameValue(before[0], current) ? (before[0] ?? current) : current;
    const after = [known, ...(serviceOf(known) ? [known] : []), ...others];
    if (sameItems(before, after)) return;
    for (const connection of new Set(after)) {
      if (before.includes(connection)) continue;
      const origin = serviceOf(connection)?.origin;
      this.#log.info(`connection: ${connection.kind}${origin === undefined ? '' : ` (${origin})`}`);
    }
    this.#store.setConnections(known, others);
  }

  /** The link to a service. Its client is kept until the base URL or the route changes. */
  #link({ origin, baseUrl }: ServiceUrl): Link {
    const route = this.#route;
    const known = this.#links.get(origin);
    if (known?.service.baseUrl === baseUrl && known.route === route) return known;
    this.#unlink(origin);
    const service = { origin, baseUrl };
    const key = () =>
      Promise.resolve(this.#temporary?.baseUrl === baseUrl ? this.#temporary.key : this.#sources.readKey(origin));
    const api = this.#open(service, route, key, (error, usedKey) => this.#handleFailure(origin, error, usedKey));
    // The key of an origin stays the same if only the base URL or the route changes.
    const link = { service, route, api, key: known?.key };
    this.#links.set(origin, link);
    return link;
  }

  /** Records that the service rejected the key, unless the key has changed since the request was sent. */
  #handleFailure(origin: string, error: ApiError, usedKey: string): void {
    if (!isKeyRejected(error) || this.#links.get(origin)?.key !== usedKey) return;
    this.#store.rejectKey(origin, toFailure(error, this.#clock.now()));
  }

  #unlink(origin: string): void {
    this.#links.get(origin)?.api.dispose();
    this.#links.delete(origin);
  }

  #describe({ origin, baseUrl }: ServiceUrl, isAmongSeveral: boolean): Service {
    const { services } = this.known;
    const others = services.filter((service) => service.origin !== origin);
    const name = this.#temporary ? this.#temporary.name : services.find((service) => service.origin === origin)?.name;
    const named = others.length > 0 && name !== undefined ? { name } : {};
    return {
      origin,
      baseUrl,
      ...named,
      ...(isAmongSeveral ? { isAmongSeveral } : {}),
      ...(this.#temporary ? { isTemporary: true } : {}),
    };
  }

  #open(
    service: ServiceUrl,
    route: Route,
    key: () => Promise<string | undefined>,
    onFailure?: FailureListener,
  ): SessionsApi {
    const transport = openRoute(route, service.origin, this.#workingRoutes);
    return createSessionsClient({ baseUrl: service.baseUrl, key, transport, log: this.#log, onFailure });
  }
}
