/**
 * How far a page is: `silent` until it is there, `new` while it has no words, `stale` until it is sent what it shows as a
 * whole, then `shown`. It is counted how often it began, since what is said of an earlier page says nothing of this one.
 */
export class PageLifecycle {
  #phase: 'silent' | 'new' | 'stale' | 'shown' = 'silent';
  #count = 0;
  /** Set while a page that was sent its first state has not said that it is there: the time zone it was sent for. */
  #zoneAhead: string | undefined;

  get phase(): 'silent' | 'new' | 'stale' | 'shown' {
    return this.#phase;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the page has not said yet that it is there. */
  get isAhead(): boolean {
    return this.#zoneAhead !== undefined;
  }

  /** Begins with a page that is still being loaded. Returns the time zone to take it to be in: this machine's. */
  startAhead(): string {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    this.#begin(timeZone);
    return timeZone;
  }

  /** The page is there. Returns whether it has to be sent everything: nothing was sent ahead, or for another zone. */
  start(timeZone: string | undefined): boolean {
    const isKnown = this.#zoneAhead !== undefined && this.#zoneAhead === timeZone;
    if (isKnown) this.#zoneAhead = undefined;
    else this.#begin(undefined);
    return !isKnown;
  }

  /** The page is gone or hidden. */
  stop(): void {
    this.#phase = 'silent';
    this.#zoneAhead = undefined;
  }

  wordsAreSent(): void {
    this.#phase = 'stale';
  }

  stateIsSent(): void {
    this.#phase = 'shown';
  }

  /** What the page shows is to be sent as a whole again. */
  restart(): void {
    if (this.#phase === 'shown') this.#phase = 'stale';
  }

  #begin(zoneAhead: string | undefined): void {
    this.#phase = 'new';
    this.#count++;
    this.#zoneAhead = zoneAhead;
  }
}
