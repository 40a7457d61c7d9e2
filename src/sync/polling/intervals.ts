import type { SessionStatus } from '../../api/resources/session.ts';

/** The settings `lineside.polling.*`, in ms. */
export interface PollIntervals {
  readonly runningMs: number;
  readonly idleMs: number;
}

/**
 * The time over which requests are spread after a pause, so that those for all sessions of all windows aren't sent at
 * the same time.
 */
export const spreadMs = 1_000;

/** The inputs that determine when a session is polled next (R27). */
export interface PollPriority {
  /** The last known status; undefined before the first response. */
  readonly status: SessionStatus | undefined;
  /** A message of the outbox was recently accepted, so the agent is about to start. */
  readonly isExpected?: boolean;
  /** A message waits until the session is idle, so the session is polled although the user doesn't see it. */
  readonly isAwaited?: boolean;
  /** The session is archived and its conversation is not open, so it is not polled. */
  readonly isArchived?: boolean;
  /** The session has not changed for a while, and is only shown as a row. */
  readonly isQuiet?: boolean;
  /**
   * The number of sessions polled in this window if this session is only shown as a row; 0 if its messages are needed.
   */
  readonly watchedCount?: number;
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  /** The time since the session was last visible in a focused window. */
  readonly unattendedMs?: number;
}

/**
 * The minimum poll interval for a session that isn't visible in a focused window. A running one is still polled, so
 * that a notification can report when the agent has finished, and so is one that a message waits for.
 */
const unattendedRestMs = 12_500;
/** The maximum time for which a running session that the user does not see is polled, unless a message waits for it. */
const longestUnattendedMs = 4 * 3_600_000;
/**
 * The minimum poll interval per watched row. It is multiplied by the number of rows, so that all of them together cause
 * at most five requests per second.
 */
const crowdShareMs = 200;
/** The poll interval of a quiet session is twice as long, but at most this long unless the user chose a longer one. */
const longestQuietMs = 60_000;
const jitterShare = 0.2;

/**
 * The delay before the next poll of a session, in ms, with 20 % jitter in both directions. Undefined if no poll is
 * needed: the session is archived, or the user doesn't see it, no message waits for it, and it is not running or has
 * been out of sight for four hours.
 */
export function pauseMs(attention: PollPriority, pace: PollIntervals, random: () => number): number | undefined {
  const {
    status,
    isVisible,
    isFocused,
    isExpected = false,
    isAwaited = false,
    isArchived = false,
    isQuiet = false,
    unattendedMs = 0,
    watchedCount = 0,
  } = attention;
  if (isArchived) return undefined;
  // With a status that we don't know, the agent may be working, unless the session hasn't changed for a while.
  const mayBeAtWork = status === 'running' || status === 'pending' || (status === 'unknown' && !isQuiet);
  const isAtWork = mayBeAtWork || isExpected;
  const isAttended = isVisible && isFocused;
  if (!isAttended && !isAwaited && (!isAtWork || unattendedMs >= longestUnattendedMs)) return undefined;
  const idleMs = isQuiet ? Math.max(pace.idleMs, Math.min(2 * pace.idleMs, longestQuietMs)) : pace.idleMs;
  const attendedMs = Math.max(isAtWork || isAwaited ? pace.runningMs : idleMs, watchedCount * crowdShareMs);
  const restMs = isAttended ? attendedMs : Math.max(attendedMs, unattendedRestMs);
  return restMs * (1 - jitterShare + 2 * jitterShare * random());
}
