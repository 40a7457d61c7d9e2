import { ApiError } from '../../api/errors.ts';
import type { Session } from '../../api/resources/session.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { sameValue } from '../../shared/equality.ts';
import { type Disposable, Disposables, onDispose } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { isUnreached } from '../../state/store/connection.ts';
import { awaitedSession } from '../../state/store/outboxEntry.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import { toFailure } from '../connection/probe.ts';
import type { HistoryLoader } from '../history/historyLoader.ts';
import { type Clock, remainingMs } from '../storage/clock.ts';
import { backoffMs, isRetriedRead, longestPauseMs, RetryBudget } from '../connection/backoff.ts';
import { type PollIntervals, type PollPriority, pauseMs, spreadMs } from './intervals.ts';
import { PolledSession } from './polledSession.ts';
import type { ServiceClocks, ServicePauses } from '../connection/serviceLimits.ts';

interface PollerOptions {
  readonly store: Store;
  readonly history: HistoryLoader;
  /** The client for a service; undefined while the service can't be used. */
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  readonly intervals: () => PollIntervals;
  /** Pauses shared with other windows. */
  readonly pauses?: ServicePauses;
  /** The clocks of the services; absent if they aren't known. */
  readonly clocks?: ServiceClocks;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Keeps watched sessions up to date. A poll requests the session. If its messages are needed, the poll also requests
 * the new ones if the session changed. Otherwise, it requests the newest one while the agent is running, because an
 * answer grows, and a few times after that, because it may have come from an older copy. Each session has at most one
 * poll at a time; polls requested in the meantime are merged into one (R27). Sessions that the user doesn't see are
 * polled automatically only while their agent is running, or while a message waits until they are idle; see
 * {@link pauseMs}.
 */
export class Poller implements Disposable {
  readonly #options: PollerOptions;
  readonly #polls = new Map<string, PolledSession>();
  /** The sessions that are polled automatically at present. The others, such as archived rows, cause no requests. */
  readonly #active = new Set<PolledSession>();
  readonly #disposables = new Disposables();
  /** The retry budget of each service: one that responds must not refill the budget of one that doesn't. */
  readonly #retries = new Map<string, RetryBudget>();
  #isFocused = true;
  /** The intervals from which the delays of the current timers were calculated. */
  #intervals: PollIntervals;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#intervals = options.intervals();
    this.#disposables.add(
      options.store.onDidChange((change) => {
        if (change.type === 'connection') this.#restart(change.origins);
        if (change.type === 'sessionList') this.#followSessionList();
        if (change.type === 'outbox') this.#followSent(change.key);
        if (change.type === 'outbox' || change.type === 'sessionList') this.#followAwaited();
      }),
    );
  }

  /** Keeps a session up to date until the handle is disposed; with `wantsMessages`, also its conversation. */
  watch(key: SessionKey, wantsMessages: boolean): Disposable {
    const { store, history, clock, intervals } = this.#options;
    const poll = this.#poll(key);
    const watcher = { wantsMessages };
    poll.addWatcher(watcher);
    const record = store.record(key);
    // While only the row was shown, the session may have been read again without its messages.
    const areRead = !wantsMessages || (record?.session !== undefined && history.isReadAt(key, record.session));
    const isKnown = areRead && poll.isFresh(record, clock.now() - intervals().idleMs);
    if (poll.isStopped || isKnown) this.#schedule(poll);
    else this.#startIfAllowed(poll, true);
    return onDispose(() => {
      poll.removeWatcher(watcher);
      this.#schedule(poll);
    });
  }

  /**
   * Refreshes a session now, whether it is watched or not, and its messages if {@link readsMessages} is true. Does
   * nothing if the service can't be used. Never rejects; a failure is recorded in the store.
   */
  refresh(key: SessionKey): Promise<void> {
    const poll = this.#poll(key);
    poll.clearPause();
    poll.requestMessages();
    return this.#start(poll, true);
  }

  /**
   * Refreshes the state of a session now, unless a pause is in effect or a failure has stopped polling. Never rejects;
   * a failure is recorded in the store.
   */
  async refreshState(key: SessionKey): Promise<void> {
    const isNew = !this.#polls.has(keyText(key));
    const poll = this.#poll(key);
    if (!poll.isStopped && this.#pausedMs(poll) <= 0) await this.#start(poll, false);
    // A poll that isn't needed must not be scheduled again, for example when the connection changes.
    const isOver = !poll.isWatched && !poll.running && poll.failures === 0 && this.#nextDelayMs(poll) === undefined;
    if (isNew && isOver) this.#polls.delete(keyText(key));
  }

  /** Whether the messages of a session are read with its state, because they are shown or the outbox needs them. */
  readsMessages(key: SessionKey): boolean {
    return this.#polls.get(keyText(key))?.wantsMessages(this.#options.store.record(key)) ?? false;
  }

  /**
   * Whether the conversation of a session is watched, and its messages were read after the last change that this window
   * knows of. If the service can't be reached, these are the messages of the last refresh.
   */
  hasNewestMessages(key: SessionKey): boolean {
    const { store, history } = this.#options;
    const poll = this.#polls.get(keyText(key));
    const { session, isRemembered, failure } = store.record(key) ?? {};
    const isPolled = poll?.isConversationWatched === true && !poll.running && (!isRemembered || failure !== undefined);
    return isPolled && session !== undefined && history.isReadAt(key, session);
  }

  /**
   * Sets whether the window has the focus. A window without focus polls less often, and polls immediately when it gets
   * the focus back.
   */
  setFocused(isFocused: boolean): void {
    if (this.#isFocused === isFocused) return;
    this.#isFocused = isFocused;
    for (const poll of this.#polls.values()) {
      if (isFocused && this.#nextDelayMs(poll) !== undefined) this.#startIfAllowed(poll, false);
      else this.#schedule(poll);
    }
  }

  /** Applies changed intervals to the polls that are already scheduled. Call this after the settings changed. */
  followIntervals(): void {
    const intervals = this.#options.intervals();
    if (sameValue(intervals, this.#intervals)) return;
    this.#intervals = intervals;
    for (const poll of this.#polls.values()) this.#schedule(poll);
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const poll of this.#polls.values()) poll.end();
    this.#polls.clear();
    this.#active.clear();
  }

  /** Starts a poll, or schedules it for later if a pause is in effect or the retry budget is used up. */
  #startIfAllowed(poll: PolledSession, isRequested: boolean): void {
    const { pauses } = this.#options;
    if (pauses) void pauses.refresh(poll.key.origin).then(() => this.#startOrWait(poll, isRequested));
    else this.#startOrWait(poll, isRequested);
  }

  #startOrWait(poll: PolledSession, isRequested: boolean): void {
    if (this.#pausedMs(poll) > 0) {
      this.#schedule(poll);
      return;
    }
    const retry = poll.failures > 0 ? this.#retriesOf(poll.key.origin).take() : undefined;
    if (!retry || retry.isTaken) void this.#start(poll, isRequested);
    else this.#schedule(poll, retry.waitMs);
  }

  /** The remaining time of the pause of the session or its service, in ms; 0 or less if there is none. */
  #pausedMs(poll: PolledSession): number {
    const { pauses, clock } = this.#options;
    const now = clock.now();
    const end = Math.max(poll.notBefore(now), pauses?.notBefore(poll.key.origin) ?? 0);
    return remainingMs(end, longestPauseMs, now);
  }

  #start(poll: PolledSession, isRequested: boolean): Promise<void> {
    if (this.#disposables.isDisposed) return Promise.resolve();
    if (poll.running) return poll.start(isRequested, () => Promise.resolve());
    return poll.start(isRequested, () => this.#runUntilQuiet(poll)).finally(() => this.#schedule(poll));
  }

  async #runUntilQuiet(poll: PolledSession): Promise<void> {
    await this.#readOnce(poll);
    while (poll.consumeRerunRequest() && !this.#disposables.isDisposed && this.#pausedMs(poll) <= 0)
      await this.#readOnce(poll);
  }

  async #readOnce(poll: PolledSession): Promise<void> {
    const { store, apiFor, clock, pauses, log } = this.#options;
    const api = apiFor(poll.key.origin);
    if (!api || !store.record(poll.key)) return;
    const signal = poll.newSignal();
    const wasUnreached = isUnreached(store.record(poll.key));
    const pauseRequests = pauses?.requestCount(poll.key.origin) ?? 0;
    try {
      await this.#read(api, poll, signal);
      poll.succeeded();
      this.#retriesOf(poll.key.origin).fill();
      pauses?.succeeded(poll.key.origin, pauseRequests);
    } catch (error) {
      if (signal.aborted) return;
      // The client was replaced, for example because the proxy changed, and its requests were canceled.
      if (apiFor(poll.key.origin) !== api) {
        poll.requestMessages();
        await this.#readOnce(poll);
        return;
      }
      log.debug(`poll failed: ${reasonOf(error)}`);
      this.#handleFailure(poll, error, clock.now());
    }
    if (wasUnreached && !isUnreached(store.record(poll.key))) this.#pollUnreached(poll.key.origin);
  }

  async #read(api: SessionsApi, poll: PolledSession, signal: AbortSignal): Promise<void> {
    const { store, history } = this.#options;
    const session = await this.#readSession(api, poll, signal);
    if (!poll.wantsMessages(store.record(poll.key))) return;
    await history.restoreWhenShown(poll.key);
    const isRequested = poll.consumeMessageRequest();
    const meanwhile = async () => {
      if (this.#isDue(poll)) await this.#readSession(api, poll, signal);
    };
    const mayGrow = session.status === 'running' || session.status === 'unknown';
    if (isRequested || !history.isReadAt(poll.key, session))
      await history.refresh(api, poll.key, signal, session, meanwhile);
    else if (mayGrow || history.mayBeStale(poll.key)) await history.refreshNewest(api, poll.key, signal);
  }

  async #readSession(api: SessionsApi, poll: PolledSession, signal: AbortSignal): Promise<Session> {
    const { store, clock } = this.#options;
    const computerId = store.record(poll.key)?.listEntry.computerId;
    const requestNumber = store.countRequest();
    const answer = await api.getSession(poll.key.sessionId, { computerId, signal });
    const record = store.record(poll.key);
    const session = poll.newestState(record?.session, answer);
    const stateNumber = session === answer ? requestNumber : record?.requestNumber;
    store.takeSession(poll.key, session, clock.now(), stateNumber ?? 0);
    return session;
  }

  /** Whether the status of a session whose messages are being read is older than its poll interval. */
  #isDue(poll: PolledSession): boolean {
    const { store, intervals, clock } = this.#options;
    const record = store.record(poll.key);
    if (record?.asOf === undefined) return false;
    const pollMs = pauseMs(this.#priority(poll, record), intervals(), clock.random);
    return pollMs !== undefined && clock.now() - record.asOf >= pollMs;
  }

  #handleFailure(poll: PolledSession, error: unknown, at: number): void {
    const { store } = this.#options;
    const failure = toFailure(error, at);
    const { retryAfterMs = 0 } = failure;
    const isTransient = error instanceof ApiError && isRetriedRead(error);
    poll.failed(at, retryAfterMs, !isTransient || retryAfterMs > longestPauseMs);
    if (isTransient) this.#options.pauses?.failed(poll.key.origin, failure.retryAfterMs);
    store.takeFailure(poll.key, failure);
  }

  /** Sets the timer for the next poll, if one is needed. */
  #schedule(poll: PolledSession, minDelayMs = 0): void {
    poll.clearTimer();
    if (this.#disposables.isDisposed || poll.running) return;
    const { store, clock } = this.#options;
    const nextMs = this.#nextDelayMs(poll);
    if (nextMs === undefined) this.#active.delete(poll);
    else this.#active.add(poll);
    const delayMs = nextMs === undefined ? undefined : Math.max(minDelayMs, nextMs);
    const record = store.record(poll.key);
    // Only conversations show the time of the next poll. For other sessions, storing it would announce a needless
    // change.
    if (record?.failure && poll.wantsMessages(record))
      store.takeFailure(poll.key, record.failure, delayMs === undefined ? undefined : clock.now() + delayMs);
    if (delayMs !== undefined) poll.setTimer(clock.after(delayMs, () => this.#startIfAllowed(poll, false)));
  }

  #nextDelayMs(poll: PolledSession): number | undefined {
    const { store, history, apiFor, intervals, clock } = this.#options;
    const record = store.record(poll.key);
    if (!record || poll.isStopped || !apiFor(poll.key.origin)) return undefined;
    const pollMs = pauseMs(this.#priority(poll, record), intervals(), clock.random);
    if (pollMs === undefined) return undefined;
    const lagMs = poll.wantsMessages(record) ? history.retryMs(poll.key) : undefined;
    const restMs = Math.min(pollMs, lagMs ?? pollMs);
    const backMs = poll.failures === 0 ? 0 : backoffMs(poll.failures, clock.random, record.failure?.retryAfterMs);
    const pausedMs = this.#pausedMs(poll);
    return Math.max(restMs, backMs, pausedMs > 0 ? pausedMs + clock.random() * spreadMs : 0);
  }

  #priority(poll: PolledSession, record: SessionRecord): PollPriority {
    const { clock, clocks } = this.#options;
    const serverOffsetMs = clocks?.offsetMs(poll.key.origin) ?? 0;
    return poll.priority(record, this.#isFocused, clock.now(), this.#active.size, serverOffsetMs);
  }

  /** Cancels the requests to services whose connections changed, and polls their watched sessions immediately. */
  #restart(origins: ReadonlySet<string>): void {
    for (const poll of this.#polls.values()) {
      if (!origins.has(poll.key.origin)) continue;
      poll.cancel();
      poll.resetFailures();
      if (poll.isWatched && this.#options.apiFor(poll.key.origin)) void this.#start(poll, true);
      else this.#schedule(poll);
    }
  }

  /** Polls the other sessions of a service that responds again, without waiting for their backoff. */
  #pollUnreached(origin: string): void {
    for (const poll of this.#polls.values()) {
      const isWaiting = poll.key.origin === origin && isUnreached(this.#options.store.record(poll.key));
      if (isWaiting && this.#nextDelayMs(poll) !== undefined) this.#startIfAllowed(poll, false);
    }
  }

  /**
   * Polls a session after a message was accepted: the agent is about to start, and the idle interval would show that
   * too late.
   */
  #followSent(key: SessionKey): void {
    const { store, clock } = this.#options;
    const poll = this.#poll(key);
    if (poll.noteSent(store.record(key)?.outbox ?? [], clock.now())) this.#startIfAllowed(poll, true);
  }

  /** Polls the sessions that messages in the outbox wait for: immediately, and then until no message waits for them. */
  #followAwaited(): void {
    const awaited = new Map<string, SessionKey>();
    for (const entry of this.#options.store.records.flatMap(({ outbox }) => outbox)) {
      const key = awaitedSession(entry);
      if (key && this.#options.store.record(key)) awaited.set(keyText(key), key);
    }
    for (const [text, poll] of this.#polls) {
      if (!poll.isAwaited || awaited.has(text)) continue;
      poll.setAwaited(false);
      this.#schedule(poll);
    }
    for (const key of awaited.values()) {
      const poll = this.#poll(key);
      if (poll.isAwaited) continue;
      poll.setAwaited(true);
      this.#startIfAllowed(poll, true);
    }
  }

  /** Stops polling sessions that left the list, and polls added ones that are already watched. */
  #followSessionList(): void {
    for (const [text, poll] of this.#polls) {
      const wasListed = poll.isListed;
      const isListed = this.#options.store.record(poll.key) !== undefined;
      poll.setListed(isListed);
      if (wasListed && !isListed) {
        poll.forget();
        this.#active.delete(poll);
      }
      if (!wasListed && isListed && poll.isWatched) void this.#start(poll, true);
      if (!isListed && !poll.isWatched) this.#polls.delete(text);
    }
  }

  #retriesOf(origin: string): RetryBudget {
    const budget = this.#retries.get(origin) ?? new RetryBudget(this.#options.clock);
    this.#retries.set(origin, budget);
    return budget;
  }

  #poll(key: SessionKey): PolledSession {
    const isListed = this.#options.store.record(key) !== undefined;
    const poll = this.#polls.get(keyText(key)) ?? new PolledSession(key, isListed);
    this.#polls.set(keyText(key), poll);
    return poll;
  }
}
