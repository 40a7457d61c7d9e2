const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A time for which a message can be scheduled, in Unix ms. */
interface SendPreset {
  readonly kind: 'inOneHour' | 'thisEvening' | 'tomorrowMorning';
  readonly at: number;
}

/** The suggested times that are after `now` (Unix ms), earliest first, in this machine's time zone. */
export function sendPresets(now: number): readonly SendPreset[] {
  const presets: readonly SendPreset[] = [
    { kind: 'inOneHour', at: now + hourMs },
    { kind: 'thisEvening', at: localTime(now, 0, 18).getTime() },
    { kind: 'tomorrowMorning', at: localTime(now, 1, 9).getTime() },
  ];
  return presets.filter(({ at }) => at > now).sort((a, b) => a.at - b.at);
}

/** Why a text isn't a time in the future: it can't be read, it is in the past, or the clocks skip it on that day. */
type BadTime = 'unreadable' | 'past' | 'skipped';

/**
 * Reads a time that the user entered, in this machine's time zone: `18:30` (today, or tomorrow if it has passed),
 * `2026-11-24 09:00`, `30m`, or `2h`. `now` is in Unix ms. Returns Unix ms, or why the text isn't a time in the future.
 */
export function parseSendTime(text: string, now: number): number | BadTime {
  const [, count, unit] = /^(\d{1,4})\s*([mh])$/i.exec(text.trim()) ?? [];
  if (count !== undefined)
    return futureTime(now + Number(count) * (unit?.toLowerCase() === 'h' ? hourMs : minuteMs), now);
  const clock = /^(?:(\d{4}-\d{1,2}-\d{1,2})\s+)?([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (!clock) return 'unreadable';
  const [hours, minutes] = [Number(clock[2]), Number(clock[3])];
  const [year = 0, month = 0, day = 0] = clock[1]?.split('-').map(Number) ?? [];
  const date =
    clock[1] === undefined
      ? nextTime(now, hours, minutes)
      : firstAfter(now, new Date(year, month - 1, day, hours, minutes));
  // A `Date` turns days and times that don't exist into others.
  if (clock[1] !== undefined && (date.getMonth() !== month - 1 || date.getDate() !== day)) return 'unreadable';
  if (date.getHours() !== hours || date.getMinutes() !== minutes) return 'skipped';
  return futureTime(date.getTime(), now);
}

/** The next time with these hours and minutes: today or tomorrow. */
function nextTime(now: number, hours: number, minutes: number): Date {
  const today = firstAfter(now, localTime(now, 0, hours, minutes));
  return today.getTime() > now ? today : localTime(now, 1, hours, minutes);
}

/** The time itself, or its repetition after the clocks are set back, if only the repetition is after `now`. */
function firstAfter(now: number, date: Date): Date {
  if (date.getTime() > now) return date;
  const later = new Date(date.getTime() + 3 * hourMs);
  const again = new Date(date.getTime() + (later.getTimezoneOffset() - date.getTimezoneOffset()) * minuteMs);
  const isSameTime = again.getHours() === date.getHours() && again.getMinutes() === date.getMinutes();
  return isSameTime ? again : date;
}

function futureTime(at: number, now: number): number | BadTime {
  return at > now ? at : 'past';
}

function localTime(now: number, days: number, hours: number, minutes = 0): Date {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, hours, minutes);
}
