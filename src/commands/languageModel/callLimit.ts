/** Limits how often something may happen in any minute. */
export class CallLimit {
  readonly #perMinute: number;
  readonly #timesMs: number[] = [];

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts a call. Returns false, and counts nothing, if the limit was reached in the minute before. */
  take(): boolean {
    // Unlike the time of day, this clock can't be set back.
    const nowMs = performance.now();
    while (this.#timesMs.length > 0 && (this.#timesMs[0] ?? 0) <= nowMs - 60_000) this.#timesMs.shift();
    if (this.#timesMs.length >= this.#perMinute) return false;
    this.#timesMs.push(nowMs);
    return true;
  }
}
