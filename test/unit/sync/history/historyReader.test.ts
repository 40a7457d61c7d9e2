import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { defined } from '../../../../src/shared/defined.ts';
import { key, LocalService, never, orders, Reader, served, withLists } from './historyRig.ts';

/** The numbers of messages in the store, in the order in which they were reached. */
function lengthsOf(reader: Reader): number[] {
  const lengths: number[] = [];
  reader.store.onDidChange(() => {
    if (reader.ids.length > (lengths.at(-1) ?? 0)) lengths.push(reader.ids.length);
  });
  return lengths;
}

const failed = (status: number) => new ApiError('status', String(status), { sent: 'maybe', status });

describe('the pages of a long list', () => {
  it('are stored in batches of ten', async () => {
    const service = new LocalService(2_500, { order: 'asc' });
    const reader = new Reader();
    const lengths = lengthsOf(reader);
    await reader.refresh(service.api);
    expect(lengths).toEqual([1_000, 2_000, 2_500]);
  });

  it.each([
    [{ 2: 499 }, [1_000, 1_500]],
    [{ 2: 500 }, [100, 1_100, 1_500]],
    [{ 2: 499, 3: 1 }, [200, 1_200, 1_500]],
    [{ 2: 500, 3: 499 }, [100, 1_100, 1_500]],
  ])('are stored after half a second at the latest (delays of %j)', async (delaysMs, expected) => {
    const service = new LocalService(1_500, { order: 'asc' });
    const reader = new Reader();
    const lengths = lengthsOf(reader);
    const delays = new Map(Object.entries(delaysMs));
    service.api.before = () => reader.clock.advance(delays.get(String(service.api.calls.length)) ?? 0);
    await reader.refresh(service.api);
    expect(lengths).toEqual(expected);
  });

  it.each([
    [2 * 1024 * 1024, [200, 400, 500]],
    [2 * 1024 * 1024 - 1, [300, 500]],
    [4 * 1024 * 1024, [100, 200, 300, 400, 500]],
    [undefined, [500]],
  ])('are stored as soon as they have 4 MiB (%i bytes each)', async (sizeBytes, expected) => {
    const { api } = new LocalService(500, { order: 'asc' });
    const reader = new Reader();
    const lengths = lengthsOf(reader);
    await reader.refresh(withLists(api, async (...given) => ({ ...(await api.listMessages(...given)), sizeBytes })));
    expect(lengths).toEqual(expected);
  });

  it('are stored as soon as they have 4 MiB, even if the size of some is unknown', async () => {
    const sizes = [undefined, 4 * 1024 * 1024 - 1, undefined, 1, 1];
    const { api } = new LocalService(500, { order: 'asc' });
    const reader = new Reader();
    const lengths = lengthsOf(reader);
    await reader.refresh(
      withLists(api, async (...given) => ({
        ...(await api.listMessages(...given)),
        ...defined({ sizeBytes: sizes.shift() }),
      })),
    );
    expect(lengths).toEqual([400, 500]);
  });

  it('are stored up to the one that failed', async () => {
    const service = new LocalService(950, { order: 'asc' });
    const reader = new Reader();
    service.api.before = () => {
      if (service.api.calls.length === 4) throw failed(503);
    };
    await expect(reader.refresh(service.api)).rejects.toMatchObject({ status: 503 });
    expect(reader.ids).toEqual(service.ids.slice(0, 300));
  });

  it.each([
    [10_000, 1, true],
    [10_001, 1, false],
    [10_002, 5_001, true],
    [10_003, 5_001, false],
  ])('may have %i messages if the session counts %i: %s', async (size, messageCount, isRead) => {
    const service = new LocalService(size, { order: 'asc' });
    const reader = new Reader();
    const session = { sessionId: key.sessionId, status: 'idle', messageCount, createdAt: 1, updatedAt: 1 } as const;
    reader.store.takeSession(key, session, 1, 1);
    const read = reader.refresh(service.api);
    if (isRead) await expect(read).resolves.toBeUndefined();
    else await expect(read).rejects.toMatchObject({ kind: 'wrongShape' });
    expect(reader.state.completeness).toBe(isRead ? 'complete' : 'partial');
  });
});

describe('a failure that doesn’t concern the cursor', () => {
  it.each(orders)('ends the read without starting over, %s', async (order) => {
    const service = new LocalService(250, { order });
    const reader = new Reader();
    await reader.refresh(service.api);
    service.api.takeCount();
    service.api.before = () => {
      throw failed(503);
    };
    await expect(reader.refresh(service.api)).rejects.toMatchObject({ status: 503 });
    expect(service.api.takeCount()).toBe(1);
    if (order === 'asc') return;
    await expect(reader.loadOlder(service.api)).rejects.toMatchObject({ status: 503 });
    expect(service.api.takeCount()).toBe(1);
  });

  it('is reported if the service rejects even the start of the list', async () => {
    const service = new LocalService(250);
    const reader = new Reader();
    service.api.before = () => {
      throw failed(404);
    };
    await expect(reader.refresh(service.api)).rejects.toMatchObject({ status: 404 });
    expect(service.api.takeCount()).toBe(1);
  });
});

describe('a list that starts with the newest message', () => {
  it('is complete if it was read to its end without a known message', async () => {
    const reader = new Reader();
    await reader.refresh(new LocalService(250).api);
    expect(reader.state.completeness).toBe('partial');
    const known = reader.ids;
    const later = Array.from({ length: 150 }, (_, place) => served(`n${place}`, 1_800_000_000_000 + place));
    const service = new LocalService(later);
    await reader.refresh(service.api);
    expect(reader.ids).toEqual([...known, ...service.ids]);
    expect(reader.state.completeness).toBe('complete');
  });

  it('is continued at messages with the time of the oldest loaded one after the service rejected the cursor', async () => {
    const messages = Array.from({ length: 350 }, (_, place) => {
      const isEqual = place >= 150 && place <= 250;
      return served(`m${place}`, 1_700_000_000_000 + (isEqual ? 200 : place) * 1_000);
    });
    const service = new LocalService(messages);
    const reader = new Reader();
    await reader.refresh(service.api);
    expect(reader.ids).toEqual(service.ids.slice(250));
    service.api.takeCount();
    service.api.before = () => {
      if (service.api.calls.length === 1) throw failed(410);
    };
    await reader.loadOlder(service.api);
    expect(service.api.takeCount()).toBe(3);
    expect(reader.ids).toEqual(service.ids.slice(150));
    expect(reader.state.completeness).toBe('partial');
  });
});

describe('a session that isn’t in the session list', () => {
  it.each(orders)('gets no messages, and reading it does no harm, %s', async (order) => {
    const service = new LocalService(250, { order, listRoles: false });
    const reader = new Reader();
    reader.store.removeSession(key);
    const { history } = reader;
    expect([history.retryMs(key), history.isReadAt(key, { status: 'idle', messageCount: 250, updatedAt: 1 })]).toEqual([
      undefined,
      false,
    ]);
    history.stop(key);
    await history.refresh(service.api, key, never, { status: 'idle', messageCount: 250, updatedAt: 1 });
    await history.refresh(service.api, key, never, { status: 'idle', messageCount: 1, updatedAt: 2 });
    await history.loadOlder(service.api, key, never);
    await history.refreshNewest(service.api, key, never);
    await history.backfill(service.api, key, 'm1', never);
    await history.listPrompts(service.api, key, never, () => undefined);
    expect(reader.store.record(key)).toBeUndefined();
  });
});
