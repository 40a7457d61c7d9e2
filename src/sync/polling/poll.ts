import type { Disposable } from '../../shared/lifecycle.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';

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
  isOnDeck: boolean;
  abort: AbortController | undefined;
  /** The messages sent from here that a reading was started for, and when that was last, Unix ms. */
  readonly followedIds: Set<string>;
  sentAt: number;
  /** When somebody last looked, Unix ms. */
  attendedAt: number | undefined;
}

/** A session nobody has asked for yet. */
export function newPoll(key: SessionKey, isOnDeck: boolean): Poll {
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
    isOnDeck,
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
