import { describe, expect, it } from 'vitest';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { createDirectTransport } from '../../../../src/api/transport/directTransport.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { HistoryLoader } from '../../../../src/sync/history/historyLoader.ts';
import type { SavedHistory } from '../../../../src/sync/cache/sessionCache.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { CacheWindow } from '../cache/cacheRig.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';
import { ApiError } from '../../../../src/api/errors.ts';
import { call, demoServices } from '../../demoService/client.ts';
import {
  CountedApi,
  key,
  lastCursors,
  LocalService,
  never,
  numbered,
  orders,
  Reader,
  served,
  withLists,
} from './historyRig.ts';

const start = demoServices();
const habits = orders.flatMap((order) =>
  lastCursors.flatMap((lastCursor) => [true, false].map((listRoles) => ({ order, lastCursor, listRoles }))),
);

/** A cache that has nothing and keeps nothing. */
const noCache = {
  readNewest: () => Promise.resolve(undefined),
  restore: () => Promise.resolve(undefined),
  saveCursor: () => undefined,
  known: () => [],
  written: () => Promise.resolve(),
};

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

describe('a list whose order was taken for the other one', () => {
  const at = 1_700_000_000_000;
  const swapped = [served('first', at - 1_000), served('second', at - 4_000)];
  const inOrder = (service: LocalService) =>
    [...service.messages].sort((a, b) => a.createdAt - b.createdAt).map(({ id }) => id);

  it.each(orders)('because of a clock that is ahead, is read completely: %s', async (order) => {
    const service = new LocalService(swapped, { order });
    const reader = new Reader();
    await reader.refresh(service.api);
    while (service.messages.length < 250) {
      service.add(10);
      await reader.refresh(service.api);
      await reader.history.loadRest(service.api, key, never);
      expect(reader.ids).toEqual(inOrder(service));
    }
    // From now on, a refresh reads only the newest page.
    service.api.takeCount();
    await reader.refresh(service.api);
    expect(service.api.takeCount()).toBe(1);
  });

  it('by an earlier window, which saved it, is read completely', async () => {
    const service = new LocalService(105);
    const earlier = new Reader();
    await earlier.readAll(service.api);
    const { nextCursor } = await service.api.listMessages(key.sessionId, { limit: 100 });
    const cursor = { order: 'oldestFirst', tailCursor: nextCursor, completeness: 'complete' } as const;
    const saved: SavedHistory = {
      cursor: { ...cursor, roleStops: [], unnamedIds: [] },
      batches: [{ arrival: 'after', headers: earlier.headers }],
    };
    const store = new Store(memoryBodies());
    store.addSession({ key, addedAt: 1 });
    const history = new HistoryLoader(store, new FakeClock(), { ...noCache, restore: () => Promise.resolve(saved) });
    service.add(20);
    await history.refresh(service.api, key, never);
    expect(store.record(key)?.headers.map(({ messageId }) => messageId)).toEqual(service.ids);
  });
});

