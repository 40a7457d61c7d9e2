import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { reasonOf } from '../../shared/log.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { RememberedSession } from '../../state/store/store.ts';
import type { MessageCache } from './messageCache.ts';
import { SessionSummaries, type SessionSummariesOptions } from './sessionSummaries.ts';

interface CacheOptions extends Omit<SessionSummariesOptions, 'isKept'> {
  readonly messages: MessageCache;
  /** The setting `lineside.cache.enabled`. */
  readonly isEnabled: () => boolean;
}

/**
 * Decides which session data is cached on this machine, and removes cached data that is no longer allowed or needed.
 */
export class Cache implements Disposable {
  readonly #options: CacheOptions;
  readonly #summaries: SessionSummaries;
  readonly #disposables = new Disposables();
  #known = new Map<string, SessionKey>();
  #wasEnabled: boolean;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#wasEnabled = options.isEnabled();
    const { records, store, clock, log } = options;
    const isKept = (key: SessionKey) => this.isKept(key);
    this.#summaries = this.#disposables.add(new SessionSummaries({ records, store, isKept, clock, log }));
    this.#disposables.add(store.onDidChange(({ type }) => type === 'sessionList' && this.#dropRemoved()));
  }

  /** Reads what an earlier window knew of sessions before they are added to the store. The result is by `keyText`. */
  readSummaries(keys: readonly SessionKey[]): Promise<ReadonlyMap<string, RememberedSession>> {
    return this.#summaries.read(keys);
  }

  /** Whether a session may be cached on disk; sessions of the demo never are. */
  isKept(key: SessionKey): boolean {
    return this.#options.isEnabled() && this.#options.records.isOnDisk(key.origin);
  }

  /**
   * Clears the cache if caching was turned off. Call this when the setting may have changed. Rejects with the system's
   * error.
   */
  async followSetting(): Promise<void> {
    const isEnabled = this.#options.isEnabled();
    if (isEnabled === this.#wasEnabled) return;
    this.#wasEnabled = isEnabled;
    if (!isEnabled) await this.clear();
  }

  /** Removes everything if caching is off, otherwise only enough to stay within the size limit. Never rejects. */
  async tidy(): Promise<void> {
    try {
      await (this.#options.isEnabled() ? this.#options.messages.sweep() : this.clear());
    } catch (error) {
      this.#options.log.warn(`the cache could not be tidied: ${reasonOf(error)}`);
    }
  }

  /** Removes the cached data of all sessions of all services. Rejects with the system's error. */
  async clear(): Promise<void> {
    await this.#options.messages.clear();
    this.#summaries.forgetFiles();
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    await this.#summaries.flush();
    await this.#options.messages.flush();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /**
   * Removes the cached messages of sessions that left the list, but not of those that are hidden because another
   * service is shown.
   */
  #dropRemoved(): void {
    for (const key of this.#known.values()) {
      if (this.#store.record(key) || this.#store.connectionOf(key.origin).kind === 'noService') continue;
      this.#messages.remove(key).catch((error: unknown) => {
        this.#log.warn(`the cache of a session could not be removed: ${reasonOf(error)}`);
      });
    }
    this.#known = new Map(this.#store.records.map(({ listEntry }) => [keyText(listEntry.key), listEntry.key]));
  }
}
