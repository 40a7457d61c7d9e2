import { describe, expect, it } from 'vitest';
import { ListLag } from '../../../../src/sync/history/listLag.ts';

const minuteMs = 60_000;

describe('the lag of a list', () => {
  it('is read again with increasing delays while the same messages are missing', () => {
    const lag = new ListLag();
    const delaysMs = [];
    for (let reading = 0; reading < 9; reading++) {
      lag.settle(2, reading, 0);
      delaysMs.push(lag.retryMs);
    }
    expect(delaysMs).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 60_000, 60_000]);
    lag.settle(1, 10, 0);
    expect(lag.retryMs).toBe(1_000);
    lag.settle(0, 11, 0);
    expect(lag.retryMs).toBeUndefined();
  });

  it('is taken for the way the service counts after ten minutes, and for a session that changed long ago', () => {
    const lag = new ListLag();
    lag.settle(2, 0, 0);
    lag.settle(2, 10 * minuteMs - 1, 10 * minuteMs - 2);
    expect(lag.missingCount).toBe(2);
    lag.settle(2, 10 * minuteMs, 10 * minuteMs - 2);
    expect([lag.missingCount, lag.unlistedCount]).toEqual([0, 2]);
    lag.settle(3, 11 * minuteMs, 11 * minuteMs);
    expect(lag.missingCount).toBe(1);
    const old = new ListLag();
    old.settle(1, 60 * minuteMs, 0);
    expect([old.missingCount, old.unlistedCount]).toEqual([0, 1]);
  });

  it('is not assumed for a session whose last change was ten minutes ago', () => {
    const [fresh, old] = [new ListLag(), new ListLag()];
    fresh.settle(1, 10 * minuteMs - 1, 0);
    old.settle(1, 10 * minuteMs, 0);
    expect([fresh.missingCount, fresh.unlistedCount]).toEqual([1, 0]);
    expect([old.missingCount, old.unlistedCount]).toEqual([0, 1]);
  });

  describe('of the content', () => {
    const older = { newestAtMs: 5, changedAtMs: 6, nowMs: 10, lacksRoles: false, mayHaveGrown: true };

    it.each([older, { ...older, newestAtMs: 6, lacksRoles: true }])(
      'makes the newest message be read again up to three times: %j',
      (read) => {
        const lag = new ListLag();
        lag.noteNewest(read);
        const delaysMs = [lag.retryMs];
        for (let reading = 0; reading < 3; reading++) {
          lag.noteNewest({ ...read, mayHaveGrown: false });
          delaysMs.push(lag.retryMs);
        }
        expect(delaysMs).toEqual([1_000, 4_000, 15_000, undefined]);
        // The session changed for another reason.
        lag.noteNewest({ ...read, changedAtMs: 7, mayHaveGrown: false });
        expect(lag.mayBeStale).toBe(false);
      },
    );

    it.each([
      ['is as new as the session', { newestAtMs: 6 }, false],
      ['is missing', { newestAtMs: undefined }, false],
      ['is older than a change a minute ago', { nowMs: minuteMs }, true],
      ['is older than a change ten minutes ago', { nowMs: 10 * minuteMs + 6 }, false],
    ])('is assumed or not if the newest message %s', (_name, read, mayBeStale) => {
      const lag = new ListLag();
      lag.noteNewest({ ...older, ...read });
      expect(lag.mayBeStale).toBe(mayBeStale);
      lag.noteRunning();
      expect([lag.mayBeStale, lag.retryMs]).toEqual([false, undefined]);
    });
  });

  it('may be due to holes once the newest page was read three times in vain', () => {
    const lag = new ListLag();
    const holes = () => {
      lag.settle(2, 0, 0);
      return lag.mayHaveHoles;
    };
    expect([holes(), holes(), holes()]).toEqual([false, false, true]);
    for (let reading = 0; reading < 4; reading++) lag.settle(0, 0, 0);
    expect([lag.mayHaveHoles, lag.retryMs]).toEqual([false, undefined]);
  });

  it('is not negative if the list has more messages than the session counts', () => {
    const lag = new ListLag();
    lag.settle(-2, 0, 0);
    expect([lag.missingCount, lag.unlistedCount, lag.saved]).toEqual([0, 0, { uncountedCount: 2 }]);
  });

  it('expects messages again that were taken for unlisted ones and then listed', () => {
    const lag = new ListLag();
    lag.resume({ unlistedCount: 2 });
    lag.settle(0, 0, 0);
    expect(lag.unlistedCount).toBe(0);
    lag.settle(1, 1, 0);
    expect(lag.missingCount).toBe(1);
  });

  it('continues in another window where it was saved', () => {
    const lag = new ListLag();
    lag.resume({ unlistedCount: 1 });
    lag.settle(3, 0, 0);
    const other = new ListLag();
    other.resume(lag.saved);
    expect([other.missingCount, other.unlistedCount, other.retryMs]).toEqual([2, 1, 1_000]);
  });

  it('is zero before the first reading, and where nothing was saved', () => {
    const resumed = new ListLag();
    resumed.settle(2, 0, 0);
    resumed.resume({});
    for (const lag of [new ListLag(), resumed]) {
      expect([lag.missingCount, lag.unlistedCount, lag.uncountedCount]).toEqual([0, 0, 0]);
      expect([lag.retryMs, lag.mayHaveHoles, lag.saved]).toEqual([undefined, false, {}]);
    }
  });

  it.each([{ missingCount: 1 }, { unlistedCount: 1 }, { uncountedCount: 1 }, { mayBeStale: true }])(
    'is saved from one message on: %j',
    (saved) => {
      const lag = new ListLag();
      lag.resume(saved);
      expect(lag.saved).toEqual(saved);
    },
  );

  it('continues in another window where it was saved while the list was ahead', () => {
    const lag = new ListLag();
    lag.settle(-2, 0, 0);
    const other = new ListLag();
    other.resume(lag.saved);
    expect([other.missingCount, other.uncountedCount]).toEqual([0, 2]);
    other.settle(0, 1, 0);
    expect([other.uncountedCount, other.saved]).toEqual([0, {}]);
  });
});
