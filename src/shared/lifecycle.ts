/** Something that holds a timer, a listener, a request or a file, and lets go of it. Disposing twice does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Calls `listener` on every later firing until the returned handle is disposed. The same shape as the editor's. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Wraps a function as a {@link Disposable} that runs it once. */
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
 * The firing end of an {@link Event}. Listeners are called in the order they were added; one that throws does not keep
 * the others from hearing, and its error goes to `onError`.
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

  /** Tells every listener present when the call began; after dispose it does nothing. */
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

/** Owns other disposables and lets go of them in reverse order; what is added after that is disposed at once. */
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
