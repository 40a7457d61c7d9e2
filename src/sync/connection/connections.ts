import { createSessionsClient } from '../../api/client.ts';
import { type ServiceUrl, parseServiceUrl } from '../../api/serviceUrl.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { type NetworkSettings, type Route, WorkingRoutes, chooseRoute, openRoute } from '../../api/transport/routes.ts';
import { type Disposable, Disposables, type Event } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import { type Connection, type Service } from '../../state/store/connection.ts';
import type { Store } from '../../state/store/store.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { type ServiceSetting, readServices } from './services.ts';

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

/** A service with its own key that temporarily replaces the configured one: the demo. */
export interface TemporaryService {
  /** The name shown if there are other services. */
  readonly name?: string;
  readonly baseUrl: string;
  readonly key: string;
}

interface Client {
  readonly service: Service;
  readonly route: Route;
  readonly api: SessionsApi;
}

/**
 * Determines the current service and whether it can be used: rereads the base URL and the key whenever they may have
 * changed, and puts the result in the store. A rejected key is not tried again until it changes (R12).
 */
export class Connections implements Disposable {
  readonly #store: Store;
  readonly #sources: ConnectionSources;
  readonly #records: RecordStores;
  readonly #log: Log;
  readonly #workingRoutes: WorkingRoutes;
  readonly #disposables = new Disposables();
  #client: Client | undefined;
  #temporary: TemporaryService | undefined;
  /** The key of the last announced connection, used to detect a new key. Never leaves this object. */
  #key: string | undefined;
  readonly #queue = new SerialQueue();

  constructor(store: Store, sources: ConnectionSources, records: RecordStores, log: Log) {
    this.#store = store;
    this.#sources = sources;
    this.#records = records;
    this.#log = log;
    this.#workingRoutes = new WorkingRoutes(log);
    this.#disposables.add(sources.onDidChange(() => void this.refresh()));
  }

  /** The client for a service; undefined unless the service is the current one, has a key, and did not reject it. */
  apiFor(origin: string): SessionsApi | undefined {
    const { connection } = this.#store;
    return connection.kind === 'ready' && connection.service.origin === origin ? this.#client?.api : undefined;
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

  /** Whether the current service is the demo. */
  get isTemporary(): boolean {
    return this.#temporary !== undefined;
  }

  /**
   * Replaces the configured service temporarily; undefined restores the configured one. Resolves when the store is
   * updated.
   */
  useTemporary(service: TemporaryService | undefined): Promise<void> {
    this.#temporary = service;
    if (service) this.#records.keepInMemory(new URL(service.baseUrl).origin);
    return this.refresh();
  }

  /**
   * Rereads the base URL and the key. `retryRejectedKey` permits using a rejected key. Resolves when the store is
   * updated.
   */
  refresh(retryRejectedKey = false): Promise<void> {
    return this.#queue
      .run(() => this.#rereadNow(retryRejectedKey))
      .catch((error: unknown) => {
        this.#log.error(`the connection could not be read: ${error instanceof Error ? error.name : 'unknown'}`);
      });
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#client?.api.dispose();
    this.#client = undefined;
  }

  async #rereadNow(retryRejectedKey: boolean): Promise<void> {
    const text = this.#temporary?.baseUrl ?? this.#sources.baseUrl();
    const url = parseServiceUrl(text);
    if ('problem' in url) {
      this.#announce({ kind: 'noService', ...(url.problem === 'empty' ? {} : { problem: url.problem }) }, undefined);
      return;
    }
    if (!this.#temporary && this.#store.connection.kind === 'starting') {
      // VS Code may take long to read the key, for example while it builds a webview. Nothing that is on disk needs it.
      this.#announce({ kind: 'starting', service: this.#describe(url) }, undefined);
    }
    const key = this.#temporary?.key ?? (await this.#sources.readKey(url.origin));
    if (this.#disposables.isDisposed) return;
    const service = this.#useClient(url);
    if (key === undefined) this.#announce({ kind: 'noKey', service }, undefined);
    else if (retryRejectedKey || !this.#isRefused(service, key)) this.#announce({ kind: 'ready', service }, key);
  }

  #isRefused(service: Service, key: string): boolean {
    const { connection } = this.#store;
    return connection.kind === 'keyRefused' && connection.service.baseUrl === service.baseUrl && key === this.#key;
  }

  /** Puts a connection in the store if the connection or the key changed. */
  #announce(connection: Connection, key: string | undefined): void {
    const before = this.#store.connection;
    const isSame = JSON.stringify(before) === JSON.stringify(connection) && key === this.#key;
    this.#key = key;
    if (isSame) return;
    this.#log.info(`connection: ${connection.kind}${'service' in connection ? ` (${connection.service.origin})` : ''}`);
    this.#store.setConnection(connection);
  }

  #useClient({ origin, baseUrl }: ServiceUrl): Service {
    const route = this.#route;
    const current = this.#client;
    const service = this.#describe({ origin, baseUrl });
    if (current?.service.baseUrl === baseUrl && current.route === route) return service;
    current?.api.dispose();
    const key = () =>
      Promise.resolve(this.#temporary?.baseUrl === baseUrl ? this.#temporary.key : this.#sources.readKey(origin));
    this.#client = { service, route, api: this.#open(service, route, key) };
    return service;
  }

  #describe({ origin, baseUrl }: ServiceUrl): Service {
    const { services } = this.known;
    const others = services.filter((service) => service.origin !== origin);
    const name = this.#temporary ? this.#temporary.name : services.find((service) => service.origin === origin)?.name;
    const named = others.length > 0 && name !== undefined ? { name } : {};
    return { origin, baseUrl, ...named, ...(this.#temporary ? { isTemporary: true } : {}) };
  }

  #open(service: Service, route: Route, key: () => Promise<string | undefined>): SessionsApi {
    const transport = openRoute(route, service.origin, this.#workingRoutes);
    return createSessionsClient({ baseUrl: service.baseUrl, key, transport, log: this.#log });
  }
}
