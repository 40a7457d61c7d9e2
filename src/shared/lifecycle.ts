/** Holds a resource such as a timer, a listener, a request, or a file. A second call of `dispose` does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Subscribes `listener` until the returned value is disposed. Compatible with `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A {@link Disposable} that calls `release` once. */
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

  /** Calls the listeners that exist when the call starts. Does nothing after `dispose`. */
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

/** Disposes its items in reverse order. An item that is added later is disposed immediately. */
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
