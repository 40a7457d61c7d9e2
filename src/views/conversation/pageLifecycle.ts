/**
 * The state of a page: `silent` before it loads and while it is hidden or gone, `new` until its setup is sent, `stale`
 * until its whole state is sent, then `shown`. Each load has a symbol, so that messages for an earlier load aren't
 * sent.
 */
export class PageLifecycle {
  #phase: 'silent' | 'new' | 'stale' | 'shown' = 'silent';
  #load = Symbol();
  #isPreloading = false;

  get phase(): 'silent' | 'new' | 'stale' | 'shown' {
    return this.#phase;
  }

  get load(): symbol {
    return this.#load;
  }

  /** Whether the page of a load can still receive messages. */
  receives(load: symbol): boolean {
    return load === this.#load && this.#phase !== 'silent';
  }

  /** Whether the state is being sent to a page that hasn't reported yet that it is ready. */
  get isPreloading(): boolean {
    return this.#isPreloading;
  }

  /** Starts with a page that is still loading and is assumed to have the time zone of this computer. */
  preload(): void {
    this.#begin(true);
  }

  /**
   * Call this when the page is ready. Returns true if it needs its whole state, because none was preloaded for its time
   * zone.
   */
  start(timeZone: string | undefined): boolean {
    // The time zone is read only here, because creating the first date format in this process takes 20 ms.
    const isPreloaded = this.#isPreloading && timeZone === Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (isPreloaded) this.#isPreloading = false;
    else this.#begin(false);
    return !isPreloaded;
  }

  /** Call this when the page is gone or hidden. */
  stop(): void {
    this.#phase = 'silent';
    this.#isPreloading = false;
  }

  setupSent(): void {
    this.#phase = 'stale';
  }

  stateSent(): void {
    this.#phase = 'shown';
  }

  /** Schedules the whole state to be sent again. */
  restart(): void {
    if (this.#phase === 'shown') this.#phase = 'stale';
  }

  #begin(isPreloading: boolean): void {
    this.#phase = 'new';
    this.#load = Symbol();
    this.#isPreloading = isPreloading;
  }
}
