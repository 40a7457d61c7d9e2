import { inSlices } from '../../shared/slices.ts';
import type { Message } from '../../api/resources/message.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type Clock, remainingMs } from '../storage/clock.ts';
import { isAttached } from './historyReader.ts';
import { getIfReadable } from './roles.ts';
import { paginate } from './pagination.ts';

/**
 * The maximum number of messages that are only requested one by one. More messages are first looked for in the pages of
 * the list.
 */
const singlesLimit = 3;
/**
 * The delay after a failure before messages of a session are requested again. Until then, {@link BodyRefetcher.refetch}
 * loads nothing.
 */
const pauseMs = 30_000;

interface BodyRefetcherOptions {
  readonly store: Store;
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

/** Loads messages again from the service if their bodies are missing, because the cache was cleared or is damaged. */
export class BodyRefetcher {
  readonly #options: BodyRefetcherOptions;
  readonly #notBefore = new Map<string, number>();
  /** The IDs of the messages that can't be read, by `keyText`. They are not requested again. */
  readonly #unreadableIds = new Map<string, Set<string>>();

  constructor(options: BodyRefetcherOptions) {
    this.#options = options;
  }

  /**
   * Loads messages again and puts them into the store. Skips those that aren't part of the history. Messages that
   * can't be read, for example because the service no longer has them, are requested only once, unless the session
   * can't be read either. Resolves to the number of loaded messages; 0 after a failure. Never rejects.
   */
  async refetch(key: SessionKey, messageIds: readonly string[]): Promise<number> {
    const { store, apiFor } = this.#options;
    const api = apiFor(key.origin);
    const unreadableIds = this.#unreadableIds.get(keyText(key));
    const known = messageIds.filter((messageId) => isAttached(store, key, messageId) && !unreadableIds?.has(messageId));
    if (!api || known.length === 0 || this.#isPaused(key)) return 0;
    try {
      return await (known.length <= singlesLimit ? this.#readSingles(api, key, known) : this.#walk(api, key, known));
    } catch (error) {
      this.#pause(key, error);
      return 0;
    }
  }

  #pause(key: SessionKey, error: unknown): void {
    const { clock, log } = this.#options;
    this.#notBefore.set(keyText(key), clock.now() + pauseMs);
    log.debug(`messages could not be read again: ${reasonOf(error)}`);
  }

  #isPaused(key: SessionKey): boolean {
    return remainingMs(this.#notBefore.get(keyText(key)) ?? 0, pauseMs, this.#options.clock.now()) > 0;
  }

  async #readSingles(api: SessionsApi, key: SessionKey, messageIds: readonly string[]): Promise<number> {
    const { store, signal } = this.#options;
    const computerId = store.record(key)?.listEntry.computerId;
    const read: Message[] = [];
    const unreadableIds: string[] = [];
    for (const messageId of messageIds) {
      const message = await getIfReadable(() => api.getMessage(key.sessionId, messageId, { computerId, signal }));
      if (message) read.push(message);
      else unreadableIds.push(messageId);
    }
    await inSlices(store.prepareMessages(read), () => signal.aborted);
    store.takeMessages(key, read);
    if (unreadableIds.length > 0) await this.#noteUnreadable(api, key, unreadableIds);
    return read.length;
  }

  async #walk(api: SessionsApi, key: SessionKey, messageIds: readonly string[]): Promise<number> {
    const { store, signal } = this.#options;
    const computerId = store.record(key)?.listEntry.computerId;
    const missing = new Set(messageIds);
    for await (const { page } of paginate(api, key.sessionId, { computerId, signal })) {
      await inSlices(store.prepareMessages(page.messages), () => signal.aborted);
      // Messages that aren't loaded yet are loaded with their neighbors; adding them here would leave gaps.
      store.takeMessages(
        key,
        page.messages.filter(({ id }) => isAttached(store, key, id)),
      );
      for (const { id } of page.messages) missing.delete(id);
      if (missing.size === 0) break;
    }
    if (missing.size === 0) return messageIds.length;
    // A list can lack messages that the service still has, so it doesn't show that they are gone. Request all of them,
    // because the next call would read the whole list again for the others.
    const readCount = await this.#readSingles(api, key, [...missing]);
    return messageIds.length - missing.size + readCount;
  }

  /** Notes that messages can't be read, unless the whole session is unavailable. Never rejects. */
  async #noteUnreadable(api: SessionsApi, key: SessionKey, messageIds: readonly string[]): Promise<void> {
    const { store, signal } = this.#options;
    // The session couldn't be read at the last refresh. That may be the reason, even if the request below succeeds.
    if (store.record(key)?.failure) return;
    try {
      const computerId = store.record(key)?.listEntry.computerId;
      await api.getSession(key.sessionId, { computerId, signal });
    } catch (error) {
      this.#pause(key, error);
      return;
    }
    const unreadableIds = this.#unreadableIds.get(keyText(key)) ?? new Set();
    this.#unreadableIds.set(keyText(key), unreadableIds);
    for (const messageId of messageIds) unreadableIds.add(messageId);
  }
}
