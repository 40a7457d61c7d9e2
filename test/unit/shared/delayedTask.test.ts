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
    task.pause();
    for (let passedMs = 0; passedMs < 240; passedMs += 10) {
      task.request(250);
      vi.advanceTimersByTime(10);
    }
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('runs earlier for a request with a shorter pause', () => {
    const run = vi.fn();
    const task = new DelayedTask(20, run);
    task.pause();
    task.request(1_000);
    vi.advanceTimersByTime(50);
    task.request(100);
    task.request(1_000);
    vi.advanceTimersByTime(49);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1_000);
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
