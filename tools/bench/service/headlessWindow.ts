import { join } from 'node:path';
import { Emitter } from '../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { SessionKey } from '../../../src/state/store/sessionKey.ts';
import { Store } from '../../../src/state/store/store.ts';
import { MessageCache } from '../../../src/sync/cache/messageCache.ts';
import { cacheFolder } from '../../../src/sync/cache/cacheRecord.ts';
import { systemClock } from '../../../src/sync/storage/clock.ts';
import { SyncEngine } from '../../../src/sync/syncEngine.ts';

interface HeadlessOptions {
  /** The data folder of the extension. */
  readonly folder: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly isCached: boolean;
}

/** The store, cache, and engine of a window, without an editor. */
export class HeadlessWindow {
  readonly store: Store;
  readonly messages: MessageCache;
  readonly sync: SyncEngine;
  readonly #baseUrl: string;

  constructor({ folder, baseUrl, token, isCached }: HeadlessOptions) {
    this.#baseUrl = baseUrl;
    this.messages = new MessageCache({ folder: join(folder, cacheFolder), clock: systemClock, log: silentLog });
    this.store = new Store(this.messages);
    const changes = new Emitter<void>();
    const settings = {
      baseUrl: () => baseUrl,
      services: () => ({}),
      network: () => ({ route: 'direct' as const, httpProxy: '' }),
      readKey: () => Promise.resolve(token),
      onDidChange: changes.event,
      pace: () => ({ runningMs: 2_000, idleMs: 2_000 }),
      whileRunning: () => 'now' as const,
      isCacheEnabled: () => isCached,
      readsInBackground: () => true,
    };
    const syncedMemory = { read: () => undefined, write: () => Promise.resolve() };
    const { store, messages } = this;
    this.sync = new SyncEngine({ store, settings, folder, messages, syncedMemory, clock: systemClock, log: silentLog });
  }

  static async open(options: HeadlessOptions): Promise<HeadlessWindow> {
    const opened = new HeadlessWindow(options);
    await opened.sync.start(undefined, () => undefined);
    return opened;
  }

  /** Adds a session to the list. */
  async add(sessionId: string): Promise<SessionKey> {
    const key: SessionKey = { origin: new URL(this.#baseUrl).origin, sessionId };
    await this.sync.sessionList.add(key);
    return key;
  }

  /** Loads the session and all its messages, and waits until they are on disk. Rejects if messages are missing. */
  async load(key: SessionKey): Promise<void> {
    const watching = this.sync.watch(key, true);
    await this.sync.refresh(key);
    await this.sync.loadRest(key);
    watching.dispose();
    if (this.store.record(key)?.history.completeness !== 'complete') throw new Error('messages are missing');
    await this.messages.flush();
  }

  /** Saves everything, and ends. */
  close(): Promise<void> {
    return this.sync.stopWriting();
  }
}
