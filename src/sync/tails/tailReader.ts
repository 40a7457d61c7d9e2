import type { SessionsApi } from '../../api/sessionsApi.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import { type PausableWork, inSlices } from '../../shared/slices.ts';
import { isOffline } from '../../state/store/connection.ts';
import type { Failure } from '../../state/store/failure.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { SessionRecord, Tail } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import { tailOf, unreadableTail } from '../../state/work/tail.ts';
import type { Cache } from '../cache/cache.ts';
import { isRetriedRead, longestPauseMs } from '../connection/backoff.ts';
import { isAboutSession, toFailure } from '../connection/probe.ts';
import type { ServiceClocks, ServicePauses } from '../connection/serviceLimits.ts';
import type { ListOrder } from '../history/pagination.ts';
import type { Poller } from '../polling/poller.ts';
import { type Clock, remainingMs } from '../storage/clock.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { newWindowIdentity } from '../storage/windowIdentity.ts';
import { TailClaims } from './tailClaims.ts';
import { type EarlierTail, type TailReading, lackingCount, mayBeOutdated, readTail } from './tailPages.ts';
import { type TailCandidate, TailQueue, longestPostponeMs } from './tailQueue.ts';

interface TailReaderOptions {
  readonly store: Store;
  readonly poller: Poller;
  readonly cache: Cache;
  readonly records: RecordStores;
  readonly pauses: ServicePauses;
  readonly clocks: ServiceClocks;
  /** The client for a service; undefined while the service can't be used. */
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  /** The setting `lineside.needsYou.readInBackground`. */
  readonly isEnabled: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** The minimum time between two requests, in a window with the focus and in one without it. */
const paceMs = 500;
const unfocusedPaceMs = 2_000;
/** The minimum time for which nothing is read from a service after it was busy or couldn't be reached. */
const restMs = 60_000;
/** The delay before the next attempt if another window is reading the session, or the session can't be refreshed. */
const retryMs = 10_000;
const maxAttempts = 3;
/** The delays before a list that lags behind its session is read again. After the last, the list counts as complete. */
const lagDelaysMs: readonly number[] = [2_000, 4_000, 8_000, 16_000, longestPostponeMs];
/** The maximum number of further reads if no message is known to be missing: sessions also change for other reasons. */
const maxUncountedReadings = 2;
/** A list doesn't lag behind a session that hasn't changed for this time. */
const recentMs = 60_000;

/**
 * Reads the newest messages of sessions whose conversations aren't open, so that it is known whether they need the
 * user: one session at a time, at a limited pace, and each session in only one of several windows. Only what the
 * messages say is kept; see {@link Tail}. {@link TailQueue} decides what is read.
 */
export class TailReader implements Disposable {
  readonly #options: TailReaderOptions;
  readonly #queue = new TailQueue();
  readonly #claims: TailClaims;
  /** The records that were passed to the queue. */
  readonly #followed = new WeakSet<SessionRecord>();
  readonly #followList = new SerialQueue();
  /** How each service lists messages, if that is certain. */
  readonly #orders = new Map<string, ListOrder>();
  /** The number of messages that a session counts although the service never lists them. */
  readonly #unlistedCounts = new Map<string, number>();
  readonly #disposables = new Disposables();
  readonly #abort = new AbortController();
  #timer: Disposable | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  /** Resolves when the current read has ended; undefined if nothing is being read. */
  #reading: Promise<void> | undefined;
  #requestedAt = Number.NEGATIVE_INFINITY;
  /** Ends the wait for the next request. */
  #endTurn: () => void = () => undefined;
  #isFocused = true;
  #wasEnabled: boolean;

  constructor(options: TailReaderOptions) {
    const { store, records, clock, log } = options;
    this.#options = options;
    this.#wasEnabled = options.isEnabled();
    this.#claims = new TailClaims(records, newWindowIdentity(), clock, log, (key) => void this.#takeSaved(key));
    this.#disposables.add(
      store.onDidChange((change) => {
        if (change.type === 'session') this.#follow(store.record(change.key));
        if (change.type === 'connection') this.#queue.clearRest(change.origins);
        if (change.type === 'sessionList')
          void this.#followList.run(() => inSlices(this.#listSteps(), () => this.#disposables.isDisposed));
        if (change.type === 'session' || change.type === 'connection') this.#schedule();
      }),
    );
  }

