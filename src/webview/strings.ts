import type { PageSetup } from '../shared/protocol/pageMessages.ts';
import type { PageWord } from '../shared/protocol/pageStrings.ts';
import { byteSize } from '../shared/text.ts';

/** The page's words and times in the person's language. */
export interface Words {
  /** The word, with `{0}`, `{1}`, ... filled in as plain text. */
  say(word: PageWord, ...values: readonly (string | number)[]): string;
  /** Hours, minutes and seconds of a time in Unix ms; date, hours and minutes unless it is today. */
  clock(timeMs: number): string;
  /** Hours and minutes; with the date unless it is today. */
  moment(timeMs: number): string;
  /** A count with the separators of the language. */
  number(count: number): string;
  /** A day by its name: today, yesterday, or the date. */
  day(timeMs: number): string;
  /** Date and time in full. */
  full(timeMs: number): string;
  /** A size for people, as the host writes it: `412 KB`. */
  size(sizeBytes: number): string;
}

/** Reads the words and the language the host gave. An unknown language falls back to the browser's own. */
export function makeWords(setup: PageSetup): Words {
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(setup.locale, options);
  const clock = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const shortTime = format({ hour: '2-digit', minute: '2-digit' });
  const shortDate = format({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
  const date = format({ dateStyle: 'full' });
  const full = format({ dateStyle: 'full', timeStyle: 'medium' });
  const numbers = numberFormat(setup.locale);
  const day = (timeMs: number) => {
    if (isDaysAgo(timeMs, 0)) return setup.words.today;
    return isDaysAgo(timeMs, 1) ? setup.words.yesterday : formatTime(date, timeMs);
  };
  return {
    say: (word, ...values) => fill(setup.words[word], values),
    day,
    number: (count) => numbers.format(count),
    clock: (timeMs) => formatTime(isDaysAgo(timeMs, 0) ? clock : shortDate, timeMs),
    moment: (timeMs) => formatTime(isDaysAgo(timeMs, 0) ? shortTime : shortDate, timeMs),
    full: (timeMs) => formatTime(full, timeMs),
    size: byteSize,
  };
}

function fill(template: string, values: readonly (string | number)[]): string {
  return template.replace(/\{(\d)\}/g, (whole, digit: string) => {
    const value = values[Number(digit)];
    return value === undefined ? whole : String(value);
  });
}

/** A format in this language, or, if the browser does not know it, in its own. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, options);
  } catch {
    return new Intl.DateTimeFormat(undefined, options);
  }
}

function numberFormat(locale: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale);
  } catch {
    return new Intl.NumberFormat();
  }
}

/** A time the service made up may be outside what a date can hold; then there is nothing to show. */
function formatTime(format: Intl.DateTimeFormat, timeMs: number): string {
  return Number.isFinite(timeMs) && Math.abs(timeMs) <= 8.64e15 ? format.format(timeMs) : '';
}

function isDaysAgo(timeMs: number, days: number): boolean {
  const day = new Date();
  day.setDate(day.getDate() - days);
  return new Date(timeMs).toDateString() === day.toDateString();
}
