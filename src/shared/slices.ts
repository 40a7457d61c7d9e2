/** The time after which work pauses. Including the step that exceeds it, a slice takes less than 15 ms (R50). */
const sliceMs = 4;

/** Work that can pause wherever it yields. Pauses don't change its result. */
export type PausableWork<T> = Generator<unknown, T>;

/**
 * Runs work in slices of a few milliseconds, so that the host can do other work in between. The work can pause at each
 * of its `yield`s. Only for the host, because the page has no `setImmediate`. Resolves to the result of the work, or to
 * undefined if `isOver` returned true after a pause.
 */
export function inSlices<T>(work: Iterator<unknown, T>): Promise<T>;
export function inSlices<T>(work: Iterator<unknown, T>, isOver: () => boolean): Promise<T | undefined>;
export async function inSlices<T>(work: Iterator<unknown, T>, isOver = () => false): Promise<T | undefined> {
  for (let end = performance.now() + sliceMs; ;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < end) continue;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (isOver()) return undefined;
    end = performance.now() + sliceMs;
  }
}

/** Tells work on a text when to pause. */
export class Pace {
  readonly #most: number;
  #done = 0;

  /** A pause is due after about `most` characters. */
  constructor(most = 8_000) {
    this.#most = most;
  }

  /** Counts a piece with this number of characters. Returns whether a pause is due. */
  isOver(length: number): boolean {
    // Reading an empty piece is work too.
    this.#done += length + 8;
    if (this.#done < this.#most) return false;
    this.#done = 0;
    return true;
  }
}

/** Runs work to its end without pauses, and returns its result. */
export function withoutPause<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
