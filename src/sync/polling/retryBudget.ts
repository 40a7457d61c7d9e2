import type { Clock } from '../storage/clock.ts';

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
