import { expect, it } from 'vitest';
import { seedOfDay, seedsFrom, summed, type Tally } from '../../faults/tally.ts';

it('has one seed for each day, so that a failing run can be repeated on the same day', () => {
  expect(seedOfDay(new Date('2026-03-04T00:00:00Z'))).toBe(20260304);
  expect(seedOfDay(new Date('2026-03-04T23:59:59.999Z'))).toBe(20260304);
  expect(seedOfDay(new Date('2026-12-31T23:59:59Z'))).toBe(20261231);
});

it('runs several seeds, of which only the first is the seed of a day', () => {
  const seeds = seedsFrom(20261231, 3);
  expect(seeds).toHaveLength(3);
  expect(seeds[0]).toBe(20261231);
  const isDay = (seed: number) => /^20\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(String(seed));
  expect(seeds.map(isDay)).toEqual([true, false, false]);
  expect(seeds.every((seed) => seed < 2 ** 31)).toBe(true);
});

it('adds up the runs of each part, in the order of the table', () => {
  const tally = (order: number, faults: number): Tally => ({
    part: `part ${order}`,
    order,
    faults,
    typed: 10,
    scheduled: 4,
    delivered: 9,
    reported: 1,
    lost: 0,
    doubled: 0,
    early: 1,
  });
  const total = { ...tally(1, 5), typed: 20, scheduled: 8, delivered: 18, reported: 2, early: 2 };
  expect(summed([tally(2, 1), tally(1, 2), tally(1, 3)])).toEqual([total, tally(2, 1)]);
});
