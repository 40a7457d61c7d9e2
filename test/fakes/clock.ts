import { type Disposable, onDispose } from '../../src/shared/lifecycle.ts';
import type { Clock } from '../../src/sync/storage/clock.ts';

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

/** Time that moves only when a test says so. */
export class FakeClock implements Clock {
  #now: number;
  readonly #random: () => number;
  readonly #timers = new Set<Timer>();

  /** `random` stands in for chance; by default every draw is in the middle. */
  constructor(startMs = 1_760_000_000_000, random: () => number = () => 0.5) {
    this.#now = startMs;
    this.#random = random;
  }

  /** How many timers are set. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  readonly random = (): number => this.#random();

  after(delayMs: number, task: () => void): Disposable {
    const timer = { at: this.#now + delayMs, task };
    this.#timers.add(timer);
    return onDispose(() => this.#timers.delete(timer));
  }

  /** Moves time on, running every timer that becomes due, in order, at its own time. */
  advance(byMs: number): void {
    const end = this.#now + byMs;
    for (let next = this.#next(); next && next.at <= end; next = this.#next()) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
    }
    this.#now = end;
  }

  /** Moves time on to the next timer and runs it; false when there is none. */
  advanceToNext(): boolean {
    const next = this.#next();
    if (!next) return false;
    this.advance(Math.max(0, next.at - this.#now));
    return true;
  }

  /** Sets the clock back or forth without running anything, as a person or the system may. */
  jump(byMs: number): void {
    this.#now += byMs;
  }

  #next(): Timer | undefined {
    return [...this.#timers].sort((a, b) => a.at - b.at)[0];
  }
}
