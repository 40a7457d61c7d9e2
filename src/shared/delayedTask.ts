import type { Disposable } from './lifecycle.ts';

/** A task that runs once for all requests within a delay. */
export class DelayedTask implements Disposable {
  readonly #delayMs: number;
  readonly #run: () => void;
  #pausedAtMs = Number.NEGATIVE_INFINITY;
  #dueAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, run: () => void) {
    this.#delayMs = delayMs;
    this.#run = run;
  }

  /**
   * Runs the task after the delay and at least `pauseMs` after the last {@link pause}. If an earlier request is due
   * sooner, it stays as it is.
   */
  request(pauseMs = 0): void {
    const now = performance.now();
    const dueAtMs = Math.max(now + this.#delayMs, this.#pausedAtMs + pauseMs);
    if (this.#timer && this.#dueAtMs <= dueAtMs) return;
    this.dispose();
    this.#dueAtMs = dueAtMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, dueAtMs - now);
  }

  /** Later requests count their `pauseMs` from now. */
  pause(): void {
    this.#pausedAtMs = performance.now();
  }

  /** Cancels the pending request, if there is one. The task can be requested again. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
