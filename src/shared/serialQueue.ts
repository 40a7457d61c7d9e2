/** Runs asynchronous tasks one at a time, in the order they were added. A task that fails does not stop later ones. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `task` after every task added before it. Resolves or rejects with the task's own result. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when every task added so far has ended; never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Maintains a separate {@link SerialQueue} for each key. A queue is removed when its last task ends. */
export class KeyedQueue<K> {
  readonly #queues = new Map<K, { readonly queue: SerialQueue; count: number }>();

  /** Runs `task` after every task added before it for the same key. Resolves or rejects with the task's own result. */
  run<T>(key: K, task: () => T | Promise<T>): Promise<T> {
    const entry = this.#queues.get(key) ?? { queue: new SerialQueue(), count: 0 };
    this.#queues.set(key, entry);
    entry.count += 1;
    return entry.queue.run(task).finally(() => {
      entry.count -= 1;
      if (entry.count === 0) this.#queues.delete(key);
    });
  }

  /** Whether a task for this key is running or waiting. */
  isBusy(key: K): boolean {
    return this.#queues.has(key);
  }

  /** Resolves when every task added so far, for any key, has ended; never rejects. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(({ queue }) => queue.idle()));
  }
}
