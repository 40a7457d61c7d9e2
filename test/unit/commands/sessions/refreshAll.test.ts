import { expect, it } from 'vitest';
import { refreshAll } from '../../../../src/commands/sessions/refreshAll.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';

const keys = Array.from({ length: 50 }, (_, index) => ({ origin: 'https://service.test', sessionId: `s${index}` }));

it('refreshes every session once, in order, at most eight at a time', async () => {
  const refreshed: string[] = [];
  let running = 0;
  let peak = 0;
  const refresh = async ({ sessionId }: SessionKey) => {
    refreshed.push(sessionId);
    peak = Math.max(peak, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  };
  await refreshAll({ refresh }, keys);
  expect(refreshed).toEqual(keys.map(({ sessionId }) => sessionId));
  expect(peak).toBe(8);
});

it('stops when canceled', async () => {
  let count = 0;
  const refresh = () => {
    count++;
    return Promise.resolve();
  };
  await refreshAll({ refresh }, keys, () => count >= 10);
  expect(count).toBe(10);
});
