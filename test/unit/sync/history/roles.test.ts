import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { key, LocalService, never, numbered, orders, Reader, withLists } from './historyRig.ts';

/** A service that ignores the role filter. */
function unfiltered({ api }: LocalService): SessionsApi {
  return {
    getSession: (...given) => api.getSession(...given),
    getMessage: (...given) => api.getMessage(...given),
    listMessages: (sessionId, options) => api.listMessages(sessionId, { ...options, role: undefined }),
    updateSession: api.updateSession,
    addMessage: api.addMessage,
    dispose: () => undefined,
  };
}

describe.each(orders)('the prompts of a conversation, listed %s', (order) => {
  it.each([true, false])('are listed without loading them (roles in lists: %s)', async (listRoles) => {
    const service = new LocalService(900, { order, listRoles });
    const reader = new Reader();
    if (order === 'desc') await reader.refresh(service.api);
    const before = reader.headers;
    service.api.takeCount();
    const listed: string[] = [];
    const isFiltered = await reader.history.listPrompts(service.api, key, never, (headers) => {
      for (const { messageId, role, firstLine } of headers) listed.push(`${messageId} ${role} ${firstLine}`);
    });
    expect(isFiltered).toBe(true);
    const users = service.messages.filter(({ role }) => role === 'user');
    expect(listed.sort()).toEqual(users.map(({ id }) => `${id} user message ${id}`).sort());
    expect(service.api.calls).toHaveLength(3);
    expect(reader.headers).toBe(before);
  });

  it('are not listed if the service ignores the filter', async () => {
    const service = new LocalService(900, { order });
    const reader = new Reader();
    let pages = 0;
    expect(await reader.history.listPrompts(unfiltered(service), key, never, () => pages++)).toBe(false);
    expect(pages).toBe(0);
    // The next page had already been requested.
    expect(service.api.calls.length).toBeLessThanOrEqual(2);
  });

  it('are recognized by known roles if neither list nor filter has any', async () => {
    const service = new LocalService(900, { order, listRoles: false });
    const reader = new Reader();
    const at = order === 'asc' ? 1 : 898;
    const message = await service.api.getMessage(key.sessionId, `m${at}`);
    expect(message.role).not.toBe('user');
    reader.store.takeMessages(key, [message]);
    expect(await reader.history.listPrompts(unfiltered(service), key, never, () => undefined)).toBe(false);
  });
});

it('roles are not learned from a filter that the service ignores', async () => {
  const service = new LocalService(20);
  const api = unfiltered(service);
  const unnamed: SessionsApi = {
    ...api,
    listMessages: async (sessionId, options) => {
      const page = await api.listMessages(sessionId, options);
      // The service names the role of tool messages in filtered lists, and no other.
      const roleOf = (role: Message['role']) => (options?.role !== undefined && role === 'tool' ? role : undefined);
      return { ...page, messages: page.messages.map((message) => ({ ...message, role: roleOf(message.role) })) };
    },
  };
  const reader = new Reader();
  await reader.refresh(unnamed);
  const wrong = reader.headers.filter(
    ({ messageId, role }) => role !== undefined && role !== service.store.message(key.sessionId, messageId)?.role,
  );
  expect(wrong).toEqual([]);
});

describe('the roles of messages that were listed without one', () => {
  const withRoles = (...roles: ('user' | 'assistant' | 'tool')[]) =>
    new LocalService(
      numbered(roles.length).map((message, place) => ({ ...message, role: roles[place]! })),
      { listRoles: false },
    );
  const requestsOf = (service: LocalService) =>
    service.api.calls.map((call) => (call.kind === 'list' ? (call.options.role ?? 'all') : call.kind));
  const rolesIn = (reader: Reader) => reader.headers.map(({ role }) => role);

  it.each([
    [3, ['all', 'message', 'message', 'message']],
    [4, ['all', 'user']],
  ])('are requested one by one for up to three messages: %i', async (count, requests) => {
    const service = withRoles(...Array.from({ length: count }, () => 'user' as const));
    const reader = new Reader();
    await reader.refresh(service.api);
    expect(rolesIn(reader)).toEqual(Array.from({ length: count }, () => 'user'));
    expect(requestsOf(service)).toEqual(requests);
  });

  describe('that is new', () => {
    const lagging = (count: number) => {
      const service = withRoles(...Array.from({ length: count }, () => 'user' as const));
      const reader = new Reader();
      const setAgeMs = (ageMs: number) =>
        reader.clocks.learn(key.origin, service.messages.at(-1)!.createdAt + ageMs, reader.clock.now());
      let isBehind = true;
      service.api.before = (call) => {
        if (isBehind && call.kind === 'message')
          throw new ApiError('status', 'no message', { sent: 'maybe', status: 404 });
      };
      const filtered = withLists(service.api, async (sessionId, options) => {
        const page = await service.api.listMessages(sessionId, options);
        return isBehind && options?.role !== undefined ? { ...page, messages: [], listed: [] } : page;
      });
      return { service, reader, api: filtered, setAgeMs, catchUp: () => (isBehind = false) };
    };

    it.each([1, 3, 5])('are asked for again after an older copy did not have %i messages', async (count) => {
      const { reader, api, setAgeMs, catchUp } = lagging(count);
      setAgeMs(1_000);
      await reader.refresh(api);
      expect(rolesIn(reader)).toEqual(Array.from({ length: count }, () => undefined));
      catchUp();
      await reader.refresh(api);
      expect(rolesIn(reader)).toEqual(Array.from({ length: count }, () => 'user'));
    });

    it.each([-61_000, 61_000])('are not asked for again if it is %i ms old', async (ageMs) => {
      const { service, reader, api, setAgeMs, catchUp } = lagging(1);
      setAgeMs(ageMs);
      await reader.refresh(api);
      catchUp();
      service.api.takeCount();
      await reader.refresh(api);
      expect(requestsOf(service)).toEqual(['all']);
    });

    it('are asked for again by themselves in an idle session, at most three times', async () => {
      const { service, reader, api, setAgeMs, catchUp } = lagging(2);
      setAgeMs(1_000);
      const state = { status: 'idle', messageCount: 2, updatedAt: service.messages[1]!.createdAt };
      await reader.history.refresh(api, key, never, state);
      expect(reader.history.retryMs(key)).toBe(1_000);
      await reader.history.refreshNewest(api, key, never);
      expect(reader.history.retryMs(key)).toBe(4_000);
      catchUp();
      await reader.history.refreshNewest(api, key, never);
      expect(rolesIn(reader)).toEqual(['user', 'user']);
      expect(reader.history.retryMs(key)).toBeUndefined();
    });
  });

  it('are learned except that of a message that can’t be requested by its ID', async () => {
    const service = withRoles('user', 'assistant', 'tool');
    service.api.before = (call) => {
      if (call.kind === 'message' && call.messageId === 'm1')
        throw new ApiError('status', 'forbidden', { sent: 'maybe', status: 403 });
    };
    const reader = new Reader();
    await reader.refresh(service.api);
    expect(rolesIn(reader)).toEqual(['user', undefined, 'tool']);
  });

  it('are found by a later filter if an earlier one lists nothing', async () => {
    const service = withRoles('tool', 'tool', 'tool', 'tool');
    const reader = new Reader();
    await reader.refresh(service.api);
    expect(rolesIn(reader)).toEqual(['tool', 'tool', 'tool', 'tool']);
    expect(requestsOf(service)).toEqual(['all', 'user', 'assistant', 'tool']);
  });
});
