import type { Failure } from '../../state/store/failure.ts';
import type { Clock } from '../storage/clock.ts';

const baseMs = 1_000;
const capMs = 30_000;
/**
 * The longest pause that is accepted from a service. If a service requests a longer one, polling stops and the session
 * shows the failure (R24).
 */
export const longestPauseMs = 5 * 60_000;

/**
 * The delay before attempt `failures + 1`, in ms: a random time whose maximum doubles with each failure up to 30 s,
 * plus the pause that the service requested (R24). `failures` is at least 1.
 */
export function backoffMs(failures: number, random: () => number, retryAfterMs = 0): number {
  const windowMs = Math.min(capMs, baseMs * 2 ** (failures - 1));
  return retryAfterMs + random() * windowMs;
}

const retriedStatuses: ReadonlySet<number | undefined> = new Set([408, 429, 500, 502, 503, 504]);

/** Whether a failed read may be retried automatically (R24). */
export function isRetriedRead({ kind, status }: Pick<Failure, 'kind' | 'status'>): boolean {
  switch (kind) {
    case 'unreachable':
    case 'proxy':
    case 'deadline':
      return true;
    case 'status':
      return retriedStatuses.has(status);
    case 'certificate':
    case 'cancelled':
    case 'redirect':
    case 'notJson':
    case 'wrongShape':
    case 'tooLarge':
    case 'invalidRequest':
    case 'disk':
    case 'unexpected':
      return false;
  }
}

/** The number of retries that are available immediately; after that, one more becomes available every `refillMs`. */
const burst = 10;
const refillMs = 5_000;

/**
 * The budget that all retries of a window for one service share, so that an outage causes fewer than 1.2 times the
 * normal number of requests (R25).
 */
export class RetryBudget {
  readonly #clock: Clock;
  #tokens = burst;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.now();
  }

  /** Takes one retry if available; otherwise returns the time until the next one, in ms. */
  take(): { readonly isTaken: true } | { readonly isTaken: false; readonly waitMs: number } {
    const now = this.#clock.now();
    // The clock may have been set back.
    this.#countedAt = Math.min(this.#countedAt, now);
    const earned = Math.floor((now - this.#countedAt) / refillMs);
    this.#tokens = Math.min(burst, this.#tokens + earned);
    this.#countedAt = this.#tokens === burst ? now : this.#countedAt + earned * refillMs;
    if (this.#tokens === 0) return { isTaken: false, waitMs: this.#countedAt + refillMs - now };
    this.#tokens--;
    return { isTaken: true };
  }

  /** Refills the budget after the service responded. */
  fill(): void {
    this.#tokens = burst;
    this.#countedAt = this.#clock.now();
  }
}
