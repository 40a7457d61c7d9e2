import { type Disposable, onDispose } from '../../shared/lifecycle.ts';

/** Time and randomness, injected so that tests can control them. */
export interface Clock {
  /** Unix ms. */
  now(): number;
  /** Runs `task` once after `delayMs`, unless the returned object is disposed first. */
  after(delayMs: number, task: () => void): Disposable;
  /** Uniform in [0, 1). */
  random(): number;
}

/**
 * The time until `end` (Unix ms), in ms; 0 or less if the wait is over. A wait that would be longer than `longestMs` is
 * over too: the clock has been set back since it began.
 */
export function remainingMs(end: number, longestMs: number, now: number): number {
  const restMs = end - now;
  return restMs > longestMs ? 0 : restMs;
}

/** The end of a pause that can be extended. If the clock is set back, the pause isn't longer than it was. */
export class PauseEnd {
  #end = 0;
  #lengthMs = 0;

  /** The end at the time `now`, both Unix ms; 0 if there was no pause. At most `now` plus the length of the pause. */
  at(now: number): number {
    this.#end = Math.min(this.#end, now + this.#lengthMs);
    return this.#end;
  }

  /**
   * Moves the end to `end` if that is later than both the current end and `now`. Times are Unix ms. Returns whether the
   * end moved.
   */
  extend(end: number, now: number): boolean {
    if (end <= Math.max(now, this.at(now))) return false;
    this.#end = end;
    this.#lengthMs = end - now;
    return true;
  }
}

/** The longest delay of a Node timer, in ms. Node fires a timer with a longer delay immediately. */
const longestTimerMs = 2 ** 31 - 1;

/** The system clock. Its timers do not keep the process alive, and their delays have no limit (R43). */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    let timer: NodeJS.Timeout;
    const wait = (restMs: number) => {
      const stepMs = Math.min(restMs, longestTimerMs);
      timer = setTimeout(() => (restMs > stepMs ? wait(restMs - stepMs) : task()), stepMs);
      timer.unref();
    };
    wait(delayMs);
    return onDispose(() => clearTimeout(timer));
  },
  random: () => Math.random(),
};
