import type { Disposable } from '../events.ts';
import type { SessionKey } from '../state/sessionKey.ts';

/** What is known of the polling of one session. */
export interface Poll {
  readonly key: SessionKey;
  readonly watchers: Set<{ readonly wantsMessages: boolean }>;
  timer: Disposable | undefined;
  running: Promise<void> | undefined;
  /** Asked for while one was running: one more follows. */
  again: boolean;
  failures: number;
  /** The state of the session at which its messages were last read; they are read again when it moves. */
  readAt: string | undefined;
  /** Stopped until somebody asks: not found, not allowed, or told to wait too long. */
  isStopped: boolean;
  abort: AbortController | undefined;
  /** The last message sent from here that a reading was started for. */
  followedMessageId: string | undefined;
}

/** A session nobody has asked for yet. */
export function newPoll(key: SessionKey): Poll {
  return {
    key,
    watchers: new Set(),
    timer: undefined,
    running: undefined,
    again: false,
    failures: 0,
    readAt: undefined,
    isStopped: false,
    abort: undefined,
    followedMessageId: undefined,
  };
}

/** Whether one more reading was asked for meanwhile; the wish is taken. */
export function takeAgain(poll: Poll): boolean {
  const { again } = poll;
  poll.again = false;
  return again;
}

/** Ends what is under way and what is due. */
export function endPoll(poll: Poll): void {
  poll.timer?.dispose();
  poll.abort?.abort();
}
