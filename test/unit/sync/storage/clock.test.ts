import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/sync/storage/clock.ts';

const dayMs = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([1, 1_000, 2 ** 31, 30 * dayMs, 100 * dayMs])('runs a task once after %d ms, and not before', (delayMs) => {
  const task = vi.fn();
  systemClock.after(delayMs, task);
  vi.advanceTimersByTime(delayMs - 1);
  expect(task).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1);
  vi.advanceTimersByTime(100 * dayMs);
  expect(task).toHaveBeenCalledTimes(1);
});

it('never runs a task that was disposed, even after the first part of a long delay', () => {
  const task = vi.fn();
  const timer = systemClock.after(30 * dayMs, task);
  vi.advanceTimersByTime(28 * dayMs);
  timer.dispose();
  vi.advanceTimersByTime(100 * dayMs);
  expect(task).not.toHaveBeenCalled();
});
