import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgeClock } from '../../../../src/views/sessions/ageClock.ts';

describe('the age clock', () => {
  let steps: number[];
  let clock: AgeClock;

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    steps = [];
    clock = new AgeClock(() => steps.push(clock.timeMs));
  });
  afterEach(() => {
    clock.dispose();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('advances once a minute, and stays the same in between', () => {
    vi.advanceTimersByTime(59_999);
    expect(clock.timeMs).toBe(0);
    vi.advanceTimersByTime(120_000);
    expect(steps).toEqual([60_000, 120_000]);
    expect(clock.timeMs).toBe(120_000);
  });

  it('catches up after the computer has slept', () => {
    vi.advanceTimersByTime(60_000);
    vi.setSystemTime(8 * 3_600_000);
    expect(clock.timeMs).toBe(8 * 3_600_000);
  });
});
