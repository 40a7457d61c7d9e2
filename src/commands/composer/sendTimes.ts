const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A time for which a message can be scheduled, in Unix ms. */
export interface SendPreset {
  readonly kind: 'inOneHour' | 'thisEvening' | 'tomorrowMorning';
  readonly at: number;
}

/** The suggested times that are after `now` (Unix ms), earliest first, in this machine's time zone. */
export function sendPresets(now: number): readonly SendPreset[] {
  const presets: readonly SendPreset[] = [
    { kind: 'inOneHour', at: now + hourMs },
    { kind: 'thisEvening', at: localTime(now, 0, 18) },
    { kind: 'tomorrowMorning', at: localTime(now, 1, 9) },
  ];
  return presets.filter(({ at }) => at > now).sort((a, b) => a.at - b.at);
}

/** Why a text isn't a time in the future: it can't be read, it is in the past, or the clocks skip it on that day. */
export type BadTime = 'unreadable' | 'past' | 'skipped';

/**
 * Reads a time that the user entered, in this machine's time zone: `18:30` (today, or tomorrow if it has passed),
 * `2026-11-24 09:00`, `30m`, or `2h`. Returns Unix ms.
 */
export function parseSendTime(text: string, now: number): number | BadTime {
  const typed = text.trim();
  const [, count, unit] = /^(\d{1,4})\s*([mh])$/i.exec(typed) ?? [];
  if (count !== undefined) return relativeTime(Number(count), unit?.toLowerCase() === 'h' ? hourMs : minuteMs, now);
  const [, date, hours = '', minutes = ''] = /^(?:(\d{4}-\d{1,2}-\d{1,2})\s+)?(\d{1,2}):(\d{2})$/.exec(typed) ?? [];
  if (minutes === '') return 'unreadable';
  if (date !== undefined) return futureTime(timeOn(date.split('-').map(Number), Number(hours), Number(minutes)), now);
  const today = new Date(now);
  const timeIn = (days: number) => {
    const day = [today.getFullYear(), today.getMonth() + 1, today.getDate() + days];
    return timeOn(day, Number(hours), Number(minutes), days > 0);
  };
  const at = timeIn(0);
  return typeof at === 'number' && at <= now ? timeIn(1) : at;
}

function relativeTime(count: number, unitMs: number, now: number): number | BadTime {
  return count === 0 ? 'past' : now + count * unitMs;
}

function futureTime(at: number | BadTime, now: number): number | BadTime {
  return typeof at === 'number' && at <= now ? 'past' : at;
}

/**
 * The time on a calendar day. A `Date` replaces what doesn't exist, so its parts are compared with the given ones.
 * `rollsOver` allows a day after the end of the month.
 */
function timeOn(
  [year = 0, month = 0, day = 0]: readonly number[],
  hours: number,
  minutes: number,
  rollsOver = false,
): number | BadTime {
  if (hours > 23 || minutes > 59) return 'unreadable';
  const date = new Date(year, month - 1, day, hours, minutes);
  if (!rollsOver && (date.getMonth() !== month - 1 || date.getDate() !== day)) return 'unreadable';
  return date.getHours() === hours && date.getMinutes() === minutes ? date.getTime() : 'skipped';
}

function localTime(now: number, days: number, hours: number): number {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, hours).getTime();
}
