import { type Disposable, onDispose } from '../../shared/lifecycle.ts';

/** Time and chance, handed in so that tests own both. */
export interface Clock {
  /** Unix ms. */
  now(): number;
  /** Runs `task` once after `delayMs`, unless disposed before. */
  after(delayMs: number, task: () => void): Disposable;
  /** Uniform in [0, 1). */
  random(): number;
}

/** The machine's own clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return onDispose(() => clearTimeout(timer));
  },
  random: () => Math.random(),
};
