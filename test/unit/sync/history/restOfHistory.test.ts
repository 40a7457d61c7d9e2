import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { HistoryLoader } from '../../../../src/sync/history/historyLoader.ts';
import { Poller } from '../../../../src/sync/polling/poller.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { key, LocalService, never, orders, Reader, withLists } from './historyRig.ts';

const isList = ({ kind }: { readonly kind: string }) => kind === 'list';

/** A reader that has the first page; for a list that starts with the oldest message, loading was stopped there. */
async function withFirstPage(service: LocalService): Promise<Reader> {
  const reader = new Reader();
  service.api.before = () => {
    if (service.api.calls.filter(isList).length === 2) reader.history.stop(key);
  };
  await reader.refresh(service.api);
  service.api.before = undefined;
  service.api.takeCount();
  return reader;
}

describe.each(orders)('loading the rest of a conversation, %s', (order) => {
  it('loads all messages, each page once, and lets other tasks run between two batches', async () => {
    const service = new LocalService(3_050, { order });
    const reader = await withFirstPage(service);
    expect(reader.state.completeness).toBe('partial');
    let loadedAtRefresh = 0;
    let refreshing: Promise<void> | undefined;
    const states: string[] = [];
    service.api.before = () => {
      states.push(`${reader.state.isLoading} ${reader.state.isLongWalk}`);
      refreshing ??= reader.refreshNewest(service.api).then(() => void (loadedAtRefresh = reader.ids.length));
    };
    const rest = reader.history.loadRest(service.api, key, never);
    const same = reader.history.loadRest(service.api, key, never);
    await Promise.all([rest, same, refreshing]);
    expect(reader.ids).toEqual(service.ids);
    expect(reader.state).toMatchObject({ completeness: 'complete', isLoading: false });
    expect(reader.state).not.toHaveProperty('isLongWalk');
    expect(new Set(states)).toEqual(new Set(['true true']));
    expect(loadedAtRefresh).toBeLessThan(1_500);
    // Of the loaded pages, only the last one of a list that starts with the oldest message is read again.
    expect(service.api.calls.filter(isList)).toHaveLength(order === 'asc' ? 31 : 30);
  });

  it('remains in progress while another load ends', async () => {
    const service = new LocalService(6_050, { order });
    const reader = await withFirstPage(service);
    const near = order === 'asc' ? 'm1050' : 'm5000';
    const rest = reader.history.loadRest(service.api, key, never);
    await reader.history.fetchMessage(service.api, key, near, never);
    await reader.history.backfill(service.api, key, near, never);
    expect(reader.headers.find(({ messageId }) => messageId === near)?.isDetached).toBeUndefined();
    expect(reader.ids.length).toBeLessThan(6_050);
    expect(reader.state).toMatchObject({ completeness: 'partial', isLoading: true, isLongWalk: true });
    await rest;
    expect(reader.state).toMatchObject({ completeness: 'complete', isLoading: false });
    expect(reader.ids).toEqual(service.ids);
  });

  it('stops when the user cancels it, cancels the pending request, and continues later', async () => {
    const service = new LocalService(950, { order });
    const reader = await withFirstPage(service);
    service.api.before = () => {
      if (service.api.calls.length === 4) reader.history.stop(key);
    };
    await reader.history.loadRest(service.api, key, never);
    expect(reader.ids.length).toBeLessThan(600);
    expect(reader.state).toMatchObject({ completeness: 'partial', isLoading: false });
    expect(reader.state.failure).toBeUndefined();
    const callsAtStop = service.api.calls.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.api.calls).toHaveLength(callsAtStop);
    service.api.before = undefined;
    await reader.history.loadRest(service.api, key, never);
    expect(reader.ids).toEqual(service.ids);
  });

  it.each(['is removed', 'is removed and added again'])('ends when the session %s', async (change) => {
    const service = new LocalService(3_050, { order });
    const reader = await withFirstPage(service);
    let queued: Promise<void> | undefined;
    service.api.before = () => {
      if (service.api.calls.length !== 4) return;
      queued = reader.refresh(service.api);
      reader.store.removeSession(key);
      if (change !== 'is removed') reader.store.addSession({ key, addedAt: 2 });
    };
    await reader.history.loadRest(service.api, key, never);
    await queued;
    expect(service.api.calls).toHaveLength(4);
    expect(reader.store.record(key)?.headers ?? []).toEqual([]);
    service.api.before = undefined;
    reader.store.addSession({ key, addedAt: 3 });
    await reader.readAll(service.api);
    expect(reader.ids).toEqual(service.ids);
  });

  it('reports a failed page, keeps the pages before it, and starts again where it failed', async () => {
    const service = new LocalService(950, { order });
    const reader = await withFirstPage(service);
    service.api.before = () => {
      if (service.api.calls.length === 4) throw new ApiError('status', '503', { sent: 'maybe', status: 503 });
    };
    await expect(reader.history.loadRest(service.api, key, never)).rejects.toMatchObject({ status: 503 });
    expect(reader.state).toMatchObject({ completeness: 'partial', isLoading: false, failure: { status: 503 } });
    expect(reader.ids.length).toBeGreaterThan(200);
    service.api.before = undefined;
    await reader.history.loadRest(service.api, key, never);
    expect(reader.ids).toEqual(service.ids);
    expect(reader.state.failure).toBeUndefined();
  });

  it('finds its place again if the service rejects a cursor', async () => {
    const service = new LocalService(950, { order });
    const reader = await withFirstPage(service);
    service.api.before = (call) => {
      const hasCursor = call.kind === 'list' && call.options.cursor !== undefined;
      if (hasCursor && service.api.calls.length === 3)
        throw new ApiError('status', '400', { sent: 'maybe', status: 400 });
    };
    await reader.history.loadRest(service.api, key, never);
    expect(reader.ids).toEqual(service.ids);
  });

  it('finds its place again if the service rejects all cursors of an earlier reading', async () => {
    const service = new LocalService(950, { order });
    const reader = await withFirstPage(service);
    const known = new Set<string | undefined>([undefined]);
    const { api } = service;
    const forgetful = withLists(api, async (sessionId, options = {}) => {
      if (!known.has(options.cursor)) throw new ApiError('status', '410', { sent: 'maybe', status: 410 });
      const page = await api.listMessages(sessionId, options);
      known.add(page.nextCursor);
      return page;
    });
    await reader.history.loadRest(forgetful, key, never);
    expect(reader.ids).toEqual(service.ids);
    expect(reader.state.completeness).toBe('complete');
  });

  it('stores ten pages at a time', async () => {
    const service = new LocalService(3_050, { order });
    const reader = await withFirstPage(service);
    const lengths: number[] = [];
    reader.store.onDidChange(() => {
      if (reader.ids.length > (lengths.at(-1) ?? 100)) lengths.push(reader.ids.length);
    });
    await reader.history.loadRest(service.api, key, never);
    expect(lengths).toEqual(order === 'asc' ? [1_000, 2_000, 3_000, 3_050] : [1_100, 2_100, 3_050]);
  });

  it('requests nothing if everything is loaded', async () => {
    const service = new LocalService(250, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    service.api.takeCount();
    await reader.history.loadRest(service.api, key, never);
    expect(service.api.takeCount()).toBe(0);
    expect(reader.state).toMatchObject({ completeness: 'complete', isLoading: false });
  });

  it('learns the roles of every page if the list has none', async () => {
    const service = new LocalService(250, { order, listRoles: false });
    const reader = await withFirstPage(service);
    await reader.history.loadRest(service.api, key, never);
    expect(reader.headers.map(({ role }) => role)).toEqual(service.messages.map(({ role }) => role));
  });

  it('requests at most one page before the earlier batches are written', async () => {
    const service = new LocalService(3_050, { order });
    const store = new Store(memoryBodies());
    store.addSession({ key, addedAt: 1 });
    let [written, mostAhead] = [0, 0];
    const cache = {
      readNewest: () => Promise.resolve(undefined),
      restore: () => Promise.resolve(undefined),
      saveCursor: () => undefined,
      known: () => [],
      written: async () => {
        // A slow disk.
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        written = store.record(key)!.headers.length;
      },
    };
    const history = new HistoryLoader(store, new FakeClock(), cache);
    service.api.before = () => void (mostAhead = Math.max(mostAhead, store.record(key)!.headers.length - written));
    await history.refresh(service.api, key, never);
    await history.loadRest(service.api, key, never);
    expect(store.record(key)!.headers).toHaveLength(3_050);
    expect(mostAhead).toBeLessThanOrEqual(1_000);
  });
});

it('refreshes the status while the first pages of a long list are read', async () => {
  const service = new LocalService(950, { order: 'asc' });
  const clock = new FakeClock();
  const store = new Store(memoryBodies());
  const history = new HistoryLoader(store, clock);
  const intervals = () => ({ runningMs: 2_000, idleMs: 30_000 });
  const poller = new Poller({ store, history, apiFor: () => service.api, intervals, clock, log: silentLog });
  store.addSession({ key, addedAt: 1 });
  store.setConnection({ kind: 'ready', service: { origin: key.origin, baseUrl: key.origin } });
  const kinds: string[] = [];
  service.api.before = ({ kind }) => {
    kinds.push(kind);
    if (kind === 'list') clock.advance(15_000);
  };
  const watching = poller.watch(key, true);
  await poller.refresh(key);
  expect(store.record(key)!.headers).toHaveLength(950);
  // Once every 30 s, plus or minus a fifth.
  const statusCount = kinds.slice(0, kinds.lastIndexOf('list')).filter((kind) => kind === 'session').length;
  expect(statusCount).toBeGreaterThanOrEqual(4);
  watching.dispose();
  poller.dispose();
});
