import type { Disposable } from '../../shared/lifecycle.ts';

/** A timer that can be set again before it fires; setting it again cancels the earlier call. */
export class Timer implements Disposable {
  #handle: ReturnType<typeof setTimeout> | undefined;

  get isSet(): boolean {
    return this.#handle !== undefined;
  }

  set(delayMs: number, run: () => void): void {
    this.dispose();
    this.#handle = setTimeout(() => {
      this.#handle = undefined;
      run();
    }, delayMs);
  }

  /** Cancels the pending call, if there is one. The timer can be set again. */
  dispose(): void {
    clearTimeout(this.#handle);
    this.#handle = undefined;
  }
}

/** Runs a task at most once per animation frame, however often it is requested. */
export class FrameTask implements Disposable {
  readonly #run: () => void;
  #handle: number | undefined;

  constructor(run: () => void) {
    this.#run = run;
  }

  request(): void {
    this.#handle ??= requestAnimationFrame(() => {
      this.#handle = undefined;
      this.#run();
    });
  }

  dispose(): void {
    if (this.#handle !== undefined) cancelAnimationFrame(this.#handle);
    this.#handle = undefined;
  }
}
