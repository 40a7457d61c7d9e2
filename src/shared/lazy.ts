/** A value that is created on first use. If creation fails, the next use tries again. */
export class Lazy<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** Resolves to the value, or rejects with the error that occurred during its creation. */
  get(): Promise<T> {
    const made = (this.#made ??= this.#make());
    made.catch(() => {
      if (this.#made === made) this.#made = undefined;
    });
    return made;
  }

  /** The promise of the value; undefined before the first use and after a failure. */
  get started(): Promise<T> | undefined {
    return this.#made;
  }
}

/**
 * Returns a function that creates a value on its first call, and returns the same value from then on. Use it for values
 * that take milliseconds to create, such as regular expressions with Unicode properties, and that often aren't needed
 * to open a conversation.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