describe('loading the messages up to a detached one', () => {
  it.each([
    [10_100, true],
    [10_101, false],
  ])('ends after 100 pages (%i messages: %s)', async (size, isReached) => {
    const service = new LocalService(size);
    const reader = new Reader();
    await reader.refresh(service.api);
    await reader.history.fetchMessage(service.api, key, 'm0', never);
    service.api.takeCount();
    await reader.history.backfill(service.api, key, 'm0', never);
    expect(reader.headers[0]).toMatchObject(isReached ? { messageId: 'm0' } : { messageId: 'm0', isDetached: true });
    expect(reader.headers[0]?.isDetached).toBe(isReached ? undefined : true);
    expect(reader.ids).toHaveLength(size);
    expect(reader.state).toMatchObject({ completeness: isReached ? 'complete' : 'partial', isLoading: false });
  });

  it('counts the page at which it starts over after the service rejected a cursor', async () => {
    const service = new LocalService(10_300);
    const reader = new Reader();
    await reader.refresh(service.api);
    await reader.history.fetchMessage(service.api, key, 'm0', never);
    service.api.takeCount();
    service.api.before = () => {
      if (service.api.calls.length === 1) throw new ApiError('status', '410', { sent: 'maybe', status: 410 });
    };
    await reader.history.backfill(service.api, key, 'm0', never);
    expect(reader.headers[0]).toMatchObject({ messageId: 'm0', isDetached: true });
    expect(reader.ids).toHaveLength(10_201);
  });

  it('cancels the page that was requested ahead when the message has no gap anymore', async () => {
    const service = new LocalService(3_000);
    const reader = new Reader();
    await reader.refresh(service.api);
    await reader.history.fetchMessage(service.api, key, 'm1950', never);
    const signals: (AbortSignal | undefined)[] = [];
    const api = withLists(service.api, (sessionId, options = {}) => {
      signals.push(options.signal);
      return service.api.listMessages(sessionId, options);
    });
    await reader.history.backfill(api, key, 'm1950', never);
    expect(reader.ids[0]).toBe('m1900');
    expect(signals).toHaveLength(11);
    expect(signals.at(-1)?.aborted).toBe(true);
  });

  it('does not resume the load of a list that starts with the oldest message and that the user stopped', async () => {
    const service = new LocalService(3_050, { order: 'asc' });
    const reader = new Reader();
    service.api.before = () => {
      if (service.api.calls.length === 2) reader.history.stop(key);
    };
    await reader.refresh(service.api);
    service.api.before = undefined;
    expect(reader.state.isTailSkipped).toBe(true);
    await reader.history.fetchMessage(service.api, key, 'm450', never);
    await reader.history.backfill(service.api, key, 'm450', never);
    const loaded = reader.ids;
    expect(loaded).toContain('m450');
    expect(loaded.length).toBeLessThan(3_050);
    await reader.refresh(service.api);
    expect(reader.ids).toEqual(loaded);
    expect(reader.state).toMatchObject({ completeness: 'partial', isLoading: false, isTailSkipped: true });
  });

  it('requests nothing if the message has no gap', async () => {
    const service = new LocalService(250);
    const reader = new Reader();
    await reader.refresh(service.api);
    service.api.takeCount();
    await reader.history.backfill(service.api, key, 'm200', never);
    expect(service.api.takeCount()).toBe(0);
  });
});

describe('cached messages', () => {
  it('are restored before a message or the prompts are requested', async () => {
    const { path, remove } = await temporaryFolder();
    const service = new LocalService(30);
    const first = await CacheWindow.open(path);
    await first.refresh(service.api);
    await first.close();
    const second = await CacheWindow.open(path);
    service.api.takeCount();
    expect(await second.history.fetchMessage(service.api, key, 'm5', never)).toBe(true);
    expect(service.api.takeCount()).toBe(0);
    expect(second.ids).toEqual(service.ids);
    await second.close();
    const third = await CacheWindow.open(path);
    await third.history.listPrompts(service.api, key, never, () => undefined);
    expect(third.ids).toEqual(service.ids);
    await third.close();
    await remove();
  });

  it('are read again if the newest one may have been read from an older copy before the window closed', async () => {
    const { path, remove } = await temporaryFolder();
    const service = new LocalService(30);
    const first = await CacheWindow.open(path);
    const state = { status: 'idle', messageCount: 30, updatedAt: first.clock.now() };
    await first.history.refresh(service.api, key, never, state);
    expect(first.history.mayBeStale(key)).toBe(true);
    await first.close();
    const second = await CacheWindow.open(path);
    await second.history.restore(key);
    expect(second.history.isReadAt(key, state)).toBe(true);
    expect(second.history.mayBeStale(key)).toBe(true);
    service.revise('m29', 'grown');
    await second.history.refreshNewest(service.api, key, never);
    expect(await second.texts(['m29'])).toEqual(['grown']);
    second.clock.advance(600_000);
    await second.history.refreshNewest(service.api, key, never);
    expect(second.history.mayBeStale(key)).toBe(false);
    await second.close();
    await remove();
  });

  it('don’t get a place from a session that left the list during a read', async () => {
    const service = new LocalService(30);
    const store = new Store(memoryBodies());
    store.addSession({ key, addedAt: 1 });
    let saved = 0;
    const cache = { ...noCache, saveCursor: () => void saved++ };
    const history = new HistoryLoader(store, new FakeClock(), cache);
    service.api.before = () => {
      store.removeSession(key);
      store.addSession({ key, addedAt: 2 });
    };
    await history.refresh(service.api, key, never);
    expect(saved).toBe(0);
    service.api.before = undefined;
    await history.refresh(service.api, key, never);
    expect(saved).toBeGreaterThan(0);
  });
});

