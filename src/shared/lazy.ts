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
