import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseSendTime, sendPresets } from '../../../../src/commands/composer/sendTimes.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let zone: string | undefined;
beforeEach(() => {
  zone = process.env['TZ'];
  process.env['TZ'] = 'Europe/Berlin';
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const at = (text: string) => new Date(text).getTime();

describe('the suggested times', () => {
  const kinds = (now: string) => sendPresets(at(now)).map(({ kind }) => kind);

  it('are in the future, earliest first', () => {
    expect(kinds('2026-11-23T12:00')).toEqual(['inOneHour', 'thisEvening', 'tomorrowMorning']);
    expect(kinds('2026-11-23T17:30')).toEqual(['thisEvening', 'inOneHour', 'tomorrowMorning']);
    expect(kinds('2026-11-23T18:00')).toEqual(['inOneHour', 'tomorrowMorning']);
  });

  it('are local times, also on days with 23 or 25 hours and at the end of a month', () => {
    const morning = (now: string) => sendPresets(at(now)).find(({ kind }) => kind === 'tomorrowMorning')?.at;
    expect(morning('2026-03-28T12:00')).toBe(at('2026-03-29T09:00'));
    expect(morning('2026-10-24T12:00')).toBe(at('2026-10-25T09:00'));
    expect(morning('2026-12-31T12:00')).toBe(at('2027-01-01T09:00'));
  });
});

describe('a time that the user enters', () => {
  const now = () => at('2026-11-23T12:00');
  const parsed = (text: string, from = now()) => parseSendTime(text, from);

  it.each([
    ['30m', 30 * minuteMs],
    [' 2 h ', 2 * hourMs],
    ['1M', minuteMs],
  ])('can be relative: %s', (text, ms) => expect(parsed(text)).toBe(now() + ms));

  it.each([
    ['18:30', '2026-11-23T18:30'],
    ['9:05', '2026-11-24T09:05'],
    ['12:00', '2026-11-24T12:00'],
    ['2026-11-24 09:00', '2026-11-24T09:00'],
    ['2027-1-2  7:30', '2027-01-02T07:30'],
  ])('can be local: %s', (text, expected) => expect(parsed(text)).toBe(at(expected)));

  it('is tomorrow after the end of a month or year', () => {
    expect(parsed('9:00', at('2026-11-30T12:00'))).toBe(at('2026-12-01T09:00'));
    expect(parsed('9:00', at('2026-12-31T12:00'))).toBe(at('2027-01-01T09:00'));
  });

  it('counts hours by the clock on the wall when the clocks change', () => {
    expect(parsed('9:00', at('2026-03-28T22:00'))).toBe(at('2026-03-29T09:00'));
    expect(parsed('9:00', at('2026-10-24T22:00'))).toBe(at('2026-10-25T09:00'));
    expect(parsed('2026-10-25 09:00', at('2026-10-24T22:00'))).toBe(at('2026-10-24T22:00') + 12 * hourMs);
  });

  it.each(['2:45', '2026-10-25 02:45'])('can be the second one of the day the clocks are set back: %s', (text) => {
    const first = at('2026-10-25T02:45');
    expect(parsed(text, first - minuteMs)).toBe(first);
    expect(parsed(text, first)).toBe(first + hourMs);
    expect(parsed(text, first + hourMs - minuteMs)).toBe(first + hourMs);
    const tomorrow = text === '2:45' ? at('2026-10-26T02:45') : 'past';
    expect(parsed(text, first + hourMs)).toBe(tomorrow);
  });

  it.each(['2:30', '2026-03-29 02:30'])('is rejected if the clocks skip it: %s', (text) => {
    expect(parsed(text, at('2026-03-28T12:00'))).toBe('skipped');
  });

  it.each(['', 'x', '25:00', '12:60', '2026-13-01 09:00', '2026-02-30 09:00', '2026-11-24', '9', '1d', '-5m', '9:5'])(
    'is rejected if it can not be read: "%s"',
    (text) => expect(parsed(text)).toBe('unreadable'),
  );

  it.each(['2026-11-23 11:59', '2026-11-23 12:00', '0m', '2020-01-01 00:00'])(
    'is rejected if it is past: %s',
    (text) => {
      expect(parsed(text)).toBe('past');
    },
  );
});
