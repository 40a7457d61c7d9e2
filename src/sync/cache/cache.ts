import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { Tail } from '../../state/store/sessionRecord.ts';
import type { RememberedSession, Store } from '../../state/store/store.ts';
import type { CachePolicy } from './cachePolicy.ts';
import type { MessageCache } from './messageCache.ts';
import type { PathSamples } from './pathSamples.ts';
import type { SessionSummaries } from './sessionSummaries.ts';

/** The session data that is cached on this machine. Removes what is no longer allowed or needed. */
export class Cache implements Disposable {
  readonly #policy: CachePolicy;
  readonly #messages: MessageCache;
  readonly #store: Store;
  readonly #log: Log;
  readonly #summaries: SessionSummaries;
  /** Some of the files that each session names, as evidence for other sessions of where their agents work. */
  readonly pathSamples: PathSamples;
  readonly #disposables = new Disposables();
  #known = new Map<string, SessionKey>();
  #wasEnabled: boolean;

  /** Owns `summaries` and `pathSamples`, but not `messages`. */
  constructor(
    policy: CachePolicy,
    messages: MessageCache,
    summaries: SessionSummaries,
    pathSamples: PathSamples,
    store: Store,
    log: Log,
  ) {
    this.#policy = policy;
    this.#messages = messages;
    this.#store = store;
    this.#log = log;
    this.#wasEnabled = policy.isEnabled;
    this.#summaries = this.#disposables.add(summaries);
    this.pathSamples = this.#disposables.add(pathSamples);
    this.#disposables.add(store.onDidChange(({ type }) => type === 'sessionList' && this.#dropRemoved()));
  }

  /**
   * Reads what an earlier window knew about sessions, before they are added to the store. The result is keyed by
   * `keyText`, without the sessions that aren't cached. Never rejects.
   */
  readSummaries(keys: readonly SessionKey[]): Promise<ReadonlyMap<string, RememberedSession>> {
    return this.#summaries.read(keys);
  }

  /** Saves the tail of a session for other windows, if the session may be cached. Never rejects. */
  saveTail(key: SessionKey, tail: Tail): Promise<void> {
    return this.#summaries.saveTail(key, tail);
  }

  /**
   * What this or another window saved with {@link saveTail}; undefined if nothing was saved, if the file can't be read,
   * or if the session may not be cached. Never rejects.
   */
  readTail(key: SessionKey): Promise<Tail | undefined> {
    return this.#summaries.readTail(key);
  }

  /** Whether a session may be cached on disk; sessions of the demo never are. */
  isKept(key: SessionKey): boolean {
    return this.#policy.isKept(key);
  }

  /**
   * Clears the cache if caching was turned off. Call this when the setting may have changed. Rejects with the system's
   * error.
   */
  async followSetting(): Promise<void> {
    const { isEnabled } = this.#policy;
    if (isEnabled === this.#wasEnabled) return;
    this.#wasEnabled = isEnabled;
    if (!isEnabled) await this.clear();
  }

  /** Removes everything if caching is off, otherwise only enough to stay within the size limit. Never rejects. */
  async tidy(): Promise<void> {
    try {
      await (this.#policy.isEnabled ? this.#messages.sweep() : this.clear());
    } catch (error) {
      this.#log.warn(`the cache could not be tidied: ${reasonOf(error)}`);
    }
  }

  /** Removes the cached data of all sessions of all services. Rejects with the system's error. */
  async clear(): Promise<void> {
    this.pathSamples.forget();
    await this.#messages.clear();
    this.#summaries.forgetFiles();
    this.pathSamples.forget();
  }

  /**
   * Writes the states of the sessions that this window has refreshed. Resolves when these writes and the pending writes
   * of messages have ended.
   */
  async flush(): Promise<void> {
    await this.#summaries.flush();
    await this.#messages.flush();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /**
   * Removes the cached data of sessions that left the list, and of their transient children, but not of those that are
   * hidden because their service isn't connected.
   */
  #dropRemoved(): void {
    for (const key of this.#known.values()) {
      if (this.#store.record(key) || this.#store.connectionOf(key.origin).kind === 'noService') continue;
      this.pathSamples.forgetSession(key);
      this.#messages.remove(key).catch((error: unknown) => {
        this.#log.warn(`the cache of a session could not be removed: ${reasonOf(error)}`);
      });
    }
    const records = [...this.#store.records, ...this.#store.transientSessions];
    this.#known = new Map(records.map(({ listEntry }) => [keyText(listEntry.key), listEntry.key]));
  }
}
