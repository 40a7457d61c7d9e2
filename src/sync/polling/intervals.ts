import type { SessionStatus } from '../../api/resources/session.ts';

/** The settings `lineside.polling.*`, in ms. */
export interface PollIntervals {
  readonly runningMs: number;
  readonly idleMs: number;
}

/** After a pause not all sessions of all windows ask at once. */
export const spreadMs = 1_000;

/** What decides how soon a session is read again (R27). */
export interface PollPriority {
  /** As last seen; absent before the first answer. */
  readonly status: SessionStatus | undefined;
  /** A message was sent from here a moment ago: the agent is about to work. */
  readonly isExpected?: boolean;
  /** An archived session is read only while its conversation is open. */
  readonly isArchived?: boolean;
  /** How many sessions are looked at in this window, where this one is only one row of them. */
  readonly watchedCount?: number;
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  /** For how long nobody has looked. */
  readonly unattendedMs?: number;
}

/** How often a running session is read that nobody looks at, so that its end can still be told. */
const unattendedRestMs = 12_500;
/** A session that still runs after nobody looked for so long is left alone. */
const longestUnattendedMs = 4 * 3_600_000;
/** A row among many is read so much less often that all of them make five requests a second at most. */
const crowdShareMs = 200;
const jitterShare = 0.2;

/**
 * How long to wait before a session is read again, in ms, with 20 % jitter either way; undefined where it need not be
 * read: nothing of it is visible and it was not seen at work, or nobody has looked for four hours.
 */
export function pauseMs(attention: PollPriority, pace: PollIntervals, random: () => number): number | undefined {
  const {
    status,
    isVisible,
    isFocused,
    isExpected = false,
    isArchived = false,
    unattendedMs = 0,
    watchedCount = 0,
  } = attention;
  if (isArchived) return undefined;
  const isAtWork = status === 'running' || status === 'pending' || isExpected;
  const isAttended = isVisible && isFocused;
  if (!isAttended && (!isAtWork || unattendedMs >= longestUnattendedMs)) return undefined;
  const attendedMs = Math.max(isAtWork ? pace.runningMs : pace.idleMs, watchedCount * crowdShareMs);
  const restMs = isAttended ? attendedMs : Math.max(attendedMs, unattendedRestMs);
  return restMs * (1 - jitterShare + 2 * jitterShare * random());
}
