/** Holds a resource to release, such as a timer, listener, request, or file. Calling `dispose` again has no effect. */
export interface Disposable {
  dispose(): void;
}

/** Subscribes `listener` until the returned {@link Disposable} is disposed. Compatible with `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Creates a {@link Disposable} that calls `release` when it is first disposed. */
export function onDispose(release: () => void): Disposable {
  let released = false;
  return {
    dispose() {
      if (released) return;
      released = true;
      release();
    },
  };
}

/**
 * The source of an {@link Event}. Listeners are called in the order they were added. If one throws, `onError` gets the
 * error and the others are still called.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();
  readonly #onError: (error: unknown) => void;
  #disposed = false;

  constructor(onError: (error: unknown) => void = rethrowLater) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    if (this.#disposed) return onDispose(() => undefined);
    const entry = { call: listener };
    this.#listeners.add(entry);
    return onDispose(() => this.#listeners.delete(entry));
  };

  /**
   * Calls each listener that was subscribed before the call and has not been removed since. Does nothing after
   * `dispose`.
   */
  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener.call(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#listeners.clear();
  }
}

/** Resolves when an event fires, or after `withinMs` milliseconds. */
export async function firesWithin(event: Event<unknown>, withinMs: number): Promise<void> {
  const waiting = new Disposables();
  await new Promise<void>((resolve) => {
    waiting.add(event(() => resolve()));
    const timer = setTimeout(resolve, withinMs);
    waiting.add(onDispose(() => clearTimeout(timer)));
  });
  waiting.dispose();
}

/**
 * A collection whose items are disposed together, in reverse order. An item added after `dispose` is disposed
 * immediately.
 */
export class Disposables implements Disposable {
  readonly #items: Disposable[] = [];
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    while (this.#items.length > 0) this.#items.pop()?.dispose();
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
