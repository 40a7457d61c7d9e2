import type { Disposable } from '../../shared/lifecycle.ts';

const stepMs = 60_000;

/**
 * The time from which the ages in rows are computed. It advances once a minute, so that VS Code draws all rows with new
 * ages together instead of each one when its session is polled.
 */
export class AgeClock implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #timeMs = Date.now();

  /** `onStep` is called once a minute, after the clock has advanced. */
  constructor(onStep: () => void) {
    this.#timer = setInterval(() => {
      this.#timeMs = Date.now();
      onStep();
    }, stepMs);
  }

  /** The time in Unix ms, less than two minutes old. Advances the clock if the timer is overdue. */
  get timeMs(): number {
    const now = Date.now();
    // The timer doesn't fire while the computer sleeps.
    if (now - this.#timeMs >= 2 * stepMs) this.#timeMs = now;
    return this.#timeMs;
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
