/** The plural forms of a template, by the category of their number. `other` is also the form of unlisted categories. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
  /** Whether the forms are English because the display language has no translation of them. */
  readonly isUntranslated?: boolean;
};

/**
 * Formats numbers, times, and lists, and selects plural forms. Times and numbers follow the display language of VS
 * Code. Lists and plural forms follow the language of the sentences, which is English if there is no translation.
 */
export class Formats {
  readonly #locale: string | undefined;
  /** The language of the sentences, as a BCP 47 tag. */
  readonly language: string;
  readonly #numbers = new Map<string, Intl.NumberFormat>();
  readonly #dates = new Map<string, Intl.DateTimeFormat>();
  #lists: Intl.ListFormat | undefined;
  #plurals: Intl.PluralRules | undefined;

  /** An invalid `locale` falls back to the language of the system, and an invalid `language` to English. */
  constructor(locale: string, language = locale) {
    this.#locale = known(locale);
    this.language = known(language) ?? 'en';
  }

  /**
   * Replaces `{0}` to `{9}` with the values, and formats those that are numbers. The first number selects the plural
   * form. Placeholders without a value remain.
   */
  fill(template: string | PluralForms, values: readonly (string | number)[]): string {
    return this.#formOf(template, values).replace(/\{(\d)\}/g, (whole, place: string) => {
      const value = values[Number(place)] ?? whole;
      return typeof value === 'string' ? value : this.number(value);
    });
  }

  /** Formats a number with the separators of the display language, for example `1,200`. */
  number(value: number, options: Intl.NumberFormatOptions = exact): string {
    // Creating the first formatter of a window is slow, and small integers don't need one.
    if (options === exact && Number.isInteger(value) && Math.abs(value) < 1_000) return String(value);
    const name = Object.entries(options).join();
    const format = this.#numbers.get(name) ?? new Intl.NumberFormat(this.#locale, options);
    this.#numbers.set(name, format);
    return format.format(value);
  }

  /** Formats a number in compact form, for example `1.2M`. */
  compact(value: number): string {
    return this.number(value, { notation: 'compact', maximumFractionDigits: 1 });
  }

  /** Formats a size: `900 B`, `1.2 KB`, `3.4 MB`. 1 KB is 1,000 bytes. */
  size(sizeBytes: number): string {
    if (sizeBytes < 1_000) return `${sizeBytes} B`;
    // A size that would be rounded to 1,000 KB is shown as 1.0 MB.
    const [value, unit] = sizeBytes < 999_500 ? [sizeBytes / 1_000, 'KB'] : [sizeBytes / 1_000_000, 'MB'];
    const digits = value < 99.95 ? 1 : 0;
    return `${this.number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
  }

  /**
   * Formats a time in Unix ms. Returns an empty string for a time outside the range of dates, which a service can send.
   */
  date(timeMs: number, options: Intl.DateTimeFormatOptions): string {
    return Number.isFinite(timeMs) && Math.abs(timeMs) <= 8.64e15 ? this.#dateFormat(options).format(timeMs) : '';
  }

  /** Formats the hours and minutes of a time in Unix ms, like {@link date}. */
  time(timeMs: number): string {
    return this.date(timeMs, { timeStyle: 'short' });
  }

  /** Formats the date, hours, and minutes of a time in Unix ms, like {@link date}. */
  dateTime(timeMs: number): string {
    return this.date(timeMs, dateAndTime);
  }

  /**
   * Formats a range of times in Unix ms, with their dates. Common parts appear once.
   * @throws RangeError if a time is outside the range of dates.
   */
  timeRange(fromMs: number, toMs: number): string {
    return this.#dateFormat(dateAndTime).formatRange(fromMs, toMs);
  }

  /** Formats a list: `a, b, c` in English, `a, b und c` in German. */
  list(items: readonly string[]): string {
    this.#lists ??= new Intl.ListFormat(this.language, { style: 'narrow' });
    return this.#lists.format(items);
  }

  #formOf(template: string | PluralForms, values: readonly (string | number)[]): string {
    if (typeof template === 'string') return template;
    const count = values.find((value) => typeof value === 'number');
    if (count === undefined) return template.other;
    if (template.isUntranslated === true) return (count === 1 ? template.one : undefined) ?? template.other;
    this.#plurals ??= new Intl.PluralRules(this.language);
    return template[this.#plurals.select(count)] ?? template.other;
  }

  #dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const name = Object.entries(options).join();
    const format = this.#dates.get(name) ?? new Intl.DateTimeFormat(this.#locale, options);
    this.#dates.set(name, format);
    return format;
  }
}

const exact = { maximumFractionDigits: 4 } as const;
const dateAndTime = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** The language tag in canonical form; undefined if it is invalid. */
function known(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}
