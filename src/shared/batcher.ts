import { SerialQueue } from './serialQueue.ts';

/**
 * Collects items that arrive in quick succession and handles them together, one batch at a time. A batch ends when no
 * item has arrived for a while.
 */
export class Batcher<T> {
  readonly #delayMs: number;
  readonly #handle: (items: readonly T[]) => Promise<void>;
  readonly #queue = new SerialQueue();
  #waiting: T[] = [];
  #batch: Promise<void> | undefined;

  /** @param delayMs the check interval: a batch ends after the first such interval without a new item. */
  constructor(delayMs: number, handle: (items: readonly T[]) => Promise<void>) {
    this.#delayMs = delayMs;
    this.#handle = handle;
  }

  /**
   * Resolves when the batch of the item has been handled. If handling it fails, rejects with the error, for every item
   * of the batch.
   */
  add(item: T): Promise<void> {
    this.#waiting.push(item);
    return (this.#batch ??= this.#queue.run(() => this.#handleWaiting()));
  }

  async #handleWaiting(): Promise<void> {
    for (let count = 0; count < this.#waiting.length;) {
      count = this.#waiting.length;
      await new Promise((resolve) => setTimeout(resolve, this.#delayMs));
    }
    const items = this.#waiting;
    this.#waiting = [];
    this.#batch = undefined;
    await this.#handle(items);
  }
}
