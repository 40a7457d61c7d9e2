import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { CacheWindow } from '../cache/cacheRig.ts';
import { LocalService, Reader, key, never, numbered, orders } from './historyRig.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const stateOf = (service: LocalService, updatedAt: number, status = 'idle') => ({
  status,
  messageCount: service.messages.length,
  updatedAt,
});

/** Wraps a client so that it omits the given messages from lists. */
function without(api: SessionsApi, gone: ReadonlySet<string>): SessionsApi {
  return {
    ...api,
    getMessage: (...given) => api.getMessage(...given),
    dispose: () => undefined,
    async listMessages(...given) {
      const page = await api.listMessages(...given);
      const messages = page.messages.filter(({ id }) => !gone.has(id));
      return { ...page, messages, listed: messages };
    },
  };
}

const goneIn = (reader: Reader) => reader.headers.filter(({ isGone }) => isGone).map(({ messageId }) => messageId);

describe.each(orders)('messages missing from the list, %s', (order) => {
  it('are kept and marked as gone until they are listed again', async () => {
    const service = new LocalService(450, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    const gone = new Set(['m0', 'm200', 'm449']);
    const fewer = { ...stateOf(service, 2), messageCount: 447 };
    await reader.history.refresh(without(service.api, gone), key, never, fewer);
    expect(goneIn(reader)).toEqual([...gone]);
    expect(reader.ids).toEqual(service.ids);
    expect(reader.headers.filter(({ isGone }) => isGone === undefined)).toHaveLength(447);
    service.api.takeCount();
    await reader.history.refresh(without(service.api, gone), key, never, { ...fewer, updatedAt: 3, status: 'running' });
    expect(service.api.takeCount()).toBe(1);
    await reader.history.refresh(service.api, key, never, { ...fewer, messageCount: 1, updatedAt: 4 });
    expect(goneIn(reader)).toEqual([]);
  });

  it('are not marked if only part of the history was read', async () => {
    const service = new LocalService(450, { order });
    const reader = new Reader();
    await reader.refresh(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    const before = reader.headers.length;
    await reader.history.refresh(service.api, key, never, { ...stateOf(service, 2), messageCount: 400 });
    expect(goneIn(reader)).toEqual([]);
    expect(reader.headers).toHaveLength(before);
  });

  it('are not marked outside of the first 200 pages', async () => {
    const service = new LocalService(20_100, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    const compared = order === 'asc' ? 'm0' : 'm20099';
    const api = without(service.api, new Set([compared, order === 'asc' ? 'm20050' : 'm50']));
    service.api.takeCount();
    await reader.history.refresh(api, key, never, { ...stateOf(service, 2), messageCount: 20_098 });
    expect(goneIn(reader)).toEqual([compared]);
    expect(service.api.takeCount()).toBe(201);
  });

  it('are not marked at the time of the last compared message, because the next page may list them', async () => {
    const messages = numbered(20_100);
    const [next, last] = order === 'asc' ? [20_000, 19_999] : [99, 100];
    const { createdAt } = messages[last]!;
    const service = new LocalService(messages.with(next, { ...messages[next]!, createdAt }), {
      order,
    });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    service.api.takeCount();
    await reader.history.refresh(service.api, key, never, { ...stateOf(service, 2), messageCount: 20_099 });
    expect(service.api.takeCount()).toBe(201);
    expect(goneIn(reader)).toEqual([]);
  });

  it('are marked again when more are removed', async () => {
    const service = new LocalService(150, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    const removed = ['m3', 'm70', 'm71', 'm149'];
    for (const count of [3, 4]) {
      const fewer = { ...stateOf(service, count), messageCount: 150 - count };
      await reader.history.refresh(without(service.api, new Set(removed.slice(0, count))), key, never, fewer);
    }
    expect(goneIn(reader)).toEqual(removed);
  });

  it('are marked if others were added at the same time', async () => {
    const service = new LocalService(150, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    service.add(2);
    const gone = new Set(['m3', 'm70', 'm149']);
    const fewer = { ...stateOf(service, 2), messageCount: 149 };
    await reader.history.refresh(without(service.api, gone), key, never, fewer);
    expect(goneIn(reader)).toEqual([...gone]);
    expect(reader.ids).toEqual(service.ids);
  });

  it('are not marked if more are missing than the session can have lost', async () => {
    const service = new LocalService(150, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    const fewer = { ...stateOf(service, 2), messageCount: 149 };
    await reader.history.refresh(without(service.api, new Set(['m3', 'm70'])), key, never, fewer);
    expect(goneIn(reader)).toEqual([]);
  });

  it('are not marked by a comparison that failed halfway', async () => {
    const service = new LocalService(450, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    service.api.takeCount();
    service.api.before = () => {
      if (service.api.calls.length > 3) throw new ApiError('unreachable', 'reset', { sent: 'maybe' });
    };
    const api = without(service.api, new Set(['m449', 'm3']));
    const fewer = { ...stateOf(service, 2), messageCount: 440 };
    await expect(reader.history.refresh(api, key, never, fewer)).rejects.toThrow('reset');
    expect(goneIn(reader)).toEqual([]);
    service.api.before = undefined;
    await reader.history.refresh(api, key, never, fewer);
    expect(goneIn(reader)).toEqual(['m3', 'm449']);
  });
});

describe('a changed session without new messages', () => {
  it.each([
    ['desc', 1_000],
    ['asc', 1_000],
  ] as const)(
    'is compared only in its newest pages, which finds the edit and marks no message as gone (%s)',
    async (order, place) => {
      const service = new LocalService(1_900, { order });
      const reader = new Reader();
      await reader.readAll(service.api);
      await reader.history.refresh(service.api, key, never, stateOf(service, 1));
      service.revise(`m${place}`, 'edited');
      service.api.takeCount();
      await reader.history.refresh(service.api, key, never, stateOf(service, 2));
      expect(service.api.takeCount()).toBe(11);
      expect(reader.headers[place]?.firstLine).toBe('edited');
      expect(goneIn(reader)).toEqual([]);
    },
  );

  it('is compared only as far as it is loaded, if the list starts with the newest message', async () => {
    const messages = numbered(900);
    const { createdAt } = messages[800]!;
    // Between the oldest loaded message and another one with the same time, there can be messages that aren't loaded.
    const service = new LocalService(messages.with(799, { ...messages[799]!, createdAt }));
    const reader = new Reader();
    await reader.refresh(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    service.api.takeCount();
    await reader.history.refresh(service.api, key, never, stateOf(service, 2));
    // The newest page for new messages, and two pages for the comparison.
    expect(service.api.takeCount()).toBe(3);
    expect(reader.ids).toEqual(service.ids.slice(800));
  });

  it('is compared only in its first page if all messages there have the same time', async () => {
    const service = new LocalService(numbered(250).map((message) => ({ ...message, createdAt: 1_700_000_000_000 })));
    const reader = new Reader();
    await reader.refresh(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    service.api.takeCount();
    await reader.history.refresh(service.api, key, never, stateOf(service, 2));
    expect(service.api.takeCount()).toBe(4);
    expect(goneIn(reader)).toEqual([]);
  });

  it('is compared from the start if the service rejects only the cursor of an earlier page, which is forgotten', async () => {
    const service = new LocalService(600, { order: 'asc' });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    const cursors: (string | undefined)[] = [];
    let rejectedAt: number | undefined = 2;
    service.api.before = (call) => {
      if (call.kind === 'list') cursors.push(call.options.cursor);
      if (cursors.length === rejectedAt) throw new ApiError('status', 'unknown cursor', { sent: 'maybe', status: 410 });
    };
    service.revise('m30', 'edited');
    await reader.history.refresh(service.api, key, never, stateOf(service, 2));
    expect(reader.headers[30]?.firstLine).toBe('edited');
    expect(cursors[2]).toBeUndefined();
    const tail = cursors[0];
    cursors.splice(0);
    rejectedAt = undefined;
    await reader.history.refresh(service.api, key, never, stateOf(service, 3));
    expect(cursors).toEqual([tail, tail]);
    expect(tail).toBeDefined();
  });

  it('is compared from the start if the service no longer accepts the cursors of its last pages', async () => {
    const service = new LocalService(600, { order: 'asc' });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    service.revise('m30', 'edited');
    let isForgetful = true;
    const api: SessionsApi = {
      ...without(service.api, new Set()),
      listMessages: (sessionId, options = {}) => {
        if (options.cursor === undefined) isForgetful = false;
        if (isForgetful) throw new ApiError('status', 'unknown cursor', { sent: 'maybe', status: 410 });
        return service.api.listMessages(sessionId, options);
      },
    };
    await reader.history.refresh(api, key, never, stateOf(service, 2));
    expect(reader.headers[30]?.firstLine).toBe('edited');
    expect(goneIn(reader)).toEqual([]);
  });

  it.each([
    ['asc', 503],
    ['desc', 404],
  ] as const)('is not compared again from the start after another failure (%s, %i)', async (order, status) => {
    const service = new LocalService(600, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    service.api.takeCount();
    service.api.before = () => {
      if (service.api.calls.length === 2) throw new ApiError('status', 'x', { sent: 'maybe', status });
    };
    await expect(reader.history.refresh(service.api, key, never, stateOf(service, 2))).rejects.toMatchObject({
      status,
    });
    expect(service.api.takeCount()).toBe(2);
  });

  it.each(['running', 'pending'])('is not compared while it is %s, or if only its status changed', async (status) => {
    const service = new LocalService(900, { order: 'desc' });
    const reader = new Reader();
    await reader.readAll(service.api);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    service.api.takeCount();
    await reader.history.refresh(service.api, key, never, stateOf(service, 2, status));
    await reader.history.refresh(service.api, key, never, stateOf(service, 2));
    expect(service.api.takeCount()).toBe(2);
  });
});

describe.each(orders)('a cursor that the service no longer accepts, %s', (order) => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => ({ path: folder, remove } = await temporaryFolder()));
  afterEach(() => remove());

  it.each([400, 404, 410])('restarts reading after a %i without missing messages', async (status) => {
    const service = new LocalService(420, { order });
    const first = await CacheWindow.open(folder);
    await first.refresh(service.api);
    await first.close();
    service.add(130);
    const second = await CacheWindow.open(folder);
    await second.restore();
    const known = new Set<string | undefined>([undefined]);
    const forgetful: SessionsApi = {
      ...without(service.api, new Set()),
      async listMessages(sessionId, options = {}) {
        if (!known.has(options.cursor)) throw new ApiError('status', 'unknown cursor', { sent: 'maybe', status });
        const page = await service.api.listMessages(sessionId, options);
        known.add(page.nextCursor);
        return page;
      },
    };
    await second.readAll(forgetful);
    expect(second.ids).toEqual(service.ids);
    expect(second.record.history.completeness).toBe('complete');
    await second.close();
  });
});

describe.each(orders)('a message read by its ID, %s', (order) => {
  it('is available immediately, is marked as detached, and leaves no gap', async () => {
    const service = new LocalService(650, { order });
    const reader = new Reader();
    if (order === 'desc') await reader.refresh(service.api);
    expect(await reader.history.fetchMessage(service.api, key, 'm120', never)).toBe(true);
    expect(reader.headers.find(({ messageId }) => messageId === 'm120')).toMatchObject({ isDetached: true });
    expect(await reader.body('m120')).toMatchObject({ content: [{ text: 'message m120' }] });
    service.add(120);
    await reader.refresh(service.api);
    await reader.history.backfill(service.api, key, 'm120', never);
    expect(reader.headers.find(({ messageId }) => messageId === 'm120')).not.toHaveProperty('isDetached');
    await reader.readAll(service.api);
    expect(reader.ids).toEqual(service.ids);
  });

  it('is not treated as the newest message, and is not cached until its neighbors are loaded', async () => {
    const { path, remove } = await temporaryFolder();
    const service = new LocalService(300, { order: 'desc' });
    const first = await CacheWindow.open(path);
    await first.history.fetchMessage(service.api, key, 'm299', never);
    await first.history.fetchMessage(service.api, key, 'm20', never);
    await first.refresh(service.api);
    expect(first.ids).toEqual(['m20', ...service.ids.slice(-100)]);
    await first.close();
    const second = await CacheWindow.open(path);
    await second.restore();
    expect(second.ids).toEqual(service.ids.slice(-100));
    await second.close();
    await remove();
  });

  it('stays detached when pages are compared', async () => {
    const service = new LocalService(500, { order });
    const reader = new Reader();
    await reader.refresh(service.api);
    if (order === 'asc') return;
    await reader.history.fetchMessage(service.api, key, 'm350', never);
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    await reader.history.refresh(service.api, key, never, { ...stateOf(service, 2), messageCount: 4 });
    expect(reader.headers[0]).toMatchObject({ messageId: 'm350', isDetached: true });
    await reader.readAll(service.api);
    expect(reader.ids).toEqual(service.ids);
  });

  it('is reported as missing if it does not exist', async () => {
    const service = new LocalService(3, { order });
    service.api.before = () => {
      throw new ApiError('status', '404', { sent: 'maybe', status: 404 });
    };
    expect(await new Reader().history.fetchMessage(service.api, key, 'other', never)).toBe(false);
  });
});

describe('loading stopped by the user', () => {
  it('keeps the loaded messages, is not resumed by refreshes, and continues on request', async () => {
    const service = new LocalService(900, { order: 'asc' });
    const reader = new Reader();
    service.api.before = () => {
      if (service.api.calls.length === 4) reader.history.stop(key);
    };
    await reader.history.refresh(service.api, key, never, stateOf(service, 1));
    // The fourth page was requested when the third one arrived.
    expect(reader.ids).toHaveLength(300);
    expect(reader.state).toMatchObject({ completeness: 'partial', isLoading: false, isTailSkipped: true });
    service.api.before = undefined;
    service.api.takeCount();
    await reader.history.refresh(service.api, key, never, stateOf(service, 2));
    expect(service.api.takeCount()).toBe(0);
    await reader.history.loadOlder(service.api, key, never);
    expect(reader.ids).toEqual(service.ids);
    expect(reader.state).toMatchObject({ completeness: 'complete', isLoading: false });
    expect(reader.state).not.toHaveProperty('isTailSkipped');
    // Of the pages already loaded, only the last one is read again.
    expect(service.api.takeCount()).toBe(7);
  });

  it('cancels the pending request without reporting a failure', async () => {
    const service = new LocalService(900, { order: 'asc' });
    const reader = new Reader();
    const api: SessionsApi = {
      ...without(service.api, new Set()),
      listMessages: (sessionId, options = {}) =>
        options.cursor === undefined
          ? service.api.listMessages(sessionId, options)
          : new Promise((_resolve, reject) => {
              options.signal?.addEventListener('abort', () => reject(new ApiError('cancelled', '', { sent: 'maybe' })));
              reader.history.stop(key);
            }),
    };
    await reader.history.refresh(api, key, never, stateOf(service, 1));
    expect(reader.ids).toHaveLength(100);
    expect(reader.state).toMatchObject({ completeness: 'partial', isLoading: false, isTailSkipped: true });
    expect(reader.state.failure).toBeUndefined();
  });

  it('is marked as a long walk while it loads the messages up to a detached one', async () => {
    const service = new LocalService(900, { order: 'desc' });
    const reader = new Reader();
    await reader.refresh(service.api);
    await reader.history.fetchMessage(service.api, key, 'm20', never);
    const states: boolean[] = [];
    service.api.before = () => {
      states.push(reader.state.isLongWalk === true);
      if (states.length === 3) reader.history.stop(key);
    };
    await reader.history.backfill(service.api, key, 'm20', never);
    expect(states).toEqual([true, true, true]);
    expect(reader.state).toMatchObject({ completeness: 'partial', isLoading: false });
    expect(reader.state).not.toHaveProperty('isLongWalk');
  });
});

describe('pages that exceed the size limit', () => {
  it('reduce the limit of the following requests', async () => {
    const service = new LocalService(60, { order: 'asc' });
    const limits: (number | undefined)[] = [];
    const reader = new Reader();
    await reader.refresh({
      ...without(service.api, new Set()),
      async listMessages(sessionId, options = {}) {
        limits.push(options.limit);
        const limit = Math.min(options.limit ?? 20, 25);
        const page = await service.api.listMessages(sessionId, { ...options, limit });
        return limit === options.limit ? page : { ...page, reducedLimit: limit };
      },
    });
    expect(limits).toEqual([100, 25, 25]);
    expect(reader.ids).toEqual(service.ids);
  });
});
