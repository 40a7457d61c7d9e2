import { expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { readTail } from '../../../../src/sync/tails/tailPages.ts';
import { key, LocalService, never, served } from '../history/historyRig.ts';

it('the newest messages are known without the role of the newest one if it is too large to be read by its ID', async () => {
  const { api } = new LocalService(2, { listRoles: false });
  api.before = ({ kind }) => {
    if (kind === 'message') throw new ApiError('tooLarge', 'too large', { sent: 'maybe', status: 200 });
  };
  const turn = () => Promise.resolve();
  const request = { api, sessionId: key.sessionId, computerId: undefined, cursor: undefined, signal: never, turn };
  const { headers } = await readTail({ ...request, messageCount: 2, order: 'newestFirst' });
  expect(headers?.map(({ messageId, role }) => [messageId, role])).toEqual([
    ['m0', undefined],
    ['m1', undefined],
  ]);
  expect(api.calls.map(({ kind }) => kind)).toEqual(['list', 'message']);
});

const turn = () => Promise.resolve();
const requestTo = (api: LocalService['api']) => ({
  api,
  sessionId: key.sessionId,
  computerId: undefined,
  signal: never,
  turn,
});

it('the order of two messages is not taken for that of all lists of the service', async () => {
  const { api } = new LocalService([served('m0', 105), served('m1', 102)]);
  const { headers, order } = await readTail({
    ...requestTo(api),
    ...{ messageCount: 2, order: 'unknown', cursor: undefined },
  });
  expect(headers?.map(({ messageId }) => messageId)).toEqual(['m1', 'm0']);
  expect(order).toBe('unknown');
});

it('a cursor is not used if the service is known to list the newest message first', async () => {
  const { api } = new LocalService(105);
  const { nextCursor: cursor } = await api.listMessages(key.sessionId, { limit: 100 });
  const { headers, order } = await readTail({ ...requestTo(api), messageCount: 105, order: 'newestFirst', cursor });
  expect(headers?.at(-1)?.messageId).toBe('m104');
  expect(order).toBe('newestFirst');
});

it('a last page of two messages in the wrong order is still the last one', async () => {
  const messages = Array.from({ length: 600 }, (_, place) => served(`m${place}`, 1_000 + place * 10));
  const ahead = [served('ahead', 9_005), served('answer', 9_002)];
  const { api } = new LocalService([...messages, ...ahead], { order: 'asc' });
  let cursor: string | undefined;
  for (let page = 0; page < 6; page++)
    ({ nextCursor: cursor } = await api.listMessages(key.sessionId, { limit: 100, cursor }));
  const { headers } = await readTail({ ...requestTo(api), messageCount: 602, order: 'oldestFirst', cursor });
  expect(headers?.map(({ messageId }) => messageId)).toEqual(['answer', 'ahead']);
});
