import { sameValue } from '../../shared/equality.ts';
import type { KnownItem } from '../../api/http/longItems.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { defined } from '../../shared/defined.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { inSlices } from '../../shared/slices.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { NewestMessages } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { Clock } from '../storage/clock.ts';
import type { SavedCursor } from '../cache/indexFormat.ts';
import { HistoryCursor, type SessionState } from './historyCursor.ts';
import { type HistoryReading, isAttached, loadedHeaders, newestLoaded, readNew, readOlder } from './historyReader.ts';
import { compareWithState, noteNewest } from './listComparison.ts';
import { RestOfHistory } from './restOfHistory.ts';
import { toFailure } from '../connection/probe.ts';
import { getIfReadable, getIfThere, learnRoles, listRole } from './roles.ts';
import { ServiceClocks } from '../connection/serviceLimits.ts';
import type { SavedHistory } from '../cache/sessionCache.ts';

/** The maximum number of pages to load until there is no gap after a message: 10,000 messages. */
const backfillPages = 100;

/** The part of the message cache that the history needs. */
interface HistoryCache {
  /**
   * The newest messages that an earlier window cached; undefined if there are none, or if `restore` is needed to find
   * them or finds them just as fast. Never rejects.
   */
  readNewest(key: SessionKey): Promise<NewestMessages | undefined>;
  /** The history that an earlier window cached; undefined if there is none. Never rejects. */
  restore(key: SessionKey): Promise<SavedHistory | undefined>;
  saveCursor(key: SessionKey, cursor: SavedCursor): void;
  /** The long messages whose bodies were read from a list and are still stored, with marks to recognize them. */
  known(key: SessionKey): readonly KnownItem[];
  /** Resolves when the messages that were loaded so far are on disk, or can't be written. Never rejects. */
  written(key: SessionKey): Promise<void>;
}

/**
 * Loads the messages of sessions into the store, in whichever order the service lists them (spec 10.2). Newest first: a
 * refresh loads from the start up to the first known message, and older pages are loaded on demand. Oldest first: the
 * first refresh loads all pages, and later ones continue from the last page.
 */
export class HistoryLoader implements Disposable {
  readonly #cursors = new Map<string, HistoryCursor>();
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #cache: HistoryCache | undefined;
  readonly #clocks: ServiceClocks;
  readonly #subscription: Disposable;

