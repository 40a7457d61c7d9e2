import { Formats } from '../shared/formats.ts';
import type { PageSetup } from '../shared/protocol/pageModel.ts';
import type { PageStrings } from '../shared/protocol/pageStrings.ts';

/**
 * The page's strings, and formats for times and numbers, in the user's language. Times are in Unix ms. A time outside
 * the range of dates becomes an empty string.
 */
export interface Strings {
  /**
   * The string, with `{0}`, `{1}`, and so on replaced by the values as plain text. Numbers are formatted, and the first
   * one selects the plural form.
   */
  get(key: keyof PageStrings, ...values: readonly (string | number)[]): string;
  /** Formats a time as hours, minutes, and seconds, or as date, hours, and minutes if it isn't today. */
  clock(timeMs: number): string;
  /** Formats hours and minutes, with the date if it isn't today. */
  moment(timeMs: number): string;
  /** Formats hours and minutes. */
  time(timeMs: number): string;
  /** Formats a count with the separators of the display language. */
  number(count: number): string;
  /** Formats a day as "today", "yesterday", or the date. */
  day(timeMs: number): string;
  /** Formats the full date and time. */
  full(timeMs: number): string;
  /** Formats a size in bytes as the host does: `412 KB`. */
  size(sizeBytes: number): string;
}

/** Creates the strings and formats from the host's setup. */
export function createStrings({ words, locale, language }: PageSetup): Strings {
  const formats = new Formats(locale, language);
  const day = (timeMs: number) => {
    if (isDaysAgo(timeMs, 0)) return words.today;
    return isDaysAgo(timeMs, 1) ? words.yesterday : formats.date(timeMs, { dateStyle: 'full' });
  };
  return {
    get: (key, ...values) => formats.fill(words[key], values),
    day,
    number: (count) => formats.number(count),
    clock: (timeMs) => formats.date(timeMs, isDaysAgo(timeMs, 0) ? clock : shortDate),
    moment: (timeMs) => formats.date(timeMs, isDaysAgo(timeMs, 0) ? shortTime : shortDate),
    time: (timeMs) => formats.time(timeMs),
    full: (timeMs) => formats.date(timeMs, fullTime),
    size: (sizeBytes) => formats.size(sizeBytes),
  };
}

const shortTime = { hour: 'numeric', minute: '2-digit' } as const;
const clock = { ...shortTime, second: '2-digit' } as const;
const shortDate = { month: 'short', day: 'numeric', ...shortTime } as const;
/** The format of a date and time in full. */
export const fullTime = { dateStyle: 'full', timeStyle: 'medium' } as const;

function isDaysAgo(timeMs: number, days: number): boolean {
  const day = new Date();
  day.setDate(day.getDate() - days);
  return new Date(timeMs).toDateString() === day.toDateString();
}
