import { describe, expect, it, vi } from 'vitest';
import { Batcher } from '../../../src/shared/batcher.ts';
import { until } from '../../fakes/until.ts';

describe('a batcher', () => {
  it('handles items that arrive together once, in order', async () => {
    const batches: (readonly number[])[] = [];
    const batcher = new Batcher<number>(5, (items) => {
      batches.push(items);
      return Promise.resolve();
    });
    await Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)]);
    await batcher.add(4);
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  it('waits until no further item arrives, however long all of them take', async () => {
    vi.useFakeTimers();
    const batches: (readonly number[])[] = [];
    const batcher = new Batcher<number>(250, (items) => {
      batches.push(items);
      return Promise.resolve();
    });
    const added: Promise<void>[] = [];
    for (const item of [1, 2, 3, 4]) {
      added.push(batcher.add(item));
      await vi.advanceTimersByTimeAsync(200);
    }
    await vi.runAllTimersAsync();
    await Promise.all(added);
    vi.useRealTimers();
    expect(batches).toEqual([[1, 2, 3, 4]]);
  });

  it('collects items while a batch is handled, and handles them after it', async () => {
    const batches: (readonly number[])[] = [];
    let finish: () => void = () => undefined;
    const batcher = new Batcher<number>(0, (items) => {
      batches.push(items);
      return new Promise((resolve) => (finish = resolve));
    });
    const first = batcher.add(1);
    await until(() => batches.length === 1);
    const later = Array.from({ length: 20 }, (_, index) => batcher.add(index + 2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(batches).toEqual([[1]]);
    finish();
    await first;
    await until(() => batches.length === 2);
    finish();
    await Promise.all(later);
    expect(batches[1]).toHaveLength(20);
  });

  it('rejects the items of a batch that fails, and handles the next one', async () => {
    let isBroken = true;
    const batcher = new Batcher<number>(0, () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()));
    await expect(Promise.all([batcher.add(1), batcher.add(2)])).rejects.toThrow('broken');
    isBroken = false;
    await expect(batcher.add(3)).resolves.toBeUndefined();
  });
});
