import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { LaggingService } from '../fakes/laggingService.ts';
import { counted, extent, keepTally, seed } from './tally.ts';

const sum = { faults: 0, typed: 0, delivered: 0, reported: 0, lost: 0, doubled: 0 };

const step = fc.record({
  added: fc.integer({ min: 0, max: 3 }),
  lagMs: fc.integer({ min: 0, max: 60_000 }),
  sessionLagMs: fc.constantFrom(0, 0, 0, 3_000),
  holeAt: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
  waitMs: fc.integer({ min: 500, max: 20_000 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs a schedule of lags and holes, and checks that shown messages stay and that all are shown in the end. */
async function run(order: 'newestFirst' | 'oldestFirst', steps: readonly Step[]): Promise<void> {
  const service = await LaggingService.open(order, 5);
  let shown: readonly string[] = service.shownIds;
  let reportedCount = 0;
  for (const { added, lagMs, sessionLagMs, holeAt, waitMs } of steps) {
    service.add(added);
    service.sessionLagMs = sessionLagMs;
    service.isListed = ({ id, createdAt }) => id !== `m${holeAt}` && createdAt <= service.clock.now() - lagMs;
    await service.pass(waitMs);
    expect(service.shownIds).toEqual(expect.arrayContaining([...shown]));
    shown = service.shownIds;
    reportedCount = Math.max(reportedCount, service.missingCount);
    sum.faults++;
  }
  service.isListed = () => true;
  service.sessionLagMs = 0;
  await service.pass(130_000);
  const counts = counted(service.shownIds);
  sum.typed += service.ids.length;
  sum.delivered += service.ids.filter((id) => counts.get(id) === 1).length;
  sum.reported += reportedCount;
  sum.lost += service.ids.filter((id) => !counts.has(id)).length;
  sum.doubled += service.ids.filter((id) => (counts.get(id) ?? 0) > 1).length;
  expect(service.shownIds).toEqual(service.ids);
  expect(service.missingCount).toBe(0);
}

afterAll(() => {
  const part = `${extent.lags.toLocaleString('en')} random schedules of lists that lag, have holes, or are older copies`;
  keepTally({ part, order: 5, ...sum });
});

it(
  `shows every message in the end, in ${extent.lags} random schedules, SEED=${seed}`,
  { timeout: 60_000 + extent.lags * 3_000 },
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('newestFirst' as const, 'oldestFirst' as const),
        fc.array(step, { minLength: 1, maxLength: 5 }),
        run,
      ),
      { numRuns: extent.lags, seed },
    ),
);