  /** Sets whether the window has the focus. Without it, requests are sent less often. */
  setFocused(isFocused: boolean): void {
    this.#isFocused = isFocused;
    this.#schedule();
  }

  /**
   * Starts reading if the setting was turned on, and stops if it was turned off. Call this when it may have changed.
   */
  followSetting(): void {
    const isEnabled = this.#options.isEnabled();
    if (isEnabled === this.#wasEnabled) return;
    this.#wasEnabled = isEnabled;
    this.#schedule();
  }

  /** Whether the newest messages of a session will be read soon. */
  isExpected(key: SessionKey): boolean {
    return this.#wasEnabled && this.#queue.has(key);
  }

  /** Stops reading. Resolves when no file is accessed anymore. */
  async stopWriting(): Promise<void> {
    this.dispose();
    await this.#reading;
    await this.#claims.released();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#abort.abort();
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#endTurn();
    this.#claims.dispose();
  }

  /** Follows a changed list, which can have thousands of sessions. */
  *#listSteps(): PausableWork<void> {
    const { store } = this.#options;
    this.#queue.forgetAllBut(store.records);
    this.#releaseUnneeded();
    for (const { listEntry } of store.records) {
      yield;
      const record = store.record(listEntry.key);
      if (record && !this.#followed.has(record)) this.#follow(record);
    }
    this.#schedule();
  }

  #follow(record: SessionRecord | undefined): void {
    if (!record || record.listEntry.isTransient || this.#disposables.isDisposed) return;
    const { poller, clock } = this.#options;
    const { key } = record.listEntry;
    this.#followed.add(record);
    this.#queue.follow(record, poller.readsMessages(key), clock.now());
    if (!this.#queue.has(key) && !this.#reading) this.#claims.release(key);
  }

  /** Ends the claims of sessions that left the queue, but none during a read, whose tail has to be saved first. */
  #releaseUnneeded(): void {
    if (!this.#reading) this.#claims.releaseAllBut((key) => this.#queue.has(key));
  }

  /** Sets the timer for the next read, if there is something to read. */
  #schedule(): void {
    const { clock } = this.#options;
    if (this.#reading || this.#disposables.isDisposed || !this.#wasEnabled) return;
    // Most changes come while the timer is already set for the earliest possible time.
    if (this.#timer && this.#timerAt <= clock.now() + this.#paceWaitMs()) return;
    const waitMs = this.#queue.waitMs(this.#usableOrigins(), clock.now());
    if (waitMs === undefined) return;
    const delayMs = Math.max(waitMs, this.#paceWaitMs());
    const at = clock.now() + delayMs;
    if (this.#timer && this.#timerAt <= at) return;
    this.#timer?.dispose();
    this.#timerAt = at;
    this.#timer = clock.after(delayMs, () => {
      this.#timer = undefined;
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#readNext();
    });
  }

  #readNext(): void {
    const { store, apiFor, clock, log } = this.#options;
    const candidate = this.#wasEnabled ? this.#queue.next(this.#usableOrigins(), clock.now()) : undefined;
    if (!candidate) {
      this.#scheduleWaiting();
      return;
    }
    // The conversation may have been opened since the session changed.
    this.#follow(store.record(candidate.key));
    if (!this.#queue.has(candidate.key)) {
      this.#schedule();
      return;
    }
    const api = apiFor(candidate.key.origin);
    if (!api) return;
    this.#reading = this.#read(api, candidate)
      .catch((error: unknown) => {
        if (!this.#abort.signal.aborted) log.warn(`the newest messages could not be read: ${reasonOf(error)}`);
      })
      .finally(() => {
        this.#reading = undefined;
        this.#releaseUnneeded();
        this.#schedule();
      });
  }

  /** Sets the timer if sessions are waiting, but not if one of them is already due and may not be read. */
  #scheduleWaiting(): void {
    if ((this.#queue.waitMs(this.#usableOrigins(), this.#options.clock.now()) ?? 0) > 0) this.#schedule();
  }

  /** The services that can be read. For the others, the next change of a connection or a session sets the timer. */
  #usableOrigins(): ReadonlySet<string> {
    const { store, apiFor } = this.#options;
    const isUsable = (origin: string) => apiFor(origin) !== undefined && !isOffline(store.recordsOf(origin));
    return new Set([...this.#queue.origins].filter(isUsable));
  }

  async #read(api: SessionsApi, candidate: TailCandidate): Promise<void> {
    const { cache, pauses, clock } = this.#options;
    const { key, messageCount, isRefreshed } = candidate;
    await pauses.refresh(key.origin);
    const pausedMs = remainingMs(pauses.notBefore(key.origin), longestPauseMs, clock.now());
    if (pausedMs > 0) {
      this.#queue.rest(key.origin, clock.now() + pausedMs, clock.now());
      return;
    }
    if (!isRefreshed || messageCount === undefined) {
      await this.#refreshState(candidate);
      return;
    }
    // Without the cache, no window can use what another one reads, so each reads without a claim.
    if (cache.isKept(key) && !(await this.#claims.claim(key, messageCount))) {
      this.#queue.postpone(candidate, clock.now() + retryMs, false);
      return;
    }
    if (await this.#takeSaved(key)) return;
    this.#queue.begin(candidate);
    try {
      await this.#readMessages(api, candidate, messageCount);
    } catch (error) {
      // A client that was replaced, for example because the proxy changed, canceled its requests. That isn't a failure.
      if (this.#options.apiFor(key.origin) === api) await this.#handleFailure(candidate, messageCount, error);
      this.#claims.release(key);
    }
  }

  async #refreshState(candidate: TailCandidate): Promise<void> {
    const { store, poller, clock } = this.#options;
    const { key } = candidate;
    await this.#turn();
    await poller.refreshState(key);
    const failure = store.record(key)?.failure;
    if (failure && isRetriedRead(failure)) {
      this.#rest(key.origin, failure);
      return;
    }
    // Count the read only now: a service that can't respond must not use up the reads after the start.
    this.#queue.begin(candidate);
    // A refreshed session is another candidate, which is due now.
    if (this.#queue.get(key)?.isRefreshed === true) return;
    if (candidate.attempts + 1 >= maxAttempts) this.#queue.drop(candidate);
    else this.#queue.postpone(candidate, clock.now() + retryMs, true);
  }

  /** Takes the tail that a window saved for the current `messageCount`. Resolves to whether there was one. */
  async #takeSaved(key: SessionKey): Promise<boolean> {
    const { store, cache } = this.#options;
    const candidate = this.#queue.get(key);
    const saved = await cache.readTail(key);
    if (this.#disposables.isDisposed) return false;
    if (!candidate || saved === undefined || saved.messageCount !== candidate.messageCount) {
      // The other window may have failed.
      if (candidate) this.#queue.postpone(candidate, this.#options.clock.now(), false);
      this.#schedule();
      return false;
    }
    this.#queue.end(candidate);
    this.#claims.release(key);
    store.takeTail(key, saved);
    return true;
  }

  async #readMessages(api: SessionsApi, candidate: TailCandidate, messageCount: number): Promise<void> {
    const { store } = this.#options;
    const { key } = candidate;
    const record = store.record(key);
    if (!record) return;
    const cursor = record.history.tailCursor ?? record.tail?.cursor;
    const reading = await readTail({
      api,
      sessionId: key.sessionId,
      computerId: record.listEntry.computerId,
      messageCount,
      order: this.#orders.get(key.origin) ?? 'unknown',
      cursor,
      signal: this.#abort.signal,
      turn: () => this.#turn(),
    });
    const { headers, order } = reading;
    if (order !== 'unknown') this.#orders.set(key.origin, order);
    if (!headers) await this.#take(candidate, unreadableTail(messageCount, cursor));
    else if (!this.#isLagging(candidate, record, reading, messageCount))
      await this.#take(candidate, tailOf(headers, messageCount, reading.cursor));
  }

  /** Whether a list counts as lagging behind its session (R39). If so, schedules another read. */
  #isLagging(candidate: TailCandidate, record: SessionRecord, reading: TailReading, messageCount: number): boolean {
    const { clock, clocks } = this.#options;
    const text = keyText(candidate.key);
    const changedAt = record.session?.updatedAt ?? 0;
    const serverNow = clock.now() + (clocks.offsetMs(candidate.key.origin) ?? 0);
    const isRecent = candidate.isFollowed || serverNow - changedAt < recentMs;
    const lacking = lackingCount(reading, messageCount, earlierTail(record)) ?? 0;
    const isLacking = lacking > (this.#unlistedCounts.get(text) ?? 0);
    if (!isLacking && !mayBeOutdated(reading, changedAt)) return false;
    const maxReadings = isLacking ? lagDelaysMs.length : maxUncountedReadings;
    const delayMs = lagDelaysMs[candidate.attempts];
    if (isRecent && candidate.attempts < maxReadings && delayMs !== undefined) {
      this.#queue.postpone(candidate, clock.now() + delayMs, true);
      return true;
    }
    if (isLacking) this.#unlistedCounts.set(text, lacking);
    return false;
  }

  /** Stores the tail of a session, and lets other windows read it. */
  async #take(candidate: TailCandidate, tail: Tail): Promise<void> {
    const { store, cache } = this.#options;
    const { key } = candidate;
    this.#queue.end(candidate);
    store.takeTail(key, tail);
    if (store.record(key)) await cache.saveTail(key, tail);
    this.#claims.release(key);
  }

  async #handleFailure(candidate: TailCandidate, messageCount: number, error: unknown): Promise<void> {
    const { pauses, clock, log } = this.#options;
    if (this.#abort.signal.aborted) return;
    log.debug(`the newest messages could not be read: ${reasonOf(error)}`);
    if (isAboutSession(error)) {
      await this.#take(candidate, unreadableTail(messageCount));
      return;
    }
    const failure = toFailure(error, clock.now());
    if (isRetriedRead(failure)) pauses.failed(candidate.key.origin, failure.retryAfterMs);
    this.#rest(candidate.key.origin, failure);
    const isBusy = failure.status === 429;
    if (isBusy || candidate.attempts + 1 < maxAttempts) this.#queue.postpone(candidate, clock.now(), !isBusy);
    else this.#queue.end(candidate);
  }

  /** Lets a service rest after a failure that isn't about one session. */
  #rest(origin: string, { retryAfterMs = 0 }: Failure): void {
    const now = this.#options.clock.now();
    this.#queue.rest(origin, now + Math.min(longestPauseMs, Math.max(restMs, retryAfterMs)), now);
  }

  /** Resolves when the next request may be sent. Rejects after dispose. */
  async #turn(): Promise<void> {
    const { clock } = this.#options;
    const waitMs = this.#paceWaitMs();
    if (waitMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = clock.after(waitMs, resolve);
        this.#endTurn = () => {
          timer.dispose();
          resolve();
        };
      });
    }
    this.#abort.signal.throwIfAborted();
    this.#requestedAt = clock.now();
  }

  #paceWaitMs(): number {
    const pace = this.#isFocused ? paceMs : unfocusedPaceMs;
    return Math.max(0, remainingMs(this.#requestedAt + pace, pace, this.#options.clock.now()));
  }
}

/** The newest message that was known before the session changed. */
function earlierTail({ history, headers, tail }: SessionRecord): EarlierTail | undefined {
  const newest = headers.at(-1);
  if (history.settledCount !== undefined && newest)
    return { messageCount: history.settledCount, messageId: newest.messageId };
  return tail?.messageId === undefined ? undefined : { messageCount: tail.messageCount, messageId: tail.messageId };
}
