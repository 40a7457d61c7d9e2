import { isDeepStrictEqual } from 'node:util';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Clock } from '../storage/clock.ts';
import type { SavedCursor } from '../cache/indexFormat.ts';
import {
  type HistoryCursor,
  type SessionState,
  isTailSkipped,
  isLongWalk,
  keptPlaceOf,
  newHistoryPlace,
  resumePlace,
} from './historyCursor.ts';
import { auditHistory } from './reconcile.ts';
import { type HistoryReading, readNew, readOlder } from './historyReader.ts';
import { problemOf } from '../connection/probe.ts';
import { getIfThere, learnRoles } from './roles.ts';
import { ServiceClocks } from '../polling/serviceLimits.ts';
import type { KeptHistory } from '../cache/sessionCache.ts';

/** So many pages are read to put a message among its neighbours: 10,000 messages. */
const attachedPages = 100;

/** What outlives the window: the cache of messages. */
export interface HistoryMemory {
  /** What an earlier window left of a session. Never rejects. */
  restore(key: SessionKey): Promise<KeptHistory | undefined>;
  keepPlace(key: SessionKey, place: SavedCursor): void;
}

/**
 * Brings the messages of sessions into the store, whatever order the service lists them in (design, section 6):
 * newest first, a refresh reads from the start until it meets what is known, and older pages come when asked for;
 * oldest first, the first refresh walks to the end and later ones go on from the last page.
 */
export class HistoryLoader {
  readonly #places = new Map<string, HistoryCursor>();
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #memory: HistoryMemory | undefined;
  readonly #clocks: ServiceClocks;

  constructor(store: Store, clock: Clock, memory?: HistoryMemory, clocks = new ServiceClocks()) {
    this.#store = store;
    this.#clock = clock;
    this.#memory = memory;
    this.#clocks = clocks;
  }

  /** Brings what an earlier window left into the store, once. Resolves when it is there, whatever else goes on. */
  restore(key: SessionKey): Promise<void> {
    return this.#restoreOnce(key, this.#place(key));
  }

  /** Whether a session is as it was when its messages were last read, in this window or an earlier one. */
  isReadAt(key: SessionKey, { status, messageCount, updatedAt }: SessionState): boolean {
    const readAt = this.#places.get(keyText(key))?.readAt;
    return readAt?.status === status && readAt.messageCount === messageCount && readAt.updatedAt === updatedAt;
  }

