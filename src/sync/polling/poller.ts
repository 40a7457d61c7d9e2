import { ApiError } from '../../api/errors.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { type Disposable, Disposables, onDispose } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { isUnreached } from '../../state/store/connection.ts';
import type { OutboxEntry } from '../../state/store/outboxEntry.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import { isKeyRefused, problemOf } from '../connection/probe.ts';
import type { HistoryLoader } from '../history/historyLoader.ts';
import type { Clock } from '../storage/clock.ts';
import { backoffMs, isRetriedRead, longestPauseMs, RetryBudget } from './backoff.ts';
import { type Attention, type PollIntervals, pauseMs, spreadMs } from './intervals.ts';
import type { ServicePauses } from './serviceLimits.ts';

/** What is known of the polling of one session. */
export interface Poll {
  readonly key: SessionKey;
  readonly watchers: Set<{ readonly wantsMessages: boolean }>;
  timer: Disposable | undefined;
  running: Promise<void> | undefined;
  /** Asked for while one was running: one more follows. */
  again: boolean;
  failures: number;
  /** Its messages were read in this window. */
  isRead: boolean;
  /** Stopped until somebody asks: not found, not allowed, or told to wait too long. */
  isStopped: boolean;
  /** Until then the service asked to be left alone (R24), Unix ms; only a person's wish goes before. */
  notBefore: number;
  /** Whether it was on the deck when last looked. */
  isListed: boolean;
  abort: AbortController | undefined;
  /** The messages sent from here that a reading was started for, and when that was last, Unix ms. */
  readonly followedIds: Set<string>;
  sentAt: number;
  /** When somebody last looked, Unix ms. */
  attendedAt: number | undefined;
}

/** A session nobody has asked for yet. */
export function newPoll(key: SessionKey, isListed: boolean): Poll {
  return {
    key,
    watchers: new Set(),
    timer: undefined,
    running: undefined,
    again: false,
    failures: 0,
    isRead: false,
    isStopped: false,
    notBefore: 0,
    isListed,
    abort: undefined,
    followedIds: new Set(),
    sentAt: Number.NEGATIVE_INFINITY,
    attendedAt: undefined,
  };
}

/** Whether one more reading was asked for meanwhile; the wish is taken. */
export function takeAgain(poll: Poll): boolean {
  const { again } = poll;
  poll.again = false;
  return again;
}

/** Forgets failures and pauses: what is asked next is asked as if for the first time. */
export function forgive(poll: Poll): void {
  poll.failures = 0;
  poll.isStopped = false;
  poll.notBefore = 0;
}

/** Ends what is under way and what is due. */
export function endPoll(poll: Poll): void {
  poll.timer?.dispose();
  poll.abort?.abort();
}

/** An agent that was sent something is expected to begin within this time. */
const expectedMs = 60_000;

/** What decides how soon a session is read again; notes that somebody looks. `now` is Unix ms, `crowd` all sessions. */
export function attentionTo(
  poll: Poll,
  record: SessionRecord,
  isFocused: boolean,
  now: number,
  crowd: number,
): Attention {
  const isOpen = wantsMessages(poll, record);
  const isVisible = poll.watchers.size > 0;
  const archivedAt = record.session?.sessionSettings?.archivedAt ?? '';
  if (isVisible && isFocused) poll.attendedAt = now;
  poll.attendedAt ??= now;
  return {
    status: record.session?.status,
    isExpected: now - poll.sentAt < expectedMs,
    isArchived: archivedAt !== '' && !isOpen,
    crowd: isOpen ? 0 : crowd,
    isVisible,
    isFocused,
    unattendedMs: now - poll.attendedAt,
  };
}

/** Whether the messages of a session are wanted, not only what it says of itself. */
export function wantsMessages(poll: Poll, record: SessionRecord | undefined): boolean {
  const hasOutgoing = (record?.outbox.length ?? 0) > 0;
  return hasOutgoing || [...poll.watchers].some((watcher) => watcher.wantsMessages);
}

/** Notes the messages that the service accepted from here. Returns whether there is a new one among them. */
export function noteSent(poll: Poll, outbox: readonly OutboxEntry[], now: number): boolean {
  const known = poll.followedIds.size;
  for (const { messageId } of outbox) if (messageId !== undefined) poll.followedIds.add(messageId);
  if (poll.followedIds.size === known) return false;
  poll.sentAt = now;
  return true;
}

/** Whether what is known was read here after `since` (Unix ms); the messages, too, where they are wanted. */
export function isFresh(
  poll: Poll,
  record: SessionRecord | undefined,
  isWithMessages: boolean,
  since: number,
): boolean {
  if (record?.asOf === undefined || record.isRemembered) return false;
  return (poll.isRead || !isWithMessages) && record.asOf > since;
}

