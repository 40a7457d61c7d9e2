import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readBranches } from '../../../../src/state/conversation/branches.ts';
import { CalendarDays } from '../../../../src/state/conversation/calendarDays.ts';
import { showConversation } from '../../../../src/state/conversation/rows.ts';
import { describeRowPlace } from '../../../../src/state/presentation/describeFilter.ts';
import { readTurns } from '../../../../src/state/store/turns.ts';
import { entryOf, headerOf, recordOf, t, viewOf } from '../samples.ts';

describe('days', () => {
  const zones = ['UTC', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu', 'America/St_Johns', 'Asia/Beirut'];

  afterEach(() => vi.unstubAllEnvs());

  it.each(zones.flatMap((zone) => [[zone, zone] as const, [zone, "the machine's own"] as const]))(
    'match the calendar of %s (time zone: %s), including clock changes',
    (timeZone, named) => {
      if (named !== timeZone) vi.stubEnv('TZ', timeZone);
      else vi.stubEnv('TZ', timeZone === 'UTC' ? 'Asia/Tokyo' : 'UTC');
      const days = named === timeZone ? new CalendarDays(timeZone) : new CalendarDays();
      const calendar = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
      const nameOf = (timeMs: number) => calendar.format(timeMs);
      const from = Date.UTC(2026, 0, 1);
      const steps = fc.array(fc.integer({ min: 0, max: 40 * 3_600_000 }), { maxLength: 400 });
      fc.assert(
        fc.property(steps, (waits) => {
          let timeMs = from;
          for (const wait of waits) {
            const before = timeMs;
            timeMs += wait;
            expect(days.nameOf(timeMs) === days.nameOf(before)).toBe(nameOf(timeMs) === nameOf(before));
          }
        }),
        { numRuns: 30 },
      );
    },
  );

  it('end on time if they are short', () => {
    const start = Date.UTC(2026, 2, 29);
    const days = new CalendarDays('Antarctica/Troll');
    const names = Array.from({ length: 24 }, (_, hour) => days.nameOf(start + hour * 3_600_000));
    expect(names.lastIndexOf('2026-3-29')).toBe(21);
    expect(names[22]).toBe('2026-3-30');
  });

  it('have no name for invalid times, and accept any time zone', () => {
    expect(new CalendarDays('Mars/Base').nameOf(Number.NaN)).toBe('');
    expect(new CalendarDays('Mars/Base').nameOf(0)).not.toBe('');
    expect(new CalendarDays().nameOf(9e15)).toBe('');
  });

  it('are marked at their first row, even if it is an outgoing message', () => {
    const at = (day: number, hour: number) => Date.UTC(2026, 4, day, hour);
    const headers = [at(1, 8), at(1, 23), at(2, 1), at(2, 2)].map((createdAt, place) =>
      headerOf(`m${place}`, { createdAt }),
    );
    const record = recordOf({ headers, outbox: [entryOf({ createdAt: at(3, 1) })] });
    const view = viewOf();
    const { rows } = showConversation(record, { ...view, days: new CalendarDays('UTC') });
    expect(rows.map(({ startsDay }) => startsDay ?? false)).toEqual([true, false, true, false, true]);
    // A row that starts a day looks different, so its version differs.
    expect(rows[2]?.version).not.toBe(showConversation(record, view).rows[2]?.version);
  });
});

describe('turns', () => {
  it('have a duration in the row that ends them, unless they took less than a second', () => {
    const took = (ms: number) => {
      const answer = headerOf('b', { role: 'assistant', createdAt: 10_000 + ms });
      const headers = [headerOf('a', { createdAt: 10_000 }), answer, headerOf('c', { createdAt: 900_000 })];
      return showConversation(recordOf({ headers }), viewOf()).rows.map((row) => describeRowPlace(row, t)?.took?.label);
    };
    expect(took(1_000)).toEqual([undefined, '1 s', undefined]);
    expect(took(999)).toEqual([undefined, undefined, undefined]);
  });

  it('last from the prompt to the last message', () => {
    const headers = [
      headerOf('a', { createdAt: 10_000 }),
      headerOf('b', { role: 'assistant', createdAt: 20_000 }),
      headerOf('c', { role: 'tool', hasText: false, toolCount: 1, createdAt: 60_000 }),
      headerOf('d', { createdAt: 900_000 }),
      headerOf('e', { role: 'assistant', createdAt: 960_000 }),
    ];
    expect([...readTurns(headers, true).tookMs]).toEqual([
      ['b', 50_000],
      ['e', 60_000],
    ]);
    expect([...readTurns(headers, false).tookMs.keys()]).toEqual(['b']);
    expect(readTurns(headers.slice(1, 3), true).tookMs.size).toBe(0);
  });
});

describe('branches', () => {
  const child = (id: string, role: 'user' | 'assistant' | 'tool' = 'assistant') =>
    headerOf(id, { role, parentId: 'p' });

  it('are messages with the same parent and role, except tool messages', () => {
    const { places } = readBranches([
      headerOf('p'),
      child('a'),
      child('t', 'tool'),
      child('u', 'tool'),
      child('b'),
      child('q', 'user'),
    ]);
    expect([...places.keys()]).toEqual(['a', 'b']);
    expect(places.get('b')).toEqual({ index: 1, messageIds: ['a', 'b'] });
  });

  it('are ignored if too many messages have the same parent', () => {
    expect(readBranches(Array.from({ length: 21 }, (_, place) => child(`c${place}`))).places.size).toBe(0);
  });

  it('link to their neighbors', () => {
    const record = recordOf({ headers: [headerOf('p'), child('a'), child('b')] });
    const rows = showConversation(record, viewOf()).rows;
    expect(rows.map((row) => describeRowPlace(row, t)?.branch)).toEqual([
      undefined,
      { label: 'Branch 1 of 2', nextId: 'b' },
      { label: 'Branch 2 of 2', previousId: 'a' },
    ]);
  });
});