describe('the messages that the session counts and the list lacks', () => {
  const stateAt = (messageCount: number, updatedAt: number) => ({ status: 'idle', messageCount, updatedAt });

  it('are counted from the first reading on if the list was read completely', async () => {
    const service = new LocalService(5);
    const reader = new Reader();
    await reader.history.refresh(service.api, key, never, stateAt(7, reader.clock.now()));
    expect(reader.state).toMatchObject({ completeness: 'complete', missingCount: 2 });
    expect(reader.history.retryMs(key)).toBe(1_000);
    expect(reader.history.isReadAt(key, stateAt(7, reader.clock.now()))).toBe(false);
  });

  it('are not counted at the first reading of a part of the list', async () => {
    const service = new LocalService(250);
    const reader = new Reader();
    await reader.history.refresh(service.api, key, never, stateAt(260, reader.clock.now()));
    expect(reader.state).not.toHaveProperty('missingCount');
    await reader.history.refresh(service.api, key, never, stateAt(263, reader.clock.now() + 1));
    expect(reader.state.missingCount).toBe(3);
    service.add(3);
    await reader.history.refresh(service.api, key, never, stateAt(263, reader.clock.now() + 1));
    expect(reader.state).not.toHaveProperty('missingCount');
  });

  it.each(orders)('are looked for in older pages after three readings of the newest one, %s', async (order) => {
    const service = new LocalService(150, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    service.add(250);
    let isHidden = true;
    const { api } = service;
    const hiding = withLists(api, async (...given) => {
      const page = await api.listMessages(...given);
      const messages = page.messages.filter(({ id }) => !isHidden || id !== service.ids[160]);
      return { ...page, messages, listed: messages };
    });
    const read = () => reader.history.refresh(hiding, key, never, stateAt(400, reader.clock.now()));
    for (let reading = 1; reading <= 3; reading++) await read();
    expect(reader.state.missingCount).toBe(1);
    isHidden = false;
    service.api.takeCount();
    await read();
    // The newest page, and then the pages that the last cursors lead to or, without cursors, all pages.
    expect(service.api.takeCount()).toBe(order === 'asc' ? 4 : 5);
    expect(reader.ids).toEqual(service.ids);
    expect(reader.state).not.toHaveProperty('missingCount');
  });
});

it.each(orders)(
  'messages of the same time that were missing between others get their order from the list, %s',
  async (order) => {
    const messages = numbered(200);
    const { createdAt } = messages[100]!;
    const service = new LocalService(messages.with(101, { ...messages[101]!, createdAt }), { order });
    const reader = new Reader();
    let isHidden = true;
    const hiding = withLists(service.api, async (...given) => {
      const page = await service.api.listMessages(...given);
      const messages = page.messages.filter(({ id }) => !isHidden || (id !== 'm100' && id !== 'm101'));
      return { ...page, messages, listed: messages };
    });
    await reader.readAll(hiding);
    const state = { status: 'idle', messageCount: 200, updatedAt: reader.clock.now() };
    for (let reading = 1; reading <= 3; reading++) await reader.history.refresh(hiding, key, never, state);
    expect(reader.state.missingCount).toBe(2);
    isHidden = false;
    await reader.history.refresh(hiding, key, never, state);
    expect(reader.ids).toEqual(service.ids);
  },
);

it('changes nothing in the store if nothing has changed', async () => {
  const service = new LocalService(30);
  const reader = new Reader();
  const state = { status: 'idle', messageCount: 30, updatedAt: 1 };
  await reader.history.refresh(service.api, key, never, state);
  await reader.history.refresh(service.api, key, never, state);
  const before = reader.store.record(key);
  await reader.history.refresh(service.api, key, never, state);
  expect(reader.store.record(key)).toBe(before);
});
