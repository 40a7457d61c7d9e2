import type { Message } from '../api/message.ts';
import type { SessionsApi } from '../api/sessionsApi.ts';
import { type SessionKey, keyText } from '../state/sessionKey.ts';
import type { Store } from '../state/store.ts';
import type { Clock } from './clock.ts';
import type { KeptPlace } from './cacheIndex.ts';
import { type HistoryPlace, keptPlaceOf, newHistoryPlace, resumePlace } from './historyPlace.ts';
import { problemOf } from './problems.ts';
import { getIfThere, learnRoles } from './roles.ts';
import type { KeptHistory } from './sessionCache.ts';
import { type WalkStep, orderOf, walkPages } from './walk.ts';

/** What outlives the window: the cache of messages. */
export interface HistoryMemory {
  /** What an earlier window left of a session. Never rejects. */
  restore(key: SessionKey): Promise<KeptHistory | undefined>;
  keepPlace(key: SessionKey, place: KeptPlace): void;
}

/**
 * Brings the messages of sessions into the store, whatever order the service lists them in (design, section 6):
 * newest first, a refresh reads from the start until it meets what is known, and older pages come when asked for;
 * oldest first, the first refresh walks to the end and later ones go on from the last page.
 */
export class History {
  readonly #places = new Map<string, HistoryPlace>();
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #memory: HistoryMemory | undefined;

  constructor(store: Store, clock: Clock, memory?: HistoryMemory) {
    this.#store = store;
    this.#clock = clock;
    this.#memory = memory;
  }

  /** Brings what an earlier window left into the store, once. Resolves when it is there, whatever else goes on. */
  restore(key: SessionKey): Promise<void> {
    return this.#restoreOnce(key, this.#place(key));
  }

  /** The state of the session, as `refresh` was told it, at which its messages were last read, also earlier. */
  readAt(key: SessionKey): string | undefined {
    return this.#places.get(keyText(key))?.readAt;
  }

  /**
   * Reads what is new; `state` says what the session looked like before. Rejects with the ApiError that ended it; what
   * came before stays.
   */
  refresh(api: SessionsApi, key: SessionKey, signal: AbortSignal, state?: string): Promise<void> {
    return this.#inTurn(key, async (place) => {
      if (place.extent === 'unread') this.#announce(key, place, true);
      const from = place.order === 'oldestFirst' ? place.tailCursor : undefined;
      const hadMessages = (this.#store.record(key)?.headers.length ?? 0) > 0;
      /** Newest first, what is new waits here until it meets what is known: a walk that breaks leaves no hole. */
      const fresh: Message[] = [];
      for await (const step of walkPages(api, key.sessionId, this.#options(key, signal, from))) {
        if (place.order === 'unknown') place.order = orderOf(step.page.messages);
        if (place.order !== 'newestFirst') this.#takeNext(key, place, step);
        else if (!hadMessages) {
          this.#takeFirst(key, place, step);
          break;
        } else {
          fresh.unshift(...step.page.messages.toReversed());
          if (step.next === undefined) place.extent = 'complete';
          if (this.#meetsKnown(key, step)) break;
        }
        this.#announce(key, place, place.extent !== 'complete');
      }
      if (fresh.length > 0) this.#store.takeMessages(key, fresh);
      await this.#learnRoles(api, key, signal, place, place.order === 'oldestFirst');
      place.readAt = state;
    });
  }

  /** Reads the page before the oldest message here; does nothing where there is none. */
  loadOlder(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    return this.#inTurn(key, async (place) => {
      if (place.olderCursor === undefined) return;
      this.#announce(key, place, true);
      for await (const step of walkPages(api, key.sessionId, this.#options(key, signal, place.olderCursor))) {
        this.#takeFirst(key, place, step);
        break;
      }
      await this.#learnRoles(api, key, signal, place, true);
    });
  }

  /** Reads the newest message again by its id: an answer that grows (design, section 5). */
  refreshNewest(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    return this.#inTurn(key, async () => {
      const record = this.#store.record(key);
      const newest = record?.headers.at(-1);
      if (!record || !newest) return;
      const options = { computerId: record.deck.computerId, signal };
      const message = await getIfThere(() => api.getMessage(key.sessionId, newest.messageId, options));
      if (message) this.#store.takeMessages(key, [message]);
    });
  }

  /** Forgets where reading of a session stood, for one that left the deck. */
  forget(key: SessionKey): void {
    this.#places.delete(keyText(key));
  }

  /** Newest first: a page that lies before all that is here, the first of all included. */
  #takeFirst(key: SessionKey, place: HistoryPlace, { page, next }: WalkStep): void {
    this.#store.takeOlderMessages(key, page.messages.toReversed());
    place.olderCursor = next;
    place.extent = next === undefined ? 'complete' : 'partial';
  }

  /** Oldest first: a page that goes on from what is here. */
  #takeNext(key: SessionKey, place: HistoryPlace, { page, cursor, next }: WalkStep): void {
    this.#store.takeMessages(key, page.messages);
    place.tailCursor = cursor;
    place.extent = next === undefined ? 'complete' : 'partial';
  }

  #learnRoles(api: SessionsApi, key: SessionKey, signal: AbortSignal, place: HistoryPlace, isResumed: boolean) {
    return learnRoles(api, key, this.#store, { signal, order: place.order, memory: place.roles, isResumed });
  }

  #meetsKnown(key: SessionKey, step: WalkStep): boolean {
    const known = new Set(this.#store.record(key)?.headers.map((header) => header.messageId));
    return step.page.messages.some((message) => known.has(message.id));
  }

  #options(key: SessionKey, signal: AbortSignal, from: string | undefined) {
    return { computerId: this.#store.record(key)?.deck.computerId, signal, from };
  }

  async #inTurn(key: SessionKey, work: (place: HistoryPlace) => Promise<void>): Promise<void> {
    const place = this.#place(key);
    const turn = place.queue.then(async () => {
      await this.#restoreOnce(key, place);
      await work(place);
    });
    place.queue = turn.then(
      () => this.#announce(key, place, false),
      (error: unknown) => this.#announce(key, place, false, error),
    );
    await turn;
  }

  #restoreOnce(key: SessionKey, place: HistoryPlace): Promise<void> {
    if (!this.#memory || !this.#store.record(key)) return Promise.resolve();
    return (place.restoring ??= this.#restore(this.#memory, key, place));
  }

  async #restore(memory: HistoryMemory, key: SessionKey, place: HistoryPlace): Promise<void> {
    const kept = await memory.restore(key);
    if (!kept || this.#places.get(keyText(key)) !== place) return;
    resumePlace(place, kept.place);
    this.#store.rememberMessages(key, kept.batches, { extent: place.extent, isLoading: false });
  }

  #announce(key: SessionKey, place: HistoryPlace, isLoading: boolean, error?: unknown): void {
    if (this.#places.get(keyText(key)) !== place) return;
    const kept = keptPlaceOf(place);
    if (kept) this.#memory?.keepPlace(key, kept);
    const before = this.#store.record(key)?.history;
    const problem = error === undefined ? undefined : problemOf(error, this.#clock.now());
    if (before?.extent === place.extent && before.isLoading === isLoading && !before.problem && !problem) return;
    this.#store.setHistory(key, { extent: place.extent, isLoading, problem });
  }

  #place(key: SessionKey): HistoryPlace {
    const text = keyText(key);
    const place = this.#places.get(text) ?? newHistoryPlace();
    this.#places.set(text, place);
    return place;
  }
}
