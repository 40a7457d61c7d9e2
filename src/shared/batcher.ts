import { SerialQueue } from './serialQueue.ts';

/** Collects items that arrive in quick succession and handles them together, one batch at a time. */
export class Batcher<T> {
  readonly #delayMs: number;
  readonly #handle: (items: readonly T[]) => Promise<void>;
  readonly #queue = new SerialQueue();
  #waiting: T[] = [];
  #batch: Promise<void> | undefined;

  /** @param delayMs the time for which items are collected after the first one. @param handle handles a batch. */
  constructor(delayMs: number, handle: (items: readonly T[]) => Promise<void>) {
    this.#delayMs = delayMs;
    this.#handle = handle;
  }

  /** Resolves or rejects with the result of the item's batch. */
  add(item: T): Promise<void> {
    this.#waiting.push(item);
    return (this.#batch ??= this.#queue.run(() => this.#handleWaiting()));
  }

  async #handleWaiting(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#delayMs));
    const items = this.#waiting;
    this.#waiting = [];
    this.#batch = undefined;
    await this.#handle(items);
  }
}
