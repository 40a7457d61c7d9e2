import { type Disposable, onDispose } from '../../shared/lifecycle.ts';

/** Time and randomness, injected so that tests can control them. */
export interface Clock {
  /** Unix ms. */
  now(): number;
  /** Runs `task` once after `delayMs` unless it is disposed first. */
  after(delayMs: number, task: () => void): Disposable;
  /** Uniform in [0, 1). */
  random(): number;
}

/** The system clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return onDispose(() => clearTimeout(timer));
  },
  random: () => Math.random(),
};
