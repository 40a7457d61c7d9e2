import type { Disposable } from './lifecycle.ts';

/** A task that runs once for all requests within a delay. */
export class DelayedTask implements Disposable {
  readonly #delayMs: number;
  readonly #run: () => void;
  #pauseEndsAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, run: () => void) {
    this.#delayMs = delayMs;
    this.#run = run;
  }

  /** Runs the task after the delay and the pause, unless it was requested before. */
  request(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#run();
      },
      Math.max(this.#delayMs, this.#pauseEndsAtMs - performance.now()),
    );
  }

  /** Delays the task by at least `pauseMs` if it is requested from now on. */
  pause(pauseMs: number): void {
    this.#pauseEndsAtMs = performance.now() + pauseMs;
  }

  /** Cancels the request. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
