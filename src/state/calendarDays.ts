const hourMs = 3_600_000;
/** Clocks all over the world stand apart by multiples of this, so that no day begins in between. */
const quarterMs = 900_000;
/** Days have 23 to 25 hours: within so long of its beginning, a time surely belongs to the day. */
const surelyWithinMs = 23 * hourMs;

/** Tells which times are of one calendar day, as the person's clock has it; cheap for times that come in order. */
export class CalendarDays {
  readonly #format: Intl.DateTimeFormat;
  #name = '';
  #fromMs = 0;
  #toMs = 0;

  /** @param timeZone its IANA name; an unknown one, or none, means this machine's. */
  constructor(timeZone?: string) {
    this.#format = formatOf(timeZone);
  }

  /** A name of the day a time (Unix ms) is of; equal for equal days, and empty for what no calendar holds. */
  nameOf(timeMs: number): string {
    if (timeMs >= this.#fromMs && timeMs < this.#toMs) return this.#name;
    if (!(Math.abs(timeMs) <= 8.64e15)) return '';
    const parts = new Map(this.#format.formatToParts(timeMs).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type) ?? 0);
    const sinceMs = number('hour') * hourMs + number('minute') * 60_000 + number('second') * 1_000;
    this.#name = `${number('year')}-${number('month')}-${number('day')}`;
    this.#fromMs = timeMs;
    const quarterEndsMs = (Math.floor(timeMs / quarterMs) + 1) * quarterMs;
    this.#toMs = Math.max(quarterEndsMs, timeMs - sinceMs + surelyWithinMs);
    return this.#name;
  }
}

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  const options = { ...fields, ...clock, calendar: 'gregory', numberingSystem: 'latn' } as const;
  try {
    return new Intl.DateTimeFormat('en', { ...options, ...(timeZone === undefined ? {} : { timeZone }) });
  } catch {
    return new Intl.DateTimeFormat('en', options);
  }
}
