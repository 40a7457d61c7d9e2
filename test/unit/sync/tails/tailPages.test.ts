import { expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { readTail } from '../../../../src/sync/tails/tailPages.ts';
import { key, LocalService, never } from '../history/historyRig.ts';

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
