import { ApiError } from '../../api/errors.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { KeyedQueue } from '../../shared/serialQueue.ts';
import { inSlices } from '../../shared/slices.ts';
import type { Failure } from '../../state/store/failure.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type TextHit, firstHit } from '../cache/findWords.ts';
import { isRetriedRead, longestPauseMs } from '../connection/backoff.ts';
import { isAboutSession, toFailure } from '../connection/probe.ts';
import type { ServicePauses } from '../connection/serviceLimits.ts';
import { type Clock, remainingMs } from '../storage/clock.ts';
import { paginate } from './pagination.ts';

/** The maximum number of pages to read from a conversation. */
const maxPages = 20;
/** The total size of the pages of a conversation, in bytes, after which no further page is read. */
const maxBytes = 16 * 1024 * 1024;

/** What a search in a conversation on its service found. */
export interface ConversationSearch {
  /** Undefined if no searched message contains all words. */
  readonly hit?: TextHit;
  /**
   * `searched`: there is a hit, or all messages were searched; `tooLarge`: some messages weren't searched, because a
   * limit was reached; `failed`: some weren't searched, because a request failed.
   */
  readonly outcome: 'searched' | 'tooLarge' | 'failed';
}

/**
 * Why the other conversations of a service weren't searched: a failure, or a pause that ends at `pausedUntil` (Unix
 * ms), or both.
 */
export interface SearchStop {
  readonly origin: string;
  readonly failure?: Failure;
  readonly pausedUntil?: number;
}

/** A search in conversations on their services. */
export interface SearchRequest {
  /** The conversations, in the order in which those of a service are searched. */
  readonly keys: readonly SessionKey[];
  /** Lowercase. A message is found if it contains all of them. */
  readonly words: readonly string[];
  readonly signal: AbortSignal;
  /** Receives the result of each conversation. */
  readonly onSearched: (key: SessionKey, result: ConversationSearch) => void;
}

interface ServiceSearchOptions {
  readonly store: Store;
  readonly pauses: ServicePauses;
  /** The client for a service; undefined while the service can't be used. */
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Thrown because the service is paused until `until` (Unix ms). */
class PauseBegan extends Error {
  readonly until: number;

  constructor(until: number) {
    super('The service is paused.');
    this.until = until;
  }
}

/**
 * Searches the messages of conversations on their services, one request at a time for each service. Keeps no messages,
 * because they would leave gaps in the histories of the store and the cache.
 */
export class ServiceSearch {
  readonly #options: ServiceSearchOptions;
  readonly #queues = new KeyedQueue<string>();

  constructor(options: ServiceSearchOptions) {
    this.#options = options;
  }

  /**
   * Searches conversations until all have been searched, the signal is aborted, or a failure or a pause of their
   * service stops the search. Resolves to the services that stopped it. Leaves out removed sessions and those of
   * services that aren't connected. Never rejects because of a request.
   */
  async search(request: SearchRequest): Promise<readonly SearchStop[]> {
    const origins = new Set(request.keys.map(({ origin }) => origin));
    const stops = await Promise.all(
      [...origins].map((origin) => this.#queues.run(origin, () => this.#searchService(origin, request))),
    );
    return stops.flatMap((stop) => stop ?? []);
  }

  async #searchService(
    origin: string,
    { keys, words, signal, onSearched }: SearchRequest,
  ): Promise<SearchStop | undefined> {
    for (const key of keys) {
      if (key.origin !== origin) continue;
      try {
        const result = await this.#searchConversation(key, words, signal);
        // The signal is aborted when the results can't be shown anymore.
        if (signal.aborted) return undefined;
        if (result) onSearched(key, result);
      } catch (error) {
        if (signal.aborted) return undefined;
        if (isOfConversation(error)) onSearched(key, { outcome: 'failed' });
        if (!isAboutSession(error)) return this.#stop(origin, error);
      }
    }
    return undefined;
  }

  async #searchConversation(
    key: SessionKey,
    words: readonly string[],
    signal: AbortSignal,
  ): Promise<ConversationSearch | undefined> {
    const { store, apiFor } = this.#options;
    const api = apiFor(key.origin);
    const record = store.record(key);
    if (!api || !record) return undefined;
    await this.#checkPause(key.origin);
    let pageCount = 0;
    let sizeBytes = 0;
    try {
      for await (const { page, next } of paginate(api, key.sessionId, {
        computerId: record.listEntry.computerId,
        signal,
      })) {
        const newestFirst = [...page.messages].sort((a, b) => b.updatedAt - a.updatedAt);
        const hit = await inSlices(firstHit(newestFirst, words), () => signal.aborted);
        if (hit) return { hit, outcome: 'searched' };
        // The list also ends here if a cursor repeats, although the service says that more pages follow.
        if (next === undefined) return { outcome: 'searched' };
        pageCount += 1;
        sizeBytes += page.sizeBytes ?? 0;
        if (pageCount >= maxPages || sizeBytes >= maxBytes) return { outcome: 'tooLarge' };
        await this.#checkPause(key.origin);
      }
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'tooLarge') return { outcome: 'tooLarge' };
      throw error;
    }
    return { outcome: 'searched' };
  }

  /** @throws PauseBegan if no request may be sent to the service. */
  async #checkPause(origin: string): Promise<void> {
    const { pauses, clock } = this.#options;
    await pauses.refresh(origin);
    const until = pauses.notBefore(origin);
    if (remainingMs(until, longestPauseMs, clock.now()) > 0) throw new PauseBegan(until);
  }

  #stop(origin: string, error: unknown): SearchStop {
    const { pauses, clock, log } = this.#options;
    if (error instanceof PauseBegan) return { origin, pausedUntil: error.until };
    log.debug(`the search was stopped: ${reasonOf(error)}`);
    const failure = toFailure(error, clock.now());
    if (!isRetriedRead(failure)) return { origin, failure };
    pauses.failed(origin, failure.retryAfterMs);
    const pausedUntil = pauses.notBefore(origin);
    return pausedUntil > clock.now() ? { origin, failure, pausedUntil } : { origin, failure };
  }
}

/**
 * Whether the conversation itself may have caused a failure. It then gets a result, so that a search in the remaining
 * conversations doesn't start with it again.
 */
function isOfConversation(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { kind, status = 0 } = error;
  return isAboutSession(error) || kind === 'deadline' || kind === 'notJson' || (kind === 'status' && status >= 500);
}
