import type { Session } from '../../api/resources/session.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { isScheduled, type OutboxEntry } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { PauseEnd } from '../storage/clock.ts';
import type { PollPriority } from './intervals.ts';

/** After a message was sent, the agent is expected to start within this time. */
const expectedMs = 60_000;
/** A session that has not changed for this time is unlikely to change soon. */
const quietAfterMs = 600_000;

interface Watcher {
  readonly wantsMessages: boolean;
}

/** After this many consecutive older states, the service is assumed to have been restored from a backup. */
const mostOlderStates = 5;

/** The polling state of one session. */
export class PolledSession {
  readonly key: SessionKey;
  readonly #watchers = new Set<Watcher>();
  readonly #followedIds = new Set<string>();
  #timer: Disposable | undefined;
  #running: Promise<void> | undefined;
  #abort: AbortController | undefined;
  #isRerunRequested = false;
  #areMessagesRequested = false;
  #olderStates = 0;
  #failures = 0;
  #isStopped = false;
  #pauseEnd = new PauseEnd();
  #isListed: boolean;
  #isAwaited = false;
  #sentAt = Number.NEGATIVE_INFINITY;
  #attendedAt: number | undefined;

  constructor(key: SessionKey, isListed: boolean) {
    this.key = key;
    this.#isListed = isListed;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  get isConversationWatched(): boolean {
    return [...this.#watchers].some(({ wantsMessages }) => wantsMessages);
  }

  /** The number of consecutive failed requests. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Whether no polls are scheduled, because a failure isn't retried (for example, the session wasn't found), or because
   * the service requested too long a pause. This ends when the user refreshes the session, a request succeeds, or the
   * connection changes.
   */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * The end of the pause that the service requested (R24), at the time `now`, both Unix ms. A refresh by the user
   * ignores it.
   */
  notBefore(now: number): number {
    return this.#pauseEnd.at(now);
  }

  /** The current poll; undefined if there is none. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  get isListed(): boolean {
    return this.#isListed;
  }

  /** Whether a message waits until this session is idle. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  setAwaited(isAwaited: boolean): void {
    this.#isAwaited = isAwaited;
  }

  addWatcher(watcher: Watcher): void {
    this.#watchers.add(watcher);
  }

  removeWatcher(watcher: Watcher): void {
    this.#watchers.delete(watcher);
  }

  /** Whether the messages are needed, not only the session itself. */
  wantsMessages(record: SessionRecord | undefined): boolean {
    return this.isConversationWatched || record?.outbox.some((entry) => !isScheduled(entry)) === true;
  }

  /** Runs `poll` unless one is running. With `isRequested`, a running poll is followed by another one. */
  start(isRequested: boolean, poll: () => Promise<void>): Promise<void> {
    if (this.#running) {
      this.#isRerunRequested ||= isRequested;
      return this.#running;
    }
    this.clearTimer();
    this.#running = poll().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Whether another poll was requested during the running one; clears the request. */
  consumeRerunRequest(): boolean {
    const isRequested = this.#isRerunRequested;
    this.#isRerunRequested = false;
    return isRequested;
  }

  /** Creates the signal for the next request, which {@link cancel} aborts. */
  newSignal(): AbortSignal {
    this.#abort = new AbortController();
    return this.#abort.signal;
  }

  /** Aborts the current request. */
  cancel(): void {
    this.#abort?.abort();
  }

  /** Aborts the current request and clears the timer. */
  end(): void {
    this.clearTimer();
    this.cancel();
  }

  setTimer(timer: Disposable): void {
    this.clearTimer();
    this.#timer = timer;
  }

  clearTimer(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  /** Makes the next poll that reads messages read the newest ones even if the session is unchanged. */
  requestMessages(): void {
    this.#areMessagesRequested = true;
  }

  /** Whether the newest messages were requested; clears the request. */
  consumeMessageRequest(): boolean {
    const isRequested = this.#areMessagesRequested;
    this.#areMessagesRequested = false;
    return isRequested;
  }

  /**
   * The newer of the known state and the one in a response, `answer`, which may come from an older copy of the session
   * (R39). After several older states in a row, the one in the response.
   */
  newestState(known: Session | undefined, answer: Session): Session {
    const isOlder = known !== undefined && answer.updatedAt < known.updatedAt;
    this.#olderStates = isOlder ? this.#olderStates + 1 : 0;
    return isOlder && this.#olderStates < mostOlderStates ? known : answer;
  }

  /**
   * Resets the failures. Also ends a stop, because a read can be requested while polling is stopped, for example after
   * a message was accepted.
   */
  succeeded(): void {
    this.resetFailures();
  }

  /**
   * Records a failure at `at` (Unix ms). `retryAfterMs` is the pause that the service requested with it, or 0. With
   * `isStopped`, no further polls are scheduled.
   */
  failed(at: number, retryAfterMs: number, isStopped: boolean): void {
    this.#failures++;
    this.#pauseEnd = new PauseEnd();
    this.#pauseEnd.extend(at + retryAfterMs, at);
    this.#isStopped = isStopped;
  }

  /** Ends the pause of this session, and a stop; see {@link notBefore} and {@link isStopped}. */
  clearPause(): void {
    this.#isStopped = false;
    this.#pauseEnd = new PauseEnd();
  }

  /** Does the same as {@link clearPause}, and resets the backoff. */
  resetFailures(): void {
    this.#failures = 0;
    this.clearPause();
  }

  /** Whether this window refreshed the session after `since` (Unix ms). */
  isFresh(record: SessionRecord | undefined, since: number): boolean {
    return record?.asOf !== undefined && !record.isRemembered && record.asOf > since;
  }

  /** Remembers the accepted messages. Returns whether there is a new one. */
  noteSent(outbox: readonly OutboxEntry[], now: number): boolean {
    const knownCount = this.#followedIds.size;
    for (const { messageId } of outbox) if (messageId !== undefined) this.#followedIds.add(messageId);
    if (this.#followedIds.size === knownCount) return false;
    this.#sentAt = now;
    return true;
  }

  setListed(isListed: boolean): void {
    this.#isListed = isListed;
  }

  /** Resets the state after the session left the list. */
  forget(): void {
    this.end();
    this.resetFailures();
  }

  /**
   * The inputs that determine when to poll next. Also records when the session was last visible in a focused window.
   * `sessionCount` is the number of all sessions that are polled automatically at present, and `serverOffsetMs` the
   * service's clock minus ours.
   */
  priority(
    record: SessionRecord,
    isFocused: boolean,
    now: number,
    sessionCount: number,
    serverOffsetMs = 0,
  ): PollPriority {
    const isOpen = this.wantsMessages(record);
    const archivedAt = record.session?.sessionSettings?.archivedAt ?? '';
    const unchangedMs = record.session === undefined ? 0 : now + serverOffsetMs - record.session.updatedAt;
    if (this.isWatched && isFocused) this.#attendedAt = now;
    this.#attendedAt ??= now;
    return {
      status: record.session?.status,
      isExpected: now - this.#sentAt < expectedMs,
      isAwaited: this.#isAwaited,
      isArchived: archivedAt !== '' && !isOpen && !this.#isAwaited,
      isQuiet: !isOpen && unchangedMs >= quietAfterMs,
      watchedCount: isOpen ? 0 : sessionCount,
      isVisible: this.isWatched,
      isFocused,
      unattendedMs: now - this.#attendedAt,
    };
  }
}
