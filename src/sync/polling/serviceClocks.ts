/**
 * How far the clock of each service is from ours, by its last answer that told the time; shared by all that read from and
 * send to services, gone with the window.
 */
export class ServiceClocks {
  readonly #offsetsMs = new Map<string, number>();

  /** The clock of a service minus ours, in ms; undefined while it told no time. */
  offsetMs(origin: string): number | undefined {
    return this.#offsetsMs.get(origin);
  }

  /** An answer told `serverTimeMs` (undefined: nothing) when our clock stood at `at`; both Unix ms. */
  learn(origin: string, serverTimeMs: number | undefined, at: number): void {
    if (serverTimeMs !== undefined) this.#offsetsMs.set(origin, serverTimeMs - at);
  }
}
