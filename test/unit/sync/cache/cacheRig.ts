import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { type Connection, serviceOf } from '../../../../src/state/store/connection.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { Cache } from '../../../../src/sync/cache/cache.ts';
import { CachePolicy } from '../../../../src/sync/cache/cachePolicy.ts';
import { type RecordStore, openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { HistoryLoader } from '../../../../src/sync/history/historyLoader.ts';
import { MessageCache } from '../../../../src/sync/cache/messageCache.ts';
import { BodyRefetcher } from '../../../../src/sync/history/bodyRefetcher.ts';
import { PathSamples } from '../../../../src/sync/cache/pathSamples.ts';
import { cacheFolder } from '../../../../src/sync/cache/cacheRecord.ts';
import { SessionSummaries } from '../../../../src/sync/cache/sessionSummaries.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { key, never } from '../history/historyRig.ts';

export interface WindowOptions {
  readonly capBytes?: number;
  readonly isEnabled?: () => boolean;
  readonly connection?: Connection;
  readonly clock?: FakeClock;
  /** The sessions in the session list. */
  readonly keys?: readonly SessionKey[];
}

export const ready: Connection = { kind: 'ready', service: { origin: key.origin, baseUrl: key.origin } };

/** A window with the real store, history loader, and cache, whose files are in a real folder. */
export class CacheWindow {
  readonly clock: FakeClock;
  readonly store: Store;
  readonly messages: MessageCache;
  readonly history: HistoryLoader;
  readonly cache: Cache;
  readonly disk: RecordStore;
  /** The service, or undefined while it is unreachable. */
  api: SessionsApi | undefined;
  readonly #keys: readonly SessionKey[];

  private constructor(
    disk: RecordStore,
    messages: MessageCache,
    cache: Cache,
    policy: CachePolicy,
    store: Store,
    clock: FakeClock,
    keys: readonly SessionKey[],
  ) {
    this.disk = disk;
    this.messages = messages;
    this.cache = cache;
    this.store = store;
    this.clock = clock;
    this.#keys = keys;
    this.history = new HistoryLoader(store, clock, messages);
    const apiFor = () => this.api;
    messages.connect(store, policy, new BodyRefetcher({ store, apiFor, signal: never, clock, log: silentLog }));
  }

  static async open(folder: string, options: WindowOptions = {}): Promise<CacheWindow> {
    const { clock = new FakeClock(), connection = ready, keys = [key], isEnabled = () => true, capBytes } = options;
    const disk = await openDisk(folder, silentLog, clock);
    const cap = capBytes === undefined ? {} : { capBytes };
    const messages = new MessageCache({ folder: join(folder, cacheFolder), clock, log: silentLog, ...cap });
    const store = new Store(messages);
    const records = new RecordStores(disk);
    const service = serviceOf(connection);
    if (service?.isTemporary) records.keepInMemory(service.origin);
    const policy = new CachePolicy(records, isEnabled);
    const summaries = new SessionSummaries(records, store, policy, clock, silentLog);
    const cache = new Cache(policy, messages, summaries, new PathSamples(records, policy, silentLog), store, silentLog);
    const window = new CacheWindow(disk, messages, cache, policy, store, clock, keys);
    store.setConnection(connection);
    for (const asked of keys) store.addSession({ key: asked, addedAt: 1 });
    return window;
  }

  get record(): SessionRecord {
    return this.store.record(key)!;
  }

  get ids(): string[] {
    return this.record.headers.map(({ messageId }) => messageId);
  }

  /** Restores the cached sessions into the store. */
  async restore(): Promise<void> {
    for (const asked of this.#keys) await this.history.restore(asked);
  }

  refresh(api: SessionsApi): Promise<void> {
    return this.history.refresh(api, key, never);
  }

  async readAll(api: SessionsApi): Promise<void> {
    await this.refresh(api);
    while (this.record.history.completeness === 'partial') await this.history.loadOlder(api, key, never);
  }

  async texts(messageIds: readonly string[]): Promise<string[]> {
    const bodies = await this.store.readBodies(key, messageIds);
    return bodies.map(({ content }) => (content[0]?.type === 'text' ? content[0].text : '?'));
  }

  /** Closes the window normally. */
  async close(): Promise<void> {
    await this.cache.flush();
    this.cache.dispose();
    this.store.dispose();
  }
}

/**
 * Maps the path of every file in the cache folder to its content. Skips temporary files and files that disappear in the
 * meantime.
 */
export async function cacheFiles(folder: string): Promise<Map<string, Buffer>> {
  const root = join(folder, cacheFolder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, Buffer>();
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith('.tmp')) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path).catch(() => undefined);
    if (content) files.set(path, content);
  }
  return files;
}
