import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../../../src/api/errors.ts';
import { backoffMs, isRetriedRead, RetryBudget } from '../../../../src/sync/connection/backoff.ts';
import { pauseMs } from '../../../../src/sync/polling/intervals.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { seededRandom } from '../polling/pollerRig.ts';

const windows = [
  [1, 1_000],
  [2, 2_000],
  [3, 4_000],
  [5, 16_000],
  [6, 30_000],
  [50, 30_000],
] as const;

describe('the pause after a failure (R24)', () => {
  it.each(windows)('after %i failures is between 0 and %i ms', (failures, windowMs) => {
    const random = seededRandom(failures);
    const draws = Array.from({ length: 10_000 }, () => backoffMs(failures, random));
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const draw of draws) {
      expect(draw).toBeGreaterThanOrEqual(0);
      expect(draw).toBeLessThan(windowMs);
      tenths[Math.floor((draw / windowMs) * 10)]! += 1;
    }
    // Each tenth has an expected count of 1,000 with a standard deviation of 30.
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it.each([...windows, [5_000, 30_000] as const])(
    'after %i failures reaches from 0 to exactly %i ms',
    (failures, windowMs) => {
      expect(backoffMs(failures, () => 0)).toBe(0);
      expect(backoffMs(failures, () => 1)).toBe(windowMs);
      expect(backoffMs(failures, () => 1, 500)).toBe(windowMs + 500);
    },
  );

  it('is never shorter than the pause that the service requested', () => {
    const random = seededRandom(7);
    for (let draw = 0; draw < 10_000; draw++) {
      const failures = 1 + (draw % 12);
      const askedMs = (draw * 37) % 300_000;
      expect(backoffMs(failures, random, askedMs)).toBeGreaterThanOrEqual(askedMs);
      expect(backoffMs(failures, random, askedMs)).toBeLessThan(askedMs + 30_000);
    }
  });
});

describe('retries of failed reads (R24)', () => {
  it.each<[ApiErrorKind, boolean]>([
    ['unreachable', true],
    ['proxy', true],
    ['deadline', true],
    ['certificate', false],
    ['cancelled', false],
    ['redirect', false],
    ['notJson', false],
    ['wrongShape', false],
    ['tooLarge', false],
    ['invalidRequest', false],
  ])('%s: %s', (kind, isRetried) => expect(isRetriedRead(new ApiError(kind, kind, { sent: 'maybe' }))).toBe(isRetried));

  it('depend on the HTTP status', () => {
    const retried = Array.from({ length: 300 }, (_, place) => place + 300).filter((status) =>
      isRetriedRead(new ApiError('status', 'x', { sent: 'maybe', status })),
    );
    expect(retried).toEqual([408, 429, 500, 502, 503, 504]);
  });
});

describe('the retry budget of a window (R25)', () => {
  const takeAll = (budget: RetryBudget) => {
    let count = 0;
    while (count < 100 && budget.take().isTaken) count += 1;
    return count;
  };

  it('has ten retries, and one more every five seconds', () => {
    const clock = new FakeClock();
    const budget = new RetryBudget(clock);
    expect(takeAll(budget)).toBe(10);
    clock.advance(12_000);
    expect(takeAll(budget)).toBe(2);
    expect(budget.take()).toEqual({ isTaken: false, waitMs: 3_000 });
    clock.advance(2_999);
    expect(budget.take()).toEqual({ isTaken: false, waitMs: 1 });
    clock.advance(1);
    expect(takeAll(budget)).toBe(1);
  });

  it('earns as much after the clock was set back', () => {
    const clock = new FakeClock();
    const budget = new RetryBudget(clock);
    expect(takeAll(budget)).toBe(10);
    clock.set(-86_400_000);
    expect(budget.take()).toEqual({ isTaken: false, waitMs: 5_000 });
    clock.advance(5_000);
    expect(takeAll(budget)).toBe(1);
  });

  it('earns nothing while it is full', () => {
    const clock = new FakeClock();
    const budget = new RetryBudget(clock);
    clock.advance(604_000);
    expect(takeAll(budget)).toBe(10);
    expect(budget.take()).toEqual({ isTaken: false, waitMs: 5_000 });
    clock.advance(4_000);
    budget.fill();
    expect(takeAll(budget)).toBe(10);
    expect(budget.take()).toEqual({ isTaken: false, waitMs: 5_000 });
  });
});

describe('the background polling interval', () => {
  it('is never shorter than the interval that the user set for the foreground', () => {
    const slow = { runningMs: 60_000, idleMs: 90_000 };
    const attention = { status: 'running', isVisible: false, isFocused: false } as const;
    expect(pauseMs(attention, slow, () => 0.5)).toBe(60_000);
    expect(pauseMs({ ...attention, isVisible: true, isFocused: true }, { ...slow, runningMs: 100 }, () => 0.5)).toBe(
      100,
    );
    expect(pauseMs(attention, { runningMs: 2_000, idleMs: 30_000 }, () => 0)).toBe(10_000);
    expect(pauseMs(attention, { runningMs: 2_000, idleMs: 30_000 }, () => 1)).toBeCloseTo(15_000);
  });
});
