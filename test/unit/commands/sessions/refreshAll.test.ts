import { expect, it } from 'vitest';
import { refreshAll } from '../../../../src/commands/sessions/refreshAll.ts';

const keys = Array.from({ length: 50 }, (_, place) => ({ origin: 'https://service.test', sessionId: `s${place}` }));

it('reads every session once, in order, and never more than eight at once', async () => {
  const read: string[] = [];
  let underWay = 0;
  let most = 0;
  await refreshAll(keys, async ({ sessionId }) => {
    read.push(sessionId);
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
  });
  expect(read).toEqual(keys.map(({ sessionId }) => sessionId));
  expect(most).toBe(8);
});

it('reads no more once nobody waits for it', async () => {
  let count = 0;
  const refresh = () => {
    count++;
    return Promise.resolve();
  };
  await refreshAll(keys, refresh, () => count >= 10);
  expect(count).toBe(10);
});
