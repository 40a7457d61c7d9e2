import { type Disposable, onDispose } from '../../src/shared/lifecycle.ts';
import type { Clock } from '../../src/sync/storage/clock.ts';

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

/** A clock that only a test can advance. */
export class FakeClock implements Clock {
  #now: number;
  readonly #random: () => number;
  readonly #timers = new Set<Timer>();
  #offsetMs = 0;

  /** `random` is the random source. By default, it always returns 0.5. */
  constructor(startMs = 1_760_000_000_000, random: () => number = () => 0.5) {
    this.#now = startMs;
    this.#random = random;
  }

  /** The number of pending timers. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** The time until the next timer is due, in ms, negative if it is overdue; undefined if there is no timer. */
  get nextTimerMs(): number | undefined {
    const next = this.#next();
    return next && next.at - this.#now;
  }

  now(): number {
    return this.#now + this.#offsetMs;
  }

  readonly random = (): number => this.#random();

  after(delayMs: number, task: () => void): Disposable {
    const timer = { at: this.#now + delayMs, task };
    this.#timers.add(timer);
    return onDispose(() => this.#timers.delete(timer));
  }

  /** Advances the clock and runs every timer that becomes due, in order and at its own due time. */
  advance(byMs: number): void {
    const end = this.#now + byMs;
    for (let next = this.#next(); next && next.at <= end; next = this.#next()) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
    }
    this.#now = end;
  }

  /** Advances the clock to the next timer and runs it. Returns false if there is none. */
  advanceToNext(): boolean {
    const next = this.#next();
    if (!next) return false;
    this.advance(Math.max(0, next.at - this.#now));
    return true;
  }

  /**
   * Moves the clock forward without running timers, as while a computer sleeps. The timers that are overdue run with
   * the next {@link advance}. Use {@link set} for a clock that is set back, which doesn't make timers wait longer.
   * @throws RangeError for a negative time
   */
  jump(byMs: number): void {
    if (byMs < 0) throw new RangeError('time does not go back; use set');
    this.#now += byMs;
  }

  /**
   * Moves the time that `now` returns forward or back, as a user who sets the clock does. Unlike {@link jump}, this
   * doesn't change how long pending timers still take, because real timers don't depend on the time of day.
   */
  set(byMs: number): void {
    this.#offsetMs += byMs;
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer;
    return next;
  }
}
