import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DelayedTask } from '../../../src/shared/delayedTask.ts';

describe('a delayed task', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('runs once for all requests within the delay, and again for later ones', () => {
    const run = vi.fn();
    const task = new DelayedTask(20, run);
    task.request();
    vi.advanceTimersByTime(10);
    task.request();
    vi.advanceTimersByTime(10);
    expect(run).toHaveBeenCalledTimes(1);
    task.request();
    vi.advanceTimersByTime(20);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('runs when a pause is over, however many requests arrive until then', () => {
    const run = vi.fn();
    const task = new DelayedTask(20, run);
    task.pause(250);
    for (let passedMs = 0; passedMs < 240; passedMs += 10) {
      task.request();
      vi.advanceTimersByTime(10);
    }
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('does not run after dispose', () => {
    const run = vi.fn();
    const task = new DelayedTask(20, run);
    task.request();
    task.dispose();
    vi.advanceTimersByTime(100);
    expect(run).not.toHaveBeenCalled();
  });
});
