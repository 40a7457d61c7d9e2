import type { Disposable } from '../../shared/lifecycle.ts';
import { Timer } from '../dom/timers.ts';
import type { SessionChannel } from '../sessionChannel.ts';

/** Maximum number of bodies requested in one message. */
const batchSize = 200;
const batchDelayMs = 16;
/** Delay after which an unanswered request may be repeated. */
const retryMs = 10_000;

/**
 * Requests the bodies of mounted rows, and that of the current prompt, from the host in batches. While a body hasn't
 * arrived, another call of `request` repeats its request, after 10 s at the earliest.
 */
export class RowRequester implements Disposable {
  readonly #channel: SessionChannel;
  readonly #timer = new Timer();
  readonly #requestedAt = new Map<string, number>();
  #waiting = new Set<string>();

  constructor(channel: SessionChannel) {
    this.#channel = channel;
  }

  request(key: string): void {
    const requestedAt = this.#requestedAt.get(key);
    if (requestedAt !== undefined && performance.now() - requestedAt < retryMs) return;
    this.#waiting.add(key);
    if (!this.#timer.isSet) this.#timer.set(batchDelayMs, () => this.#send());
  }

  /** Drops the request for a row that is no longer mounted, if the request hasn't been sent yet. */
  cancel(key: string): void {
    this.#waiting.delete(key);
  }

  received(keys: readonly string[]): void {
    for (const key of keys) {
      this.#waiting.delete(key);
      this.#requestedAt.delete(key);
    }
  }

  clear(): void {
    this.#timer.dispose();
    this.#waiting.clear();
    this.#requestedAt.clear();
  }

  dispose(): void {
    this.clear();
  }

  #send(): void {
    const keys = [...this.#waiting];
    this.#waiting = new Set();
    const now = performance.now();
    for (const key of keys) this.#requestedAt.set(key, now);
    for (let from = 0; from < keys.length; from += batchSize) {
      this.#channel.post({ type: 'wantRows', keys: keys.slice(from, from + batchSize) });
    }
  }
}
