import { describe, expect, it } from 'vitest';
import { Lazy } from '../../../src/shared/lazy.ts';

describe('a lazy value', () => {
  it('is created once, even for concurrent requests', async () => {
    let made = 0;
    const gate = new AbortController();
    const opened = new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
    const late = new Lazy(async () => {
      made += 1;
      await opened;
      return { number: made };
    });
    expect(late.started).toBeUndefined();
    const asked = [late.get(), late.get()];
    expect(late.started).toBeDefined();
    gate.abort();
    const [first, second] = await Promise.all(asked);
    expect(second).toBe(first);
    expect(await late.get()).toBe(first);
    expect(made).toBe(1);
  });

  it('is created again after a failure, and every waiting caller gets the error', async () => {
    let tries = 0;
    const late = new Lazy(() => (++tries === 1 ? Promise.reject(new Error('not now')) : Promise.resolve(tries)));
    const asked = await Promise.allSettled([late.get(), late.get()]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(late.started).toBeUndefined();
    expect(await late.get()).toBe(2);
  });
});