  /**
   * Reads what is new; `state` is what the session said before. Where its messages became fewer, or it moved and nothing
   * was found, what is here is compared with what the service lists. Rejects with the ApiError that ended it; what came
   * before stays.
   */
  refresh(api: SessionsApi, key: SessionKey, signal: AbortSignal, state?: SessionState): Promise<void> {
    return this.#inTurn(key, async (place) => {
      if (isTailSkipped(place)) return;
      if (place.extent === 'unread') this.#announce(key, place, true);
      const reading = this.#reading(api, key, place, signal);
      const before = this.#store.record(key)?.headers;
      await readNew(reading);
      await this.#learnRoles(reading, place.order === 'oldestFirst');
      if (!state) return;
      const { readAt } = place;
      const hasFallen = readAt !== undefined && state.messageCount < readAt.messageCount;
      const hasMoved = readAt !== undefined && state.updatedAt !== readAt.updatedAt && state.status === 'idle';
      const isUnexplained = hasMoved && this.#store.record(key)?.headers === before;
      if (hasFallen || isUnexplained) await auditHistory(reading, hasFallen);
      const { status, messageCount, updatedAt } = state;
      place.readAt = { status, messageCount, updatedAt };
    });
  }

  /** Reads the page before the oldest message here, or what was left out of a list that begins with the oldest. */
  loadOlder(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    this.#place(key).isStopped = false;
    return this.#inTurn(key, async (place) => {
      if (place.olderCursor === undefined && place.order !== 'oldestFirst') return;
      const reading = this.#reading(api, key, place, signal);
      await readOlder(reading);
      await this.#learnRoles(reading, true);
    });
  }

  /** Ends the loading of many pages. What came stays, and {@link loadOlder} goes on from there. */
  stop(key: SessionKey): void {
    const place = this.#places.get(keyText(key));
    if (!place) return;
    place.isStopped = true;
    place.stopping.abort();
    place.stopping = new AbortController();
  }

  /** Reads the newest message again by its id: an answer that grows (design, section 5). */
  refreshNewest(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    return this.#inTurn(key, async () => {
      const record = this.#store.record(key);
      const newest = record?.headers.findLast((header) => !header.isDetached);
      if (!record || !newest) return;
      const options = { computerId: record.listEntry.computerId, signal };
      const message = await getIfThere(() => api.getMessage(key.sessionId, newest.messageId, options));
      if (message) this.#store.takeMessages(key, [message]);
    });
  }

  /**
   * Brings one message into the store without those between it and the others, then these too, page by page. Resolves
   * to whether the service has it as soon as that is known; rejects with the ApiError.
   */
  async bring(api: SessionsApi, key: SessionKey, messageId: string, signal: AbortSignal): Promise<boolean> {
    await this.restore(key);
    if (this.#store.header(key, messageId)) return true;
    const computerId = this.#store.record(key)?.listEntry.computerId;
    const message = await getIfThere(() => api.getMessage(key.sessionId, messageId, { computerId, signal }));
    if (!message) return false;
    this.#store.takeDetached(key, message);
    return true;
  }

  /** Reads older pages until a message stands among its neighbours; bounded. */
  async attach(api: SessionsApi, key: SessionKey, messageId: string, signal: AbortSignal): Promise<void> {
    const place = this.#place(key);
    const isApart = () => this.#store.header(key, messageId)?.isDetached === true;
    place.isAttaching = isApart();
    try {
      for (let page = 0; page < attachedPages && isApart(); page++) {
        if (this.#store.record(key)?.history.completeness !== 'partial') return;
        await this.loadOlder(api, key, signal);
        if (place.isStopped) return;
      }
    } finally {
      place.isAttaching = false;
    }
  }

  /** Forgets where reading of a session stood, for one that left the deck. */
  forget(key: SessionKey): void {
    this.#places.delete(keyText(key));
  }

  #reading(api: SessionsApi, key: SessionKey, place: HistoryCursor, signal: AbortSignal): HistoryReading {
    const stoppable = AbortSignal.any([signal, place.stopping.signal]);
    const tell = (isOver: boolean) => this.#announce(key, place, !isOver);
    const noteTime = (serverTimeMs: number | undefined) =>
      this.#clocks.learn(key.origin, serverTimeMs, this.#clock.now());
    return { api, store: this.#store, key, place, signal: stoppable, tell, noteTime };
  }

  #learnRoles({ api, key, place, signal }: HistoryReading, isResumed: boolean): Promise<void> {
    return learnRoles(api, key, this.#store, { signal, order: place.order, memory: place.roles, isResumed });
  }

  async #inTurn(key: SessionKey, work: (place: HistoryCursor) => Promise<void>): Promise<void> {
    const place = this.#place(key);
    const turn = place.queue.then(async () => {
      await this.#restoreOnce(key, place);
      const { signal } = place.stopping;
      await work(place).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    });
    place.queue = turn.then(
      () => this.#announce(key, place, false),
      (error: unknown) => this.#announce(key, place, false, error),
    );
    await turn;
  }

  #restoreOnce(key: SessionKey, place: HistoryCursor): Promise<void> {
    if (!this.#memory || !this.#store.record(key)) return Promise.resolve();
    return (place.restoring ??= this.#restore(this.#memory, key, place));
  }

  async #restore(memory: HistoryMemory, key: SessionKey, place: HistoryCursor): Promise<void> {
    const kept = await memory.restore(key);
    if (!kept || this.#places.get(keyText(key)) !== place) return;
    resumePlace(place, kept.place);
    this.#store.rememberMessages(key, kept.batches, { completeness: place.extent, isLoading: false });
  }

  #announce(key: SessionKey, place: HistoryCursor, isLoading: boolean, error?: unknown): void {
    if (this.#places.get(keyText(key)) !== place) return;
    const kept = keptPlaceOf(place);
    if (kept) this.#memory?.keepPlace(key, kept);
    const before = this.#store.record(key)?.history;
    const failure = error === undefined ? undefined : problemOf(error, this.#clock.now());
    const long = isLoading && isLongWalk(place) ? { isLongWalk: true } : {};
    const history = {
      completeness: place.extent,
      isLoading,
      failure,
      ...long,
      ...(isTailSkipped(place) && { isTailSkipped: true }),
    };
    if (!before?.failure && isDeepStrictEqual({ ...before, failure: undefined }, history)) return;
    this.#store.setHistory(key, history);
  }

  #place(key: SessionKey): HistoryCursor {
    const text = keyText(key);
    const place = this.#places.get(text) ?? newHistoryPlace();
    this.#places.set(text, place);
    return place;
  }
}
