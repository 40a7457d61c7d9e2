/**
 * Calls `handle` for all items, for at most `atOnce` of them at the same time. Resolves to the results in the order of
 * the items. Rejects with the first error. The other items are still handled, but each error reduces by one the number
 * of items that are handled at the same time: after `atOnce` errors, the remaining items aren't handled.
 */
export async function pooled<T, R>(items: readonly T[], atOnce: number, handle: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  const work = async (): Promise<void> => {
    for (const [place, item] of entries) results[place] = await handle(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return results;
}

/** Runs at most `atOnce` tasks at the same time. The others wait, and start in the order in which they were added. */
export class Limit {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Resolves or rejects as the task does. A task must not wait for another one of the same limit. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
