import { createSessionsClient } from '../../api/client.ts';
import { createEditorTransport } from '../../api/transport/editorTransport.ts';
import { type ServiceUrl, parseServiceUrl } from '../../api/serviceUrl.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { lazyTransport, openDirectTransport } from '../../api/transport/openTransport.ts';
import { type Disposable, Disposables, type Event } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import type { Connection, Service } from '../../state/store/connection.ts';
import type { Store } from '../../state/store/store.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { type ServiceSetting, readServices } from './services.ts';

/** The two ways to the network (design, section 7). */
type Route = 'direct' | 'editor';

/** Where base URL, key and route come from. */
export interface ConnectionSources {
  /** The base URL as the user wrote it; empty where there is none. */
  readonly baseUrl: () => string;
  /** The services that were given names, as the user wrote them. */
  readonly services: () => ServiceSetting;
  readonly route: () => Route;
  readonly readKey: (origin: string) => Promise<string | undefined>;
  /** Any of them may have changed. */
  readonly onDidChange: Event<void>;
}

/** A service with a key of its own that stands in for the configured one until it ends: the demo. */
export interface TemporaryService {
  /** What it is called where there are others. */
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
 * Decides which service is talked to, and whether it may be: reads base URL and key again whenever they may have
 * changed, and says in the store what it found. A key that was refused is not tried again until it changes (R12).
 */
export class Connections implements Disposable {
  readonly #store: Store;
  readonly #sources: ConnectionSources;
  readonly #records: RecordStores;
  readonly #log: Log;
  readonly #disposables = new Disposables();
  #client: Client | undefined;
  #temporary: TemporaryService | undefined;
  /** The key that `ready` was said for, to tell a new key from an event without a change. Never leaves this object. */
  #key: string | undefined;
  readonly #queue = new SerialQueue();

  constructor(store: Store, sources: ConnectionSources, records: RecordStores, log: Log) {
    this.#store = store;
    this.#sources = sources;
    this.#records = records;
    this.#log = log;
    this.#disposables.add(sources.onDidChange(() => void this.refresh()));
  }

  /** The client for a service; absent unless it is the current one, has a key, and did not refuse it. */
  apiFor(origin: string): SessionsApi | undefined {
    const { connection } = this.#store;
    return connection.kind === 'ready' && connection.service.origin === origin ? this.#client?.api : undefined;
  }

  /** A client for trying a service out before anything is kept; the caller disposes it. */
  openTrial(service: Service, key: string): SessionsApi {
    return this.#open(service, this.#sources.route(), () => Promise.resolve(key));
  }

  /** The services that can be switched to, the one in use among them, and entries of the setting that are none. */
  get known(): ReturnType<typeof readServices> {
    return readServices(this.#sources.services(), this.#sources.baseUrl());
  }

  /** Whether the current service is the demo. */
  get isTemporary(): boolean {
    return this.#temporary !== undefined;
  }

  /** Lets a service stand in for the configured one, or ends that. Resolves when the store says so. */
  useTemporary(service: TemporaryService | undefined): Promise<void> {
    this.#temporary = service;
    if (service) this.#records.keepInMemory(new URL(service.baseUrl).origin);
    return this.refresh();
  }

  /** Reads base URL and key again; `forgive` gives a refused key another try. Resolves when the store says the result. */
  refresh(forgive = false): Promise<void> {
    return this.#queue
      .run(() => this.#rereadNow(forgive))
      .catch((error: unknown) => {
        this.#log.error(`the connection could not be read: ${error instanceof Error ? error.name : 'unknown'}`);
      });
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#client?.api.dispose();
    this.#client = undefined;
  }

  async #rereadNow(forgive: boolean): Promise<void> {
    const text = this.#temporary?.baseUrl ?? this.#sources.baseUrl();
    const url = parseServiceUrl(text);
    if ('problem' in url) {
      this.#announce({ kind: 'noService', ...(url.problem === 'empty' ? {} : { problem: url.problem }) }, undefined);
      return;
    }
    const key = this.#temporary?.key ?? (await this.#sources.readKey(url.origin));
    if (this.#disposables.isDisposed) return;
    const service = this.#useClient(url);
    if (key === undefined) this.#announce({ kind: 'noKey', service }, undefined);
    else if (forgive || !this.#isRefused(service, key)) this.#announce({ kind: 'ready', service }, key);
  }

  #isRefused(service: Service, key: string): boolean {
    const { connection } = this.#store;
    return connection.kind === 'keyRefused' && connection.service.baseUrl === service.baseUrl && key === this.#key;
  }

  /** Says a connection unless it is what the store has and the key is the same. */
  #announce(connection: Connection, key: string | undefined): void {
    const before = this.#store.connection;
    const isSame = JSON.stringify(before) === JSON.stringify(connection) && key === this.#key;
    this.#key = key;
    if (isSame) return;
    this.#log.info(`connection: ${connection.kind}${'service' in connection ? ` (${connection.service.origin})` : ''}`);
    this.#store.setConnection(connection);
  }

  #useClient({ origin, baseUrl }: ServiceUrl): Service {
    const route = this.#sources.route();
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
    const transport = lazyTransport(() =>
      route === 'direct' ? openDirectTransport(service.origin) : Promise.resolve(createEditorTransport()),
    );
    return createSessionsClient({ baseUrl: service.baseUrl, key, transport, log: this.#log });
  }
}
