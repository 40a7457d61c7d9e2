const hourMs = 3_600_000;
/** Time zone offsets are multiples of this, so days begin only at the boundaries of quarter hours. */
const quarterMs = 900_000;
/**
 * All times within this duration after midnight are certainly on the same day. Most time zones have no day with fewer
 * than 23 hours, but Antarctica/Troll has days of 22 hours, and Antarctica/Casey had days of 21.
 */
const surelyWithinMs = 20 * hourMs;

/** Assigns times to calendar days in the user's time zone. Fast for times in ascending order. */
export class CalendarDays {
  /** Undefined for this machine's time zone, for which `Date` determines the day much faster. */
  readonly #format: Intl.DateTimeFormat | undefined;
  #name = '';
  #fromMs = 0;
  #toMs = 0;

  /** @param timeZone an IANA name. If it is absent or unknown, this machine's time zone is used. */
  constructor(timeZone?: string) {
    const isOwn = timeZone === undefined || timeZone === Intl.DateTimeFormat().resolvedOptions().timeZone;
    this.#format = isOwn ? undefined : formatOf(timeZone);
  }

  /**
   * A name for the day of a time (Unix ms). Equal for times on the same day; empty for a time outside the range of
   * `Date`.
   */
  nameOf(timeMs: number): string {
    if (timeMs >= this.#fromMs && timeMs < this.#toMs) return this.#name;
    if (!(Math.abs(timeMs) <= 8.64e15)) return '';
    this.#fromMs = timeMs;
    if (this.#format) this.#readDay(timeMs, this.#format);
    else this.#readOwnDay(timeMs);
    return this.#name;
  }

  #readOwnDay(timeMs: number): void {
    const date = new Date(timeMs);
    this.#name = `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
    this.#toMs = date.setHours(24, 0, 0, 0);
  }

  #readDay(timeMs: number, format: Intl.DateTimeFormat): void {
    const parts = new Map(format.formatToParts(timeMs).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type) ?? 0);
    const sinceMs = number('hour') * hourMs + number('minute') * 60_000 + number('second') * 1_000;
    this.#name = `${number('year')}-${number('month')}-${number('day')}`;
    const quarterEndsMs = (Math.floor(timeMs / quarterMs) + 1) * quarterMs;
    this.#toMs = Math.max(quarterEndsMs, timeMs - sinceMs + surelyWithinMs);
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  const options = { ...fields, ...clock, calendar: 'gregory', numberingSystem: 'latn' } as const;
  try {
    return new Intl.DateTimeFormat('en', { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en', options);
  }
}
