/** Something that is made when it is first asked for, once. What could not be made is tried again by the next who asks. */
export class Lazy<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** Resolves to it; rejects with what kept it from being made. */
  get(): Promise<T> {
    const made = (this.#made ??= this.#make());
    made.catch(() => {
      if (this.#made === made) this.#made = undefined;
    });
    return made;
  }

  /** What was asked for; undefined where nobody has asked. */
  get started(): Promise<T> | undefined {
    return this.#made;
  }
}
