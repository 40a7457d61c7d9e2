import type { PageSetup } from '../shared/protocol/pageModel.ts';
import type { PageStrings } from '../shared/protocol/pageStrings.ts';
import { byteSize } from '../shared/text.ts';

/** The page's strings, and formats for times and numbers, in the user's language. */
export interface Strings {
  /** The string, with `{0}`, `{1}`, and so on replaced by the values as plain text. */
  get(key: keyof PageStrings, ...values: readonly (string | number)[]): string;
  /** Formats a time in Unix ms as hours, minutes, and seconds, or as date, hours, and minutes if it isn't today. */
  clock(timeMs: number): string;
  /** Formats hours and minutes, with the date if it isn't today. */
  moment(timeMs: number): string;
  /** Formats hours and minutes. */
  time(timeMs: number): string;
  /** Formats a count with the separators of the language. */
  number(count: number): string;
  /** Formats a day as "today", "yesterday", or the date. */
  day(timeMs: number): string;
  /** Formats the full date and time. */
  full(timeMs: number): string;
  /** Formats a size in bytes as the host does: `412 KB`. */
  size(sizeBytes: number): string;
}

/** Creates the strings and formats from the host's setup. An unknown language falls back to that of the browser. */
export function createStrings(setup: PageSetup): Strings {
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
    get: (key, ...values) => fill(setup.words[key], values),
    day,
    number: (count) => numbers.format(count),
    clock: (timeMs) => formatTime(isDaysAgo(timeMs, 0) ? clock : shortDate, timeMs),
    moment: (timeMs) => formatTime(isDaysAgo(timeMs, 0) ? shortTime : shortDate, timeMs),
    time: (timeMs) => formatTime(shortTime, timeMs),
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

/** A date format in this language, or in the browser's own if it doesn't support this one. */
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

/** Formats a time. Returns an empty string if the service sent a time outside the range of dates. */
function formatTime(format: Intl.DateTimeFormat, timeMs: number): string {
  return Number.isFinite(timeMs) && Math.abs(timeMs) <= 8.64e15 ? format.format(timeMs) : '';
}

function isDaysAgo(timeMs: number, days: number): boolean {
  const day = new Date();
  day.setDate(day.getDate() - days);
  return new Date(timeMs).toDateString() === day.toDateString();
}
