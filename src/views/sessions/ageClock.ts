import type { Disposable } from '../../shared/lifecycle.ts';

const stepMs = 60_000;

/**
 * The time at which rows show ages. It advances once a minute, so that VS Code draws all rows with new ages together
 * instead of each one when its session is polled.
 */
export class AgeClock implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #timeMs = Date.now();

  /** `onStep` is called each time the clock advances. */
  constructor(onStep: () => void) {
    this.#timer = setInterval(() => {
      this.#timeMs = Date.now();
      onStep();
    }, stepMs);
  }

  /** The time in Unix ms, less than two minutes ago. */
  get timeMs(): number {
    const now = Date.now();
    // The timer does not fire while the computer sleeps.
    if (now - this.#timeMs >= 2 * stepMs) this.#timeMs = now;
    return this.#timeMs;
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
