import type { ApiError } from '../../api/errors.ts';
import type { Clock } from '../storage/clock.ts';

const baseMs = 1_000;
const capMs = 30_000;
/** A service that asks for a longer pause than this is not waited for: reading stops and says so (R24). */
export const longestPauseMs = 5 * 60_000;

/**
 * How long to wait before try `failures + 1`, in ms: full jitter over a doubling window of at most 30 s, on top of what
 * the service asked for (R24). `failures` is at least 1.
 */
export function backoffMs(failures: number, random: () => number, retryAfterMs = 0): number {
  const windowMs = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 10));
  return retryAfterMs + random() * windowMs;
}

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Whether a failed read may be tried again later by itself (R24). */
export function isRetriedRead(error: ApiError): boolean {
  switch (error.kind) {
    case 'unreachable':
    case 'proxy':
    case 'deadline':
      return true;
    case 'status':
      return retriedStatuses.has(error.status ?? 0);
    case 'certificate':
    case 'cancelled':
    case 'redirect':
    case 'notJson':
    case 'wrongShape':
    case 'tooLarge':
    case 'invalidRequest':
      return false;
  }
}

/** So many readings that follow a failure are free, and one more every so often while the failing lasts. */
const burst = 10;
const refillMs = 5_000;

/**
 * One budget for all readings of a window that try again what failed (R25), however many sessions fail: when a service is
 * away, it is asked about as often as one session would ask.
 */
export class RetryBudget {
  readonly #clock: Clock;
  #tokens = burst;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.now();
  }

  /** Takes one try, if there is one. Returns how long to wait for the next otherwise, in ms. */
  take(): { readonly isTaken: true } | { readonly isTaken: false; readonly waitMs: number } {
    const now = this.#clock.now();
    const earned = Math.max(0, Math.floor((now - this.#countedAt) / refillMs));
    this.#tokens = Math.min(burst, this.#tokens + earned);
    this.#countedAt = this.#tokens === burst ? now : this.#countedAt + earned * refillMs;
    if (this.#tokens === 0) return { isTaken: false, waitMs: Math.max(1, this.#countedAt + refillMs - now) };
    this.#tokens--;
    return { isTaken: true };
  }

  /** The service answers: trying costs nothing any more. */
  fill(): void {
    this.#tokens = burst;
    this.#countedAt = this.#clock.now();
  }
}
