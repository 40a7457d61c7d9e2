import type { Disposable } from '../../shared/lifecycle.ts';
import { Timer } from '../dom/timers.ts';

/** One message asks for at most so many bodies. */
const batchSize = 200;
const batchDelayMs = 16;
/** An ask that brought nothing may be repeated after so long. */
const askAgainMs = 10_000;

/** Asks the host for bodies of rows in view: in batches, and not twice for the same one. */
export class RowRequester implements Disposable {
  readonly #ask: (keys: string[]) => void;
  readonly #timer = new Timer();
  readonly #askedAt = new Map<string, number>();
  #waiting = new Set<string>();

  constructor(ask: (keys: string[]) => void) {
    this.#ask = ask;
  }

  want(key: string): void {
    const askedAt = this.#askedAt.get(key);
    if (askedAt !== undefined && performance.now() - askedAt < askAgainMs) return;
    this.#waiting.add(key);
    if (!this.#timer.isSet) this.#timer.set(batchDelayMs, () => this.#send());
  }

  /** The row is no longer in view: if it was not asked for yet, it need not be. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }

  arrived(keys: readonly string[]): void {
    for (const key of keys) {
      this.#waiting.delete(key);
      this.#askedAt.delete(key);
    }
  }

  clear(): void {
    this.#timer.dispose();
    this.#waiting.clear();
    this.#askedAt.clear();
  }

  dispose(): void {
    this.clear();
  }

  #send(): void {
    const keys = [...this.#waiting];
    this.#waiting = new Set();
    const now = performance.now();
    for (const key of keys) this.#askedAt.set(key, now);
    for (let from = 0; from < keys.length; from += batchSize) this.#ask(keys.slice(from, from + batchSize));
  }
}
