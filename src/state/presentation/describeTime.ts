import type { Translate } from '../../shared/text.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * A short age in the style of VS Code's own lists: "now", "5 min", "3 hrs", "2 days". `at` and `now` are in Unix ms.
 */
export function describeAge(at: number, now: number, t: Translate): string {
  const ageMs = Math.max(0, now - at);
  if (ageMs < minuteMs) return t('now');
  if (ageMs < hourMs) return t('{0} min', Math.floor(ageMs / minuteMs));
  return ageMs < dayMs
    ? t({ one: '1 hr', other: '{0} hrs' }, Math.floor(ageMs / hourMs))
    : t({ one: '1 day', other: '{0} days' }, Math.floor(ageMs / dayMs));
}

/**
 * The age of a state that is kept up to date, in parentheses after it: " (as of 5 min ago)". Empty in the first minute,
 * and if `asOf` is undefined. `asOf` and `now` are in Unix ms.
 */
export function describeDelay(asOf: number | undefined, now: number, t: Translate): string {
  return asOf === undefined || now - asOf < minuteMs ? '' : ` (${describeAsOf(asOf, now, t)})`;
}

/** The age of a state that may have changed since: "updated just now", "as of 5 min ago". Times are in Unix ms. */
export function describeAsOf(asOf: number, now: number, t: Translate): string {
  const ageMs = now - asOf;
  if (ageMs < minuteMs) return t('updated just now');
  if (ageMs < hourMs) return t('as of {0} min ago', Math.floor(ageMs / minuteMs));
  return ageMs < dayMs
    ? t({ one: 'as of 1 hr ago', other: 'as of {0} hrs ago' }, Math.floor(ageMs / hourMs))
    : t({ one: 'as of 1 day ago', other: 'as of {0} days ago' }, Math.floor(ageMs / dayMs));
}

/** The minimum duration of a turn, and of a step in its tooltip, that is worth mentioning. */
export const minSpokenMs = 1_000;

/** How long a finished turn took, and a hint with the seconds. Undefined if it took less than a second. */
export function describeTurnTime(
  tookMs: number,
  t: Translate,
): { readonly label: string; readonly hint: string } | undefined {
  if (tookMs < minSpokenMs) return undefined;
  const hint = t('{0} from the prompt to the end of the turn', describeDuration(tookMs, t));
  return { label: describeInMinutes(tookMs, t), hint };
}

/** Like {@link describeDuration}, but without the seconds of durations of a minute or more. */
export function describeInMinutes(durationMs: number, t: Translate): string {
  return describeDuration(durationMs < minuteMs ? durationMs : durationMs - (durationMs % minuteMs), t);
}

/** A duration in its two largest units: "less than 1 s", "12 s", "4 min 12 s", "2 h 5 min". */
export function describeDuration(durationMs: number, t: Translate): string {
  if (durationMs > 0 && durationMs < 1_000) return t('less than 1 s');
  const seconds = Math.max(0, Math.round(durationMs / 1_000));
  if (seconds < 60) return t('{0} s', seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? t('{0} min', minutes) : t('{0} min {1} s', minutes, seconds % 60);
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? t('{0} h', hours) : t('{0} h {1} min', hours, minutes % 60);
}
