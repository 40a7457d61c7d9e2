import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Limit, pooled } from '../../../src/shared/pooled.ts';

describe('pooled calls', () => {
  it('run at the same time up to a limit, and return results in the order of the items', async () => {
    let running = 0;
    let most = 0;
    const results = await pooled([5, 1, 3, 1, 2], 2, async (item) => {
      most = Math.max(most, ++running);
      await wait(item);
      running--;
      return item * 10;
    });
    expect(results).toEqual([50, 10, 30, 10, 20]);
    expect(most).toBe(2);
  });

  it('reject with the first error', async () => {
    const failing = pooled([1, 2, 3], 2, (item) => (item === 2 ? Promise.reject(new Error('two')) : wait(1)));
    await expect(failing).rejects.toThrow('two');
  });
});

describe('a limit', () => {
  it('runs waiting tasks in their order, also after one that failed', async () => {
    const limit = new Limit(1);
    const order: string[] = [];
    const run = (name: string) =>
      limit.run(async () => {
        order.push(`${name} starts`);
        await Promise.resolve();
        order.push(`${name} ends`);
        if (name === 'a') throw new Error('failed');
        return name;
      });
    const results = await Promise.allSettled(['a', 'b', 'c'].map(run));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
    expect(await run('d')).toBe('d');
  });
});
