import { isArchived } from '../../state/store/sessionFacts.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import { type SessionRecord, isWorking } from '../../state/store/sessionRecord.ts';
import { longestPauseMs } from '../connection/backoff.ts';
import { remainingMs } from '../storage/clock.ts';

/** The maximum number of sessions that a window reads after its start although it didn't see their agents finish. */
export const maxStartReads = 200;
/** Sessions that haven't changed for this time aren't read unless their agent finishes. */
export const longestQuietMs = 14 * 24 * 3_600_000;
/**
 * The time within which a session that the tree shows is usually polled. Until then, its state isn't requested for its
 * tail.
 */
const firstPollMs = 5_000;
/** The maximum time for which a session is postponed. */
export const longestPostponeMs = 30_000;

/** A session whose newest messages aren't known. */
export interface TailCandidate {
  readonly key: SessionKey;
  /** The session's `messageCount`; undefined if the session was never loaded. */
  readonly messageCount: number | undefined;
  /** Whether this window has refreshed the state of the session. */
  readonly isRefreshed: boolean;
  /** Whether this window saw its agent finish, or new messages while it was idle. */
  readonly isFollowed: boolean;
  /** When the session changed, by the service's clock, or, if it was never loaded, when it was added. Unix ms. */
  readonly changedAt: number;
  /** The time before which the session isn't read, Unix ms. */
  readonly notBefore: number;
  /** The number of attempts to read these messages that failed or came too early. */
  readonly attempts: number;
}

/**
 * The session to read next: the most recently changed one that this window followed (see `isFollowed`). If there is
 * none, the most recently changed of the others, if it changed within {@link longestQuietMs} and `startReadsLeft` isn't
 * 0. Undefined if none is due at `now` (Unix ms).
 */
export function nextTail(
  candidates: Iterable<TailCandidate>,
  startReadsLeft: number,
  now: number,
): TailCandidate | undefined {
  let best: TailCandidate | undefined;
  for (const candidate of candidates) {
    const isAllowed = candidate.isFollowed || (startReadsLeft > 0 && now - candidate.changedAt <= longestQuietMs);
    if (!isAllowed || postponedMs(candidate, now) > 0) continue;
    if (best === undefined || isBefore(candidate, best)) best = candidate;
  }
  return best;
}

/** The time until a session is due, in ms; 0 or less if it is. */
function postponedMs({ notBefore }: TailCandidate, now: number): number {
  return remainingMs(notBefore, longestPostponeMs, now);
}

function isBefore(a: TailCandidate, b: TailCandidate): boolean {
  return a.isFollowed === b.isFollowed ? a.changedAt > b.changedAt : a.isFollowed;
}

/** Whether the newest messages of a session can be read, and aren't known. */
function needsTail({ listEntry, session, failure, history, tail }: SessionRecord): boolean {
  if (listEntry.isTransient || failure) return false;
  if (!session) return true;
  const { status, messageCount } = session;
  return (
    status === 'idle' &&
    messageCount > 0 &&
    history.settledCount !== messageCount &&
    tail?.messageCount !== messageCount
  );
}

/**
 * Determines which sessions' newest messages are read, and in which order. It has no client and no timer: its callers
 * pass the states of sessions, the time, and the outcome of each read. After {@link end}, a session isn't read again
 * for the same `messageCount`.
 */
export class TailQueue {
  readonly #pending = new Map<string, TailCandidate>();
  /** The states that this window has seen. */
  readonly #seen = new Map<string, { readonly isWorking: boolean; readonly messageCount: number }>();
  /** The `messageCount` for which a read has ended. */
  readonly #ended = new Map<string, number>();
  /** The sessions that were read although this window didn't see their agents finish. */
  readonly #started = new Set<string>();
  /** The time until which nothing is read, by service. */
  readonly #restUntil = new Map<string, number>();