export interface PollerOptions {
  readonly store: Store;
  readonly history: HistoryLoader;
  /** The client for a service, absent while it may not be talked to. */
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  readonly pace: () => PollIntervals;
  /** Pauses shared with other windows. */
  readonly pauses?: ServicePauses;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Keeps watched sessions up to date: the session first, its messages only when something moved. One session is never read
 * twice at once; extra asks are folded into one more (R27). Nothing runs while nobody watches.
 */
export class Poller implements Disposable {
  readonly #options: PollerOptions;
  readonly #polls = new Map<string, Poll>();
  readonly #disposables = new Disposables();
  readonly #retries: RetryBudget;
  #isFocused = true;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#retries = new RetryBudget(options.clock);
    this.#disposables.add(
      options.store.onDidChange((change) => {
        if (change.type === 'connection') this.#wakeAll();
        if (change.type === 'sessionList') this.#followSessionList();
        if (change.type === 'outbox') this.#followSent(change.key);
      }),
    );
  }

  /** Somebody looks at a session until the handle is disposed; with `wantsMessages` also at its conversation. */
  watch(key: SessionKey, wantsMessages: boolean): Disposable {
    const { store, clock, pace } = this.#options;
    const poll = this.#poll(key);
    const watcher = { wantsMessages };
    poll.watchers.add(watcher);
    const isKnown = isFresh(poll, store.record(key), wantsMessages, clock.now() - pace().idleMs);
    if (poll.isStopped || isKnown) this.#schedule(poll);
    else this.#startIfAllowed(poll, true);
    return onDispose(() => {
      poll.watchers.delete(watcher);
      this.#schedule(poll);
    });
  }

  /** Reads a session now, whether watched or not. Resolves when it is done, also when it failed: the store says so. */
  refresh(key: SessionKey): Promise<void> {
    const poll = this.#poll(key);
    poll.isStopped = false;
    poll.notBefore = 0;
    return this.#start(poll, true);
  }

  /** An unfocused window asks less often; coming back asks at once. */
  setFocused(isFocused: boolean): void {
    if (this.#isFocused === isFocused) return;
    this.#isFocused = isFocused;
    for (const poll of this.#polls.values()) {
      if (isFocused && this.#nextDelayMs(poll) !== undefined) this.#startIfAllowed(poll, false);
      else this.#schedule(poll);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const poll of this.#polls.values()) endPoll(poll);
    this.#polls.clear();
  }

  /** Starts unless the service asked for a pause that is not over, here or in another window. */
  #startIfAllowed(poll: Poll, isAsked: boolean): void {
    const { pauses } = this.#options;
    if (pauses) void pauses.look(poll.key.origin).then(() => this.#startOrWait(poll, isAsked));
    else this.#startOrWait(poll, isAsked);
  }

  #startOrWait(poll: Poll, isAsked: boolean): void {
    if (this.#pausedMs(poll) > 0) {
      this.#schedule(poll);
      return;
    }
    const retry = poll.failures > 0 ? this.#retries.take() : undefined;
    if (!retry || retry.isTaken) void this.#start(poll, isAsked);
    else this.#schedule(poll, retry.waitMs);
  }

  /** How long the service asked to be left alone from now on; 0 or less where it may be asked. */
  #pausedMs({ notBefore, key }: Poll): number {
    return Math.max(notBefore, this.#options.pauses?.notBefore(key.origin) ?? 0) - this.#options.clock.now();
  }

  #start(poll: Poll, isAsked: boolean): Promise<void> {
    if (this.#disposables.isDisposed) return Promise.resolve();
    if (poll.running) {
      poll.again ||= isAsked;
      return poll.running;
    }
    poll.timer?.dispose();
    poll.running = this.#runUntilQuiet(poll).finally(() => {
      poll.running = undefined;
      this.#schedule(poll);
    });
    return poll.running;
  }

  async #runUntilQuiet(poll: Poll): Promise<void> {
    await this.#readOnce(poll);
    while (takeAgain(poll) && !this.#disposables.isDisposed && this.#pausedMs(poll) <= 0) await this.#readOnce(poll);
  }

  async #readOnce(poll: Poll): Promise<void> {
    const { store, apiFor, clock, pauses, log } = this.#options;
    const api = apiFor(poll.key.origin);
    if (!api || !store.record(poll.key)) return;
    poll.abort = new AbortController();
    const signal = poll.abort.signal;
    const wasUnreached = isUnreached(store.record(poll.key));
    try {
      await this.#read(api, poll, signal);
      poll.failures = 0;
      this.#retries.fill();
      pauses?.succeeded(poll.key.origin);
    } catch (error) {
      if (signal.aborted) return;
      log.debug(`poll failed: ${reasonOf(error)}`);
      this.#takeFailure(poll, error, clock.now());
    }
    if (wasUnreached && !isUnreached(store.record(poll.key))) this.#wakeUnreached(poll.key.origin);
  }

  async #read(api: SessionsApi, poll: Poll, signal: AbortSignal): Promise<void> {
    const { store, history, clock } = this.#options;
    const computerId = store.record(poll.key)?.listEntry.computerId;
    const session = await api.getSession(poll.key.sessionId, { computerId, signal });
    store.takeSession(poll.key, session, clock.now());
    if (!wantsMessages(poll, store.record(poll.key))) return;
    await history.restore(poll.key);
    if (!history.isReadAt(poll.key, session)) await history.refresh(api, poll.key, signal, session);
    else if (session.status === 'running') await history.refreshNewest(api, poll.key, signal);
    poll.isRead = true;
  }

  #takeFailure(poll: Poll, error: unknown, at: number): void {
    const { store } = this.#options;
    const { connection } = store;
    const problem = problemOf(error, at);
    if (isKeyRefused(error) && connection.kind === 'ready' && connection.service.origin === poll.key.origin) {
      store.setConnection({ kind: 'keyRefused', service: connection.service, failure: problem });
      return;
    }
    poll.failures++;
    poll.notBefore = at + (problem.retryAfterMs ?? 0);
    const isTransient = error instanceof ApiError && isRetriedRead(error);
    if (isTransient) this.#options.pauses?.failed(poll.key.origin, problem.retryAfterMs);
    poll.isStopped = !isTransient || (problem.retryAfterMs ?? 0) > longestPauseMs;
    store.takeFailure(poll.key, problem);
  }

  /** Sets the timer for the next reading, or none. */
  #schedule(poll: Poll, leastMs = 0): void {
    poll.timer?.dispose();
    poll.timer = undefined;
    if (this.#disposables.isDisposed || poll.running) return;
    const delayMs = this.#nextDelayMs(poll);
    if (delayMs === undefined) return;
    poll.timer = this.#options.clock.after(Math.max(leastMs, delayMs), () => this.#startIfAllowed(poll, false));
  }

  #nextDelayMs(poll: Poll): number | undefined {
    const { store, apiFor, pace, clock } = this.#options;
    const record = store.record(poll.key);
    if (!record || poll.isStopped || !apiFor(poll.key.origin)) return undefined;
    const attention = attentionTo(poll, record, this.#isFocused, clock.now(), this.#polls.size);
    const restMs = pauseMs(attention, pace(), clock.random);
    if (restMs === undefined) return undefined;
    const backMs = poll.failures === 0 ? 0 : backoffMs(poll.failures, clock.random, record.failure?.retryAfterMs);
    const pausedMs = this.#pausedMs(poll);
    return Math.max(restMs, backMs, pausedMs > 0 ? pausedMs + clock.random() * spreadMs : 0);
  }

  /** The connection changed: what cannot be asked any more stops, what can be is asked at once. */
  #wakeAll(): void {
    for (const poll of this.#polls.values()) {
      poll.abort?.abort();
      forgive(poll);
      if (poll.watchers.size > 0 && this.#options.apiFor(poll.key.origin)) void this.#start(poll, true);
      else this.#schedule(poll);
    }
  }

  /** A service that could not be reached answers again: its other sessions do not wait out their pauses. */
  #wakeUnreached(origin: string): void {
    for (const poll of this.#polls.values()) {
      const isMeant = poll.key.origin === origin && isUnreached(this.#options.store.record(poll.key));
      if (isMeant && this.#nextDelayMs(poll) !== undefined) this.#startIfAllowed(poll, false);
    }
  }

  /** A message was accepted: the agent is about to work, which the resting pace would show late. */
  #followSent(key: SessionKey): void {
    const { store, clock } = this.#options;
    const poll = this.#poll(key);
    if (noteSent(poll, store.record(key)?.outbox ?? [], clock.now())) this.#startIfAllowed(poll, true);
  }

  /** What left the deck is asked for no more; what came, perhaps back, is read where somebody already looks. */
  #followSessionList(): void {
    for (const [text, poll] of this.#polls) {
      const wasListed = poll.isListed;
      poll.isListed = this.#options.store.record(poll.key) !== undefined;
      if (wasListed && !poll.isListed) {
        endPoll(poll);
        forgive(poll);
        poll.isRead = false;
        this.#options.history.forget(poll.key);
      }
      if (!wasListed && poll.isListed && poll.watchers.size > 0) void this.#start(poll, true);
      if (!poll.isListed && poll.watchers.size === 0) this.#polls.delete(text);
    }
  }

  #poll(key: SessionKey): Poll {
    const isListed = this.#options.store.record(key) !== undefined;
    const poll = this.#polls.get(keyText(key)) ?? newPoll(key, isListed);
    this.#polls.set(keyText(key), poll);
    return poll;
  }
}
