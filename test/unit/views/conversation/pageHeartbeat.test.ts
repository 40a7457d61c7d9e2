import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageHeartbeat } from '../../../../src/views/conversation/pageHeartbeat.ts';

describe('the heartbeat of a page', () => {
  let calls: string[];
  let answers: boolean;
  let isWatched: boolean;
  let heartbeat: PageHeartbeat;

  beforeEach(() => {
    vi.useFakeTimers();
    calls = [];
    answers = true;
    isWatched = true;
    heartbeat = new PageHeartbeat({
      isWatched: () => isWatched,
      ping: () => {
        calls.push('ping');
        if (answers) heartbeat.heard();
      },
      reload: () => calls.push('reload'),
      replace: () => calls.push('replace'),
    });
  });
  afterEach(() => {
    heartbeat.dispose();
    vi.useRealTimers();
  });

  it('does nothing before the page is ready, while it is hidden, and after dispose', () => {
    expect(vi.getTimerCount()).toBe(0);
    heartbeat.start();
    heartbeat.stop();
    expect(vi.getTimerCount()).toBe(0);
    heartbeat.start();
    heartbeat.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('neither reloads nor replaces a responsive page', () => {
    expect(heartbeat.start()).toBe(false);
    vi.advanceTimersByTime(600_000);
    expect(new Set(calls)).toEqual(new Set(['ping']));
  });

  it('rarely pings a quiet page, but soon after anything else was sent or received', () => {
    heartbeat.start();
    vi.advanceTimersByTime(60_000);
    expect(calls).toHaveLength(4);
    heartbeat.exchanged();
    answers = false;
    vi.advanceTimersByTime(16_000);
    expect(calls.slice(4)).toEqual(['ping', 'ping', 'ping', 'ping', 'reload']);
  });

  it('reloads a quiet page that stops responding within half a minute', () => {
    heartbeat.start();
    vi.advanceTimersByTime(60_000);
    answers = false;
    vi.advanceTimersByTime(28_000);
    expect(calls).toContain('reload');
  });

  it('reloads an unresponsive page once, and reports when it is back', () => {
    heartbeat.start();
    answers = false;
    vi.advanceTimersByTime(16_000);
    expect(calls).toEqual(['ping', 'ping', 'ping', 'ping', 'reload']);
    answers = true;
    expect(heartbeat.start()).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(calls.filter((call) => call !== 'ping')).toEqual(['reload']);
    expect(heartbeat.start()).toBe(false);
  });

  it('replaces the page if reloading did not help, and then stops', () => {
    heartbeat.start();
    answers = false;
    vi.advanceTimersByTime(600_000);
    expect(calls.filter((call) => call !== 'ping')).toEqual(['reload', 'replace']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not replaced while the window is in the background after the reload', () => {
    heartbeat.start();
    answers = false;
    vi.advanceTimersByTime(16_000);
    isWatched = false;
    vi.advanceTimersByTime(600_000);
    expect(calls.at(-1)).toBe('reload');
    isWatched = true;
    vi.advanceTimersByTime(8_000);
    expect(calls.at(-1)).toBe('replace');
  });

  it('tolerates missing responses if a later one arrives', () => {
    heartbeat.start();
    for (let round = 0; round < 5; round++) {
      answers = false;
      vi.advanceTimersByTime(9_000);
      answers = true;
      vi.advanceTimersByTime(3_000);
    }
    expect(new Set(calls)).toEqual(new Set(['ping']));
  });

  it('ignores the time during which the machine was asleep', () => {
    heartbeat.start();
    answers = false;
    const clock = performance.now.bind(performance);
    let asleepMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + asleepMs);
    for (let round = 0; round < 50; round++) {
      vi.advanceTimersByTime(2_999);
      // The clock advances while no timers run.
      asleepMs += 3_600_000;
      vi.advanceTimersByTime(1);
    }
    expect(calls).not.toContain('reload');
  });

  it('pauses while the page is not watched, and then starts over', () => {
    heartbeat.start();
    answers = false;
    vi.advanceTimersByTime(10_000);
    isWatched = false;
    vi.advanceTimersByTime(600_000);
    expect(calls).toEqual(['ping', 'ping', 'ping']);
    isWatched = true;
    vi.advanceTimersByTime(9_000);
    expect(calls).not.toContain('reload');
    vi.advanceTimersByTime(6_000);
    expect(calls).toContain('reload');
  });

  it('recognizes a page that replaces an unresponsive one', () => {
    heartbeat.expectReload();
    expect(heartbeat.start()).toBe(true);
  });
});
