type AgeSection = 'today' | 'yesterday' | 'lastWeek' | 'older';

/** When calendar days started in this machine's time zone, Unix ms. */
export interface DayStarts {
  readonly today: number;
  readonly yesterday: number;
  /** Seven days before today. */
  readonly lastWeek: number;
}

/**
 * The starts of the calendar days that {@link ageSection} compares with. `now` is in Unix ms. Computing them takes
 * longer than a comparison, so compute them once for a whole list.
 */
export function dayStarts(now: number): DayStarts {
  return { today: midnight(now, 0), yesterday: midnight(now, 1), lastWeek: midnight(now, 7) };
}

/** The section of the tree for a time, in Unix ms. */
export function ageSection(at: number, { today, yesterday, lastWeek }: DayStarts): AgeSection {
  if (at >= today) return 'today';
  if (at >= yesterday) return 'yesterday';
  return at >= lastWeek ? 'lastWeek' : 'older';
}

/**
 * The start of the day that is `daysBefore` days before `now`. Computed from the date, because days can have 23 or 25
 * hours.
 */
function midnight(now: number, daysBefore: number): number {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysBefore).getTime();
}
