import { describe, expect, it } from 'vitest';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { createDirectTransport } from '../../../../src/api/transport/directTransport.ts';
import { call, demoServices } from '../../demoService/client.ts';
import { CountedApi, Reader, lastCursors, orders } from './historyRig.ts';

const start = demoServices();
const habits = orders.flatMap((order) =>
  lastCursors.flatMap((lastCursor) => [true, false].map((listRoles) => ({ order, lastCursor, listRoles }))),
);

/** Starts the demo service with an idle agent and a long history, and connects a real client over HTTP. */
async function open(options: Parameters<typeof start>[0]) {
  const demoService = await start({ messages: 250, agentDelayMs: 600_000, ...options });
  const sessionId = demoService.sessionIdByName.history;
  const client = createSessionsClient({
    baseUrl: demoService.baseUrl,
    key: () => demoService.token,
    transport: createDirectTransport(demoService.baseUrl),
  });
  const api = new CountedApi(client);
  const reader = new Reader({ origin: demoService.baseUrl, sessionId });
  const post = async (text: string) => (await client.addMessage(sessionId, { text })).messageId;
  /** The IDs and roles of the messages on the service, oldest first, read without the client under test. */
  const truth = async () => {
    const messages: { id: string; role: unknown }[] = [];
    for (let query = '?limit=100'; ;) {
      const { body } = await call(demoService, `/sessions/${sessionId}/messages${query}`);
      const page = body as { messages: { id: string }[]; pagination: { hasMore: boolean; nextCursor?: string } };
      for (const { id } of page.messages) {
        const single = await call(demoService, `/sessions/${sessionId}/messages/${id}`);
        messages.push({ id, role: single.body['role'] });
      }
      if (!page.pagination.hasMore) break;
      query = `?limit=100&cursor=${encodeURIComponent(page.pagination.nextCursor ?? '')}`;
    }
    return options?.order === 'asc' ? messages : messages.reverse();
  };
  return { reader, api, post, truth, dispose: () => api.dispose() };
}

describe.each(habits)(
  'reading from the embedded service: $order, last cursor $lastCursor, roles $listRoles',
  (options) => {
    it('loads every message in order with its role, including messages added while it reads (R28)', async () => {
      const { reader, api, post, truth, dispose } = await open(options);
      const posted: string[] = [];
      api.before = async ({ kind }) => {
        if (kind === 'list' && posted.length < 6) posted.push(await post(`during the walk ${posted.length}`));
      };
      await reader.readAll(api);
      await reader.refresh(api);
      const expected = await truth();
      expect(posted.length).toBeGreaterThan(2);
      expect(reader.headers.map(({ messageId, role }) => ({ id: messageId, role }))).toEqual(expected);
      expect(reader.state).toMatchObject({ completeness: 'complete', isLoading: false });
      dispose();
    });
  },
);

it("determines the service's clock offset before adding messages to the store", async () => {
  const { reader, api, dispose } = await open({ now: () => Date.now() - 3_600_000 });
  const offsets: (number | undefined)[] = [];
  reader.store.onDidChange(() => reader.headers.length > 0 && offsets.push(reader.offsetMs));
  await reader.refresh(api);
  // The HTTP Date header has a resolution of one second, and the client uses the test clock.
  const expected = Date.now() - 3_600_000 - reader.clock.now();
  expect(Math.abs((offsets[0] ?? 0) - expected)).toBeLessThan(60_000);
  dispose();
});

describe('a session that starts empty is read completely', () => {
  it.each(orders)('%s', async (order) => {
    const empty = await open({ order, messages: 0 });
    await empty.reader.refresh(empty.api);
    expect(empty.reader.ids).toEqual([]);
    expect(empty.reader.state.completeness).toBe('complete');
    const first = await empty.post('the first');
    await empty.reader.refresh(empty.api);
    expect(empty.reader.ids).toEqual([first]);
    const second = await empty.post('the second');
    await empty.reader.refresh(empty.api);
    expect(empty.reader.ids).toEqual([first, second]);
    expect(empty.reader.state.completeness).toBe('complete');
    empty.dispose();
  });
});
