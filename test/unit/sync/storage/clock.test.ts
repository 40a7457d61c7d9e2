import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PauseEnd, remainingMs, systemClock } from '../../../../src/sync/storage/clock.ts';

const dayMs = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([1, 1_000, 2 ** 31, 30 * dayMs, 100 * dayMs])(
  'runs a task once after %d ms, and not before (R43)',
  (delayMs) => {
    const task = vi.fn();
    systemClock.after(delayMs, task);
    vi.advanceTimersByTime(delayMs - 1);
    expect(task).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(100 * dayMs);
    expect(task).toHaveBeenCalledTimes(1);
  },
);

it('never runs a task that was disposed, even after the first part of a long delay', () => {
  const task = vi.fn();
  const timer = systemClock.after(30 * dayMs, task);
  vi.advanceTimersByTime(28 * dayMs);
  timer.dispose();
  vi.advanceTimersByTime(100 * dayMs);
  expect(task).not.toHaveBeenCalled();
});

it.each([
  ['is the time until its end', 5_000, 1_000, 4_000],
  ['is negative after its end', 5_000, 6_000, -1_000],
  ['can be as long as the longest one', 70_000, 10_000, 60_000],
  ['is over if the clock was set back', 70_001, 10_000, 0],
])('the rest of a wait %s', (_, end, now, restMs) => {
  expect(remainingMs(end, 60_000, now)).toBe(restMs);
});

it('a pause is never longer from now than it was, even if the clock is set back', () => {
  const pause = new PauseEnd();
  expect(pause.at(100_000)).toBe(0);
  expect(pause.extend(130_000, 100_000)).toBe(true);
  expect([pause.extend(130_000, 100_000), pause.extend(120_000, 100_000)]).toEqual([false, false]);
  expect(pause.at(110_000)).toBe(130_000);
  expect(pause.at(50_000)).toBe(80_000);
  expect(pause.at(60_000)).toBe(80_000);
  expect(pause.extend(90_000, 60_000)).toBe(true);
  expect([pause.at(60_000), pause.at(200_000)]).toEqual([90_000, 90_000]);
  expect(pause.extend(150_000, 200_000)).toBe(false);
});
