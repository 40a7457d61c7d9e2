import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { BodyRefetcher } from '../../../../src/sync/history/bodyRefetcher.ts';
import { LocalService, Reader, key, never, withLists } from './historyRig.ts';

describe('messages with missing bodies', () => {
  let service: LocalService;
  let reader: Reader;
  let refetcher: BodyRefetcher;
  let api: SessionsApi | undefined;

  beforeEach(async () => {
    service = new LocalService(250);
    reader = new Reader();
    await reader.readAll(service.api);
    service.api.takeCount();
    api = service.api;
    const { store, clock } = reader;
    const apiFor = (origin: string) => (origin === key.origin ? api : undefined);
    refetcher = new BodyRefetcher({ store, apiFor, signal: never, clock, log: silentLog });
  });
  const kinds = () => service.api.calls.map(({ kind }) => kind);
  const textOf = async (messageId: string) => {
    const content = (await reader.body(messageId))?.content[0];
    return content?.type === 'text' ? content.text : undefined;
  };

  it('are requested one by one up to three, and page by page if there are more', async () => {
    service.revise('m1', 'again');
    expect(await refetcher.refetch(key, ['m0', 'm1', 'm2'])).toBe(3);
    expect(service.api.calls).toEqual(['m0', 'm1', 'm2'].map((messageId) => ({ kind: 'message', messageId })));
    expect(await textOf('m1')).toBe('again');
    service.api.takeCount();
    expect(await refetcher.refetch(key, ['m249', 'm248', 'm247', 'm246'])).toBe(4);
    expect(kinds()).toEqual(['list']);
  });

  it('are searched page by page only until all are found', async () => {
    service.revise('m149', 'again');
    expect(await refetcher.refetch(key, ['m249', 'm248', 'm150', 'm149'])).toBe(4);
    expect(kinds()).toEqual(['list', 'list']);
    expect(await textOf('m149')).toBe('again');
  });

  it('are not counted if the service no longer has them', async () => {
    service.api.before = (call) => {
      if (call.kind === 'message' && call.messageId === 'm1')
        throw new ApiError('status', 'gone', { sent: 'maybe', status: 404 });
    };
    expect(await refetcher.refetch(key, ['m0', 'm1'])).toBe(1);
    const removed = new LocalService(service.messages.filter(({ id }) => id !== 'm1'));
    api = removed.api;
    expect(await refetcher.refetch(key, ['m0', 'm1', 'm2', 'm3'])).toBe(3);
  });

  describe('that the service no longer has', () => {
    const gone = (ids: readonly string[], status = 404) => {
      service = new LocalService(service.messages.filter(({ id }) => !ids.includes(id)));
      service.api.before = (call) => {
        if (call.kind === 'message' && ids.includes(call.messageId))
          throw new ApiError('status', 'gone', { sent: 'maybe', status });
      };
      api = service.api;
    };

    it.each([404, 410])('are requested only once after the status %d, and do not delay others', async (status) => {
      gone(['m1'], status);
      expect(await refetcher.refetch(key, ['m0', 'm1'])).toBe(1);
      service.api.takeCount();
      expect(await refetcher.refetch(key, ['m1'])).toBe(0);
      expect(await refetcher.refetch(key, ['m1', 'm2'])).toBe(1);
      expect(service.api.calls).toEqual([{ kind: 'message', messageId: 'm2' }]);
    });

    it('are requested one by one if the list lacks them, and then no longer', async () => {
      const ids = ['m1', 'm2', 'm3', 'm4', 'm5'];
      gone(ids);
      for (const requests of [9, 0]) {
        expect(await refetcher.refetch(key, ids)).toBe(0);
        expect(service.api.takeCount()).toBe(requests);
      }
    });

    it('are loaded if only the list lacks them', async () => {
      const whole = service.api;
      gone(['m1']);
      api = withLists(whole, (...given) => service.api.listMessages(...given));
      expect(await refetcher.refetch(key, ['m0', 'm1', 'm2', 'm3'])).toBe(4);
    });

    it('are requested again if the session is unavailable only when they are requested', async () => {
      let isAvailable = false;
      service.api.before = () => {
        if (!isAvailable) throw new ApiError('status', 'gone', { sent: 'maybe', status: 404 });
      };
      expect(await refetcher.refetch(key, ['m0', 'm1'])).toBe(0);
      expect(kinds()).toEqual(['message', 'message', 'session']);
      isAvailable = true;
      reader.clock.advance(30_000);
      expect(await refetcher.refetch(key, ['m0', 'm1'])).toBe(2);
    });

    it('are requested again if the last refresh of the session failed', async () => {
      reader.store.takeFailure(key, { kind: 'status', status: 404, at: 1 });
      gone(['m1']);
      for (const requests of [1, 1]) {
        expect(await refetcher.refetch(key, ['m1'])).toBe(0);
        expect(service.api.takeCount()).toBe(requests);
      }
    });
  });

  it.each([
    new ApiError('status', 'forbidden', { sent: 'maybe', status: 403 }),
    new ApiError('status', 'too long', { sent: 'maybe', status: 414 }),
    new ApiError('invalidRequest', 'not a valid ID', { sent: 'no' }),
    new ApiError('tooLarge', 'too large', { sent: 'maybe', status: 200 }),
    new ApiError('wrongShape', 'wrong shape', { sent: 'maybe', status: 200 }),
  ])('that can’t be read are requested only once, and do not delay others: $kind $status', async (failure) => {
    service.api.before = (call) => {
      if (call.kind === 'message' && call.messageId === 'm1') throw failure;
    };
    expect(await refetcher.refetch(key, ['m0', 'm1', 'm2'])).toBe(2);
    expect(await textOf('m2')).toBe('message m2');
    service.api.takeCount();
    expect(await refetcher.refetch(key, ['m1', 'm3'])).toBe(1);
    expect(service.api.calls).toEqual([{ kind: 'message', messageId: 'm3' }]);
  });

  it('do not bring new messages into the conversation', async () => {
    service.add(5);
    expect(await refetcher.refetch(key, ['m249', 'm248', 'm247', 'm246'])).toBe(4);
    expect(reader.ids).toHaveLength(250);
  });

  it('are not requested if they are unknown or detached, or if the service is', async () => {
    reader.store.takeDetached(key, { id: 'alone', createdAt: 1, updatedAt: 1, content: [] });
    expect(await refetcher.refetch(key, ['alone', 'unknown'])).toBe(0);
    expect(await refetcher.refetch({ ...key, origin: 'https://other.test' }, ['m0'])).toBe(0);
    api = undefined;
    expect(await refetcher.refetch(key, ['m0'])).toBe(0);
    expect(service.api.calls).toEqual([]);
  });

  it('of a session are not requested for 30 seconds after a failure', async () => {
    const other = { ...key, sessionId: 'other' };
    reader.store.addSession({ key: other, addedAt: 1 });
    reader.store.takeMessages(other, [{ id: 'm', createdAt: 1, updatedAt: 1, content: [] }]);
    service.api.before = () => {
      throw new ApiError('unreachable', 'reset', { sent: 'maybe' });
    };
    expect(await refetcher.refetch(key, ['m0'])).toBe(0);
    service.api.before = undefined;
    service.api.takeCount();
    reader.clock.advance(29_999);
    expect(await refetcher.refetch(key, ['m0'])).toBe(0);
    expect(service.api.calls).toEqual([]);
    await refetcher.refetch(other, ['m']);
    expect(service.api.takeCount()).toBe(1);
    reader.clock.advance(1);
    expect(await refetcher.refetch(key, ['m0'])).toBe(1);
  });

  it('of a session are requested again if the clock was set back after a failure', async () => {
    service.api.before = () => {
      throw new ApiError('unreachable', 'reset', { sent: 'maybe' });
    };
    expect(await refetcher.refetch(key, ['m0'])).toBe(0);
    service.api.before = undefined;
    reader.clock.set(-86_400_000);
    expect(await refetcher.refetch(key, ['m0'])).toBe(1);
  });
});
