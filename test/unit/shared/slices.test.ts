import { afterEach, describe, expect, it, vi } from 'vitest';
import { inSlices, Pace, withoutPause } from '../../../src/shared/slices.ts';

afterEach(() => void vi.restoreAllMocks());

/** Work of 10 steps that take 3 ms each by a mocked clock. */
function tenSteps(done: number[]): Iterator<undefined, string> {
  vi.spyOn(performance, 'now').mockImplementation(() => done.length * 3);
  return steps(done);
}

function* steps(done: number[]): Generator<undefined, string> {
  for (let step = 0; step < 10; step += 1) {
    done.push(step);
    yield;
  }
  return 'done';
}

describe('work in slices', () => {
  it('pauses after 6 ms, and continues afterwards', async () => {
    const done: number[] = [];
    const seen: number[] = [];
    const watch = () => {
      seen.push(done.length);
      if (done.length < 10) setImmediate(watch);
    };
    setImmediate(watch);
    expect(await inSlices(tenSteps(done))).toBe('done');
    expect(new Set(seen)).toEqual(new Set([2, 4, 6, 8, 10]));
  });

  it('ends at a pause if it is over', async () => {
    const done: number[] = [];
    expect(await inSlices(tenSteps(done), () => done.length > 3)).toBeUndefined();
    expect(done).toHaveLength(4);
  });

  it('can run without a pause', () => {
    const done: number[] = [];
    expect(withoutPause(tenSteps(done))).toBe('done');
    expect(done).toHaveLength(10);
  });
});

describe('the pace of work on a text', () => {
  it('calls for a pause once enough characters are done, and counts from there', () => {
    const pace = new Pace(100);
    expect([42, 42, 42, 41, 1].map((length) => pace.isOver(length))).toEqual([false, true, false, false, true]);
  });

  it('counts empty pieces', () => {
    const pace = new Pace(24);
    expect([0, 0, 0, 0].map((length) => pace.isOver(length))).toEqual([false, false, true, false]);
  });
});
