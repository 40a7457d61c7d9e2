import type { SessionStatus } from '../api/session.ts';

/** The settings `sessionDeck.polling.*`, in ms. */
export interface Pace {
  readonly runningMs: number;
  readonly idleMs: number;
}

/** What decides how soon a session is read again (R27). */
export interface Attention {
  /** As last seen; absent before the first answer. */
  readonly status: SessionStatus | undefined;
  readonly isVisible: boolean;
  readonly isFocused: boolean;
}

/** How often a running session is read that nobody looks at, so that its end can still be told. */
const unattendedMs = 12_500;
const jitterShare = 0.2;

/**
 * How long to wait before a session is read again, in ms, with 20 % jitter either way; undefined where it need not be
 * read: nothing of it is visible and it was not seen at work.
 */
export function pauseMs(attention: Attention, pace: Pace, random: () => number): number | undefined {
  const isAtWork = attention.status === 'running' || attention.status === 'pending';
  const isAttended = attention.isVisible && attention.isFocused;
  if (!isAtWork && !isAttended) return undefined;
  const attendedMs = isAtWork ? pace.runningMs : pace.idleMs;
  const restMs = isAttended ? attendedMs : Math.max(attendedMs, unattendedMs);
  return restMs * (1 - jitterShare + 2 * jitterShare * random());
}