  /**
   * Notes the state of a session at `now` (Unix ms), and adds the session to the queue or removes it. `isOpen`: whether
   * its messages are read anyway.
   */
  follow(record: SessionRecord, isOpen: boolean, now: number): void {
    const { listEntry, session, isRemembered, failure } = record;
    const { key } = listEntry;
    const text = keyText(key);
    const before = this.#seen.get(text);
    const isRefreshed = session !== undefined && isRemembered !== true;
    if (isRefreshed && !failure) {
      const { messageCount } = session;
      this.#seen.set(text, {
        isWorking: isWorking(session) || (before?.isWorking === true && session.status === 'unknown'),
        messageCount,
      });
    }
    const isEnded = session !== undefined && this.#ended.get(text) === session.messageCount;
    if (isOpen || isEnded || isArchived(record) || !needsTail(record)) {
      this.#pending.delete(text);
      return;
    }
    const known = this.#pending.get(text);
    const hasGrown = isRefreshed && before !== undefined && session.messageCount > before.messageCount;
    const isFollowed = before?.isWorking === true || hasGrown || known?.isFollowed === true;
    const changedAt = session?.updatedAt ?? listEntry.addedAt;
    if (!isFollowed && (!this.#mayStart(text) || now - changedAt > longestQuietMs)) {
      this.#pending.delete(text);
      return;
    }
    const messageCount = session?.messageCount;
    const isSame = known?.messageCount === messageCount && known?.isRefreshed === isRefreshed;
    const fresh = { notBefore: isRefreshed ? now : now + firstPollMs, attempts: 0 };
    const { notBefore, attempts } = isSame ? known : fresh;
    this.#pending.set(text, { key, messageCount, isRefreshed, isFollowed, changedAt, notBefore, attempts });
  }

  /** Forgets all sessions except those in `records`. */
  forgetAllBut(records: readonly SessionRecord[]): void {
    const kept = new Set(records.map(({ listEntry }) => keyText(listEntry.key)));
    for (const known of [this.#pending, this.#seen, this.#ended]) {
      for (const text of known.keys()) if (!kept.has(text)) known.delete(text);
    }
  }

  /** Whether the newest messages of a session will be read soon. */
  has(key: SessionKey): boolean {
    return this.#pending.has(keyText(key));
  }

  get(key: SessionKey): TailCandidate | undefined {
    return this.#pending.get(keyText(key));
  }

  /** The origins of the sessions that wait to be read. */
  get origins(): ReadonlySet<string> {
    return new Set(Array.from(this.#pending.values(), ({ key }) => key.origin));
  }

  /** The session of one of these services to read next; undefined if none is due. */
  next(origins: ReadonlySet<string>, now: number): TailCandidate | undefined {
    return nextTail(this.#readable(origins, now), this.#startReadsLeft, now);
  }

  /** The time until a session of one of these services may be due, in ms; undefined if none is waiting. */
  waitMs(origins: ReadonlySet<string>, now: number): number | undefined {
    let waitMs = Number.POSITIVE_INFINITY;
    for (const candidate of this.#pending.values()) {
      const { origin } = candidate.key;
      if (!origins.has(origin)) continue;
      waitMs = Math.min(waitMs, Math.max(0, postponedMs(candidate, now), this.#restMs(origin, now)));
    }
    return waitMs === Number.POSITIVE_INFINITY ? undefined : waitMs;
  }

  /**
   * Call this when a read begins. If the session isn't followed (see `isFollowed`), it is counted. After
   * {@link maxStartReads} such sessions, drops those that aren't followed and haven't been read.
   */
  begin({ key, isFollowed }: TailCandidate): void {
    if (isFollowed) return;
    this.#started.add(keyText(key));
    if (this.#startReadsLeft > 0) return;
    for (const [text, candidate] of this.#pending)
      if (!candidate.isFollowed && !this.#started.has(text)) this.#pending.delete(text);
  }

  /** Ends the reading of a session for its `messageCount`, whatever the outcome. */
  end({ key, messageCount }: TailCandidate): void {
    const text = keyText(key);
    if (messageCount !== undefined) this.#ended.set(text, messageCount);
    if (this.#pending.get(text)?.messageCount === messageCount) this.#pending.delete(text);
  }

  /** Gives up reading a session that couldn't be refreshed. It joins the queue again when its state changes. */
  drop({ key, messageCount }: TailCandidate): void {
    const known = this.#pending.get(keyText(key));
    if (known?.messageCount === messageCount && !known?.isRefreshed) this.#pending.delete(keyText(key));
  }

  /**
   * Postpones a session to `at` (Unix ms), at most for {@link longestPostponeMs}. `isAttempt`: whether to count an
   * attempt.
   */
  postpone({ key, messageCount }: TailCandidate, at: number, isAttempt: boolean): void {
    const known = this.#pending.get(keyText(key));
    if (known?.messageCount !== messageCount || !known) return;
    this.#pending.set(keyText(key), { ...known, notBefore: at, attempts: known.attempts + (isAttempt ? 1 : 0) });
  }

  /**
   * Pauses the reads from a service: nothing is read between `now` and `at` (both Unix ms), at most for
   * {@link longestPauseMs}.
   */
  rest(origin: string, at: number, now: number): void {
    if (at - now > this.#restMs(origin, now)) this.#restUntil.set(origin, at);
  }

  /** Ends the pauses that {@link rest} began, for services whose connections changed. */
  clearRest(origins: ReadonlySet<string>): void {
    for (const origin of origins) this.#restUntil.delete(origin);
  }

  #restMs(origin: string, now: number): number {
    return remainingMs(this.#restUntil.get(origin) ?? 0, longestPauseMs, now);
  }

  *#readable(origins: ReadonlySet<string>, now: number): Iterable<TailCandidate> {
    const awake = new Set([...origins].filter((origin) => this.#restMs(origin, now) <= 0));
    for (const candidate of this.#pending.values()) if (awake.has(candidate.key.origin)) yield candidate;
  }

  get #startReadsLeft(): number {
    return maxStartReads - this.#started.size;
  }

  #mayStart(text: string): boolean {
    return this.#startReadsLeft > 0 || this.#started.has(text);
  }
}