  constructor(store: Store, clock: Clock, cache?: HistoryCache, clocks = new ServiceClocks()) {
    this.#store = store;
    this.#clock = clock;
    this.#cache = cache;
    this.#clocks = clocks;
    this.#subscription = store.onDidChange(({ type }) => {
      if (type === 'sessionList') this.#forgetRemoved();
    });
  }

  /**
   * Loads the cached history into the store on the first call. Resolves when it is there, even if the session is
   * removed and added again meanwhile.
   */
  async restore(key: SessionKey): Promise<void> {
    const cursor = this.#cursor(key);
    await this.#restoreOnce(key, cursor);
    if (this.#isReplaced(key, cursor)) await this.restore(key);
  }

  /**
   * Reads the newest cached messages, so that they can be shown before all are in the store. Call {@link restore} when
   * they are shown; {@link restoreWhenShown} waits for that call. Undefined if there are none, if the cached messages
   * are in the store or being put there, or if `restore` is needed to find them or finds them just as fast.
   */
  async readNewest(key: SessionKey): Promise<NewestMessages | undefined> {
    const cursor = this.#cursor(key);
    if (!this.#cache || !this.#store.record(key) || cursor.isRestoring) return undefined;
    cursor.hold();
    const newest = await this.#cache.readNewest(key);
    // Meanwhile, all messages may have been requested, or the session may have been removed and added again.
    const current = this.#cursors.get(keyText(key));
    if (newest && current === cursor && !current.isRestoring) return newest;
    cursor.release();
    return undefined;
  }

  /** Like {@link restore}, but waits until the newest messages are shown if a page is about to show them. */
  async restoreWhenShown(key: SessionKey): Promise<void> {
    await this.#cursor(key).unheld();
    await this.restore(key);
  }

  /** The delay before messages that lag behind their session should be read again, in ms; undefined if none do. */
  retryMs(key: SessionKey): number | undefined {
    return this.#cursors.get(keyText(key))?.lag.retryMs;
  }

  /**
   * Whether a session is unchanged since its messages were last read, by this window or an earlier one, and none was
   * missing from the list.
   */
  isReadAt(key: SessionKey, state: SessionState): boolean {
    return this.#cursors.get(keyText(key))?.isReadAt(state) ?? false;
  }

  /** Whether the newest messages may be from an older copy of the session, so that {@link refreshNewest} is needed. */
  mayBeStale(key: SessionKey): boolean {
    return this.#cursors.get(keyText(key))?.lag.mayBeStale ?? false;
  }

  /**
   * Loads new messages, unless the user stopped loading a list that starts with the oldest message. If `state` shows
   * fewer messages, or a change that new messages don't explain, also compares the loaded messages with the service's
   * list. Rejects with the ApiError; messages that were already loaded stay.
   *
   * @param meanwhile awaited after each batch of pages of a list that starts with the oldest message, whose first
   *   refresh may take minutes.
   */
  refresh(
    api: SessionsApi,
    key: SessionKey,
    signal: AbortSignal,
    state?: SessionState,
    meanwhile?: () => Promise<void>,
  ): Promise<void> {
    return this.#run(key, async (cursor) => {
      if (cursor.isTailSkipped) return;
      if (cursor.completeness === 'unread') this.#announce(key, cursor, true);
      const reading = this.#reading(api, key, cursor, signal, meanwhile);
      const before = loadedHeaders(reading);
      await readNew(reading);
      await this.#learnRoles(reading, cursor.order === 'oldestFirst');
      if (!state) return;
      await compareWithState(reading, state, before);
      cursor.markReadAt(state);
    });
  }

  /**
   * Loads the page before the oldest loaded message or, if the list starts with the oldest message, the skipped rest.
   * Rejects with the ApiError.
   */
  loadOlder(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    this.#cursor(key).unstop();
    return this.#run(key, async (cursor) => {
      if (cursor.olderCursor === undefined && cursor.order !== 'oldestFirst') return;
      const reading = this.#reading(api, key, cursor, signal);
      await readOlder(reading);
      await this.#learnRoles(reading, true);
    });
  }

  /** Stops loading the history. Loaded messages stay, and {@link loadOlder} continues from there. */
  stop(key: SessionKey): void {
    this.#cursors.get(keyText(key))?.stop();
  }

  /**
   * Reloads the newest message by its ID, because an answer grows while the agent is writing it (spec 10.17), and an
   * older copy may have only its beginning ({@link mayBeStale}). It stays as it is if it can't be read by its ID. Also
   * loads the roles that are missing. Rejects with the ApiError of any other failure.
   */
  refreshNewest(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    return this.#run(key, async (cursor) => {
      const reading = this.#reading(api, key, cursor, signal);
      const newest = newestLoaded(reading);
      if (!newest) return;
      try {
        await this.#reload(newest.messageId, reading);
        await this.#learnRoles(reading, cursor.order === 'oldestFirst');
      } finally {
        // A failed reading counts too. Otherwise, a message that can't be read would be requested again and again.
        if (cursor.readAt) noteNewest(reading, cursor.readAt, false);
      }
    });
  }

  async #reload(messageId: string, { api, key, cursor, signal }: HistoryReading): Promise<void> {
    const computerId = this.#store.record(key)?.listEntry.computerId;
    const message = await getIfReadable(() => api.getMessage(key.sessionId, messageId, { computerId, signal }));
    if (!message) return;
    await inSlices(this.#store.prepareMessages([message]), () => signal.aborted);
    if (!cursor.isForgotten) this.#store.takeMessages(key, [message]);
  }

  /**
   * Loads one message into the store without its neighbors, unless it is already there. Resolves to false if the
   * service doesn't have it, otherwise to true. Rejects with the ApiError.
   */
  async fetchMessage(api: SessionsApi, key: SessionKey, messageId: string, signal: AbortSignal): Promise<boolean> {
    await this.restore(key);
    if (this.#store.header(key, messageId)) return true;
    const computerId = this.#store.record(key)?.listEntry.computerId;
    const message = await getIfThere(() => api.getMessage(key.sessionId, messageId, { computerId, signal }));
    if (!message) return false;
    await inSlices(this.#store.prepareMessages([message]), () => signal.aborted);
    this.#store.takeDetached(key, message);
    return true;
  }

  /**
   * Loads all messages that aren't loaded yet; none if the first page isn't loaded yet. Other tasks on the session,
   * such as a refresh, can run between two batches. While a call is running, further calls return its promise. Resolves
   * early after {@link stop}. Rejects with the ApiError; pages that were already loaded stay.
   */
  loadRest(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    const cursor = this.#cursor(key);
    return cursor.loadRestOnce(() => this.#loadPages(api, key, signal, () => false));
  }

  /**
   * Lists the messages with the role `user`, loaded or not, without loading them: `onPage` receives the headers of each
   * page. Resolves to false if the service ignores the role filter. Rejects with the ApiError.
   */
  async listPrompts(
    api: SessionsApi,
    key: SessionKey,
    signal: AbortSignal,
    onPage: (headers: readonly MessageHeader[]) => void,
  ): Promise<boolean> {
    await this.restore(key);
    return listRole(api, key, this.#store, { role: 'user', signal, onPage });
  }

  /**
   * Loads up to 100 pages, even after {@link stop}, until there is no gap at the message. The stop stays in effect for
   * refreshes. Rejects with the ApiError.
   */
  async backfill(api: SessionsApi, key: SessionKey, messageId: string, signal: AbortSignal): Promise<void> {
    const isApart = () => this.#store.header(key, messageId)?.isDetached === true;
    const isEnough = (pagesRead: number) => pagesRead >= backfillPages || !isApart();
    if (isApart()) await this.#loadPages(api, key, signal, isEnough);
  }

  async #loadPages(
    api: SessionsApi,
    key: SessionKey,
    signal: AbortSignal,
    isEnough: (pagesRead: number) => boolean,
  ): Promise<void> {
    const cursor = this.#cursor(key);
    cursor.beginBackfill();
    const reading = this.#reading(api, key, cursor, signal);
    const rest = new RestOfHistory(reading);
    try {
      while (!rest.isOver && !reading.signal.aborted && !isEnough(rest.pagesRead)) {
        await this.#run(key, async () => {
          if (reading.signal.aborted) return;
          await rest.step();
          await this.#learnRoles(reading, true);
        });
        await reading.pause();
      }
    } finally {
      cursor.endBackfill();
      await rest.end();
    }
    this.#announce(key, cursor, false);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Forgets the loading state of sessions that left the list, and ends the work that uses it. */
  #forgetRemoved(): void {
    for (const [text, cursor] of this.#cursors) {
      if (this.#store.record(cursor.key)) continue;
      cursor.forget();
      this.#cursors.delete(text);
    }
  }

  /** Whether a session has been removed and added again since it had this cursor. */
  #isReplaced(key: SessionKey, cursor: HistoryCursor): boolean {
    return this.#cursors.get(keyText(key)) !== cursor && this.#store.record(key) !== undefined;
  }

  #reading(
    api: SessionsApi,
    key: SessionKey,
    cursor: HistoryCursor,
    signal: AbortSignal,
    meanwhile?: () => Promise<void>,
  ): HistoryReading {
    const stoppable = AbortSignal.any([signal, cursor.stopSignal]);
    const tell = (isOver: boolean) => this.#announce(key, cursor, !isOver);
    const noteTime = (serverTimeMs: number | undefined) =>
      this.#clocks.learn(key.origin, serverTimeMs, this.#clock.now());
    const pause = async () => {
      await this.#cache?.written(key);
      await meanwhile?.();
    };
    return {
      api,
      store: this.#store,
      key,
      cursor,
      signal: stoppable,
      known: () => this.#known(key),
      tell,
      noteTime,
      now: () => this.#clock.now(),
      serverNow: () => this.#clock.now() + (this.#clocks.offsetMs(key.origin) ?? 0),
      pause,
    };
  }

  /** The known messages whose headers wouldn't change if they were read again. */
  #known(key: SessionKey): readonly KnownItem[] {
    const known = this.#cache?.known(key) ?? [];
    return known.filter(({ id }) => isAttached(this.#store, key, id) && !this.#store.header(key, id)?.isGone);
  }

  #learnRoles({ api, key, cursor, signal, serverNow }: HistoryReading, isResumed: boolean): Promise<void> {
    const { order, roles: memory } = cursor;
    return learnRoles(api, key, this.#store, { signal, serverNow, order, memory, isResumed });
  }

  async #run(key: SessionKey, work: (cursor: HistoryCursor) => Promise<void>): Promise<void> {
    const cursor = this.#cursor(key);
    await cursor.run(async () => {
      try {
        await this.#restoreOnce(key, cursor);
        if (cursor.isForgotten) return;
        const { stopSignal } = cursor;
        await work(cursor).catch((error: unknown) => {
          if (!stopSignal.aborted) throw error;
        });
      } catch (error) {
        this.#announce(key, cursor, false, error);
        throw error;
      }
      this.#announce(key, cursor, false);
    });
  }

  #restoreOnce(key: SessionKey, cursor: HistoryCursor): Promise<void> {
    if (!this.#cache || !this.#store.record(key)) return Promise.resolve();
    const cache = this.#cache;
    return cursor.restoreOnce(() => this.#restore(cache, key, cursor));
  }

  async #restore(cache: HistoryCache, key: SessionKey, cursor: HistoryCursor): Promise<void> {
    const kept = await cache.restore(key);
    if (!kept || this.#cursors.get(keyText(key)) !== cursor) return;
    cursor.resume(kept.cursor);
    const { completeness, settledCount, lastPageCursor: tailCursor } = cursor;
    this.#store.rememberMessages(key, kept.batches, {
      completeness,
      isLoading: false,
      ...defined({ settledCount, tailCursor }),
    });
  }

  #announce(key: SessionKey, cursor: HistoryCursor, isLoading: boolean, error?: unknown): void {
    if (this.#cursors.get(keyText(key)) !== cursor) return;
    const { saved } = cursor;
    if (saved) this.#cache?.saveCursor(key, saved);
    const before = this.#store.record(key)?.history;
    const failure = error === undefined ? undefined : toFailure(error, this.#clock.now());
    const isStillLoading = isLoading || (cursor.isBackfilling && failure === undefined);
    const long = isStillLoading && cursor.isLongLoad ? { isLongWalk: true } : {};
    const history = {
      completeness: cursor.completeness,
      isLoading: isStillLoading,
      failure,
      ...long,
      ...defined({ settledCount: cursor.settledCount, tailCursor: cursor.lastPageCursor }),
      ...(cursor.lag.missingCount > 0 && { missingCount: cursor.lag.missingCount }),
      ...(cursor.isTailSkipped && { isTailSkipped: true }),
    };
    if (!before?.failure && sameValue({ ...before, failure: undefined }, history)) return;
    this.#store.setHistory(key, history);
  }

  #cursor(key: SessionKey): HistoryCursor {
    const text = keyText(key);
    const cursor = this.#cursors.get(text) ?? new HistoryCursor(key);
    this.#cursors.set(text, cursor);
    return cursor;
  }
}
