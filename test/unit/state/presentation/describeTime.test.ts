import { afterEach, describe, expect, it } from 'vitest';
import { describeAge, describeAsOf } from '../../../../src/state/presentation/describeTime.ts';
import { ageSection, dayStarts } from '../../../../src/state/sessions/ages.ts';
import { t } from '../samples.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('ages', () => {
  it.each([
    [-5_000, 'now'],
    [0, 'now'],
    [59_999, 'now'],
    [60_000, '1 min'],
    [59 * 60_000, '59 min'],
    [hourMs, '1 hr'],
    [2 * hourMs - 1, '1 hr'],
    [23 * hourMs, '23 hrs'],
    [dayMs, '1 day'],
    [2 * dayMs, '2 days'],
    [400 * dayMs, '400 days'],
  ])('of %i ms are "%s"', (ageMs, words) => expect(describeAge(1e12 - ageMs, 1e12, t)).toBe(words));

  it.each([
    [59_999, 'updated just now'],
    [120_000, 'as of 2 min ago'],
  ])('of a state from %i ms ago are "%s"', (ageMs, words) => expect(describeAsOf(1e12 - ageMs, 1e12, t)).toBe(words));
});

describe('sections by calendar day', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  const at = (year: number, month: number, day: number, hour = 0, minute = 0) =>
    new Date(year, month, day, hour, minute).getTime();

  it('change at midnight, not after 24 hours', () => {
    const now = at(2026, 4, 20, 0, 5);
    const days = dayStarts(now);
    expect(ageSection(at(2026, 4, 20, 0, 0), days)).toBe('today');
    expect(ageSection(at(2026, 4, 20, 0, 0) - 1, days)).toBe('yesterday');
    expect(ageSection(at(2026, 4, 19, 0, 0), days)).toBe('yesterday');
    expect(ageSection(at(2026, 4, 19, 0, 0) - 1, days)).toBe('lastWeek');
    expect(ageSection(at(2026, 4, 13, 0, 0), days)).toBe('lastWeek');
    expect(ageSection(at(2026, 4, 13, 0, 0) - 1, days)).toBe('older');
    expect(ageSection(now + dayMs, days)).toBe('today');
  });

  it.each([
    ['a day of 23 hours', 'Europe/Berlin', [2026, 2, 30]],
    ['a day of 25 hours', 'Europe/Berlin', [2026, 9, 26]],
    ['a midnight that does not exist', 'Africa/Cairo', [2026, 3, 25]],
  ] as const)('are correct for %s', (_what, timeZone, [year, month, day]) => {
    process.env['TZ'] = timeZone;
    for (let later = 0; later < 9; later++) {
      const today = day + later;
      for (const hour of [0, 1, 3, 12, 23]) {
        const starts = dayStarts(at(year, month, today, hour, 30));
        const sectionOfDay = (days: number, ...time: [number, number]) =>
          ageSection(at(year, month, today - days, ...time), starts);
        expect(sectionOfDay(1, 0, 0)).toBe('yesterday');
        expect(sectionOfDay(1, 23, 59)).toBe('yesterday');
        expect(sectionOfDay(2, 23, 59)).toBe('lastWeek');
        expect(sectionOfDay(7, 1, 0)).toBe('lastWeek');
        expect(sectionOfDay(8, 23, 59)).toBe('older');
      }
    }
  });
});
