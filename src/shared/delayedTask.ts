import type { Disposable } from './lifecycle.ts';

/** A task that runs once for all requests within a delay. */
export class DelayedTask implements Disposable {
  readonly #delayMs: number;
  readonly #run: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, run: () => void) {
    this.#delayMs = delayMs;
    this.#run = run;
  }

  /** Runs the task after the delay, unless it was requested before. */
  request(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, this.#delayMs);
  }

  /** Cancels the request. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
