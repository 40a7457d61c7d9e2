import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { key, LocalService, never, Reader, lastCursors, numbered, orders, served } from './historyRig.ts';

const broken = () => new ApiError('unreachable', 'reset', { sent: 'maybe' });
const missing = () => new ApiError('status', '404', { sent: 'maybe', status: 404 });
const tooLarge = () => new ApiError('tooLarge', 'too large', { sent: 'maybe', status: 200 });

describe.each(orders)('histories, %s', (order) => {
  it('match the messages and order of the service despite additions and failures during reading (R28)', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('refresh' as const), breakAt: fc.option(fc.integer({ min: 1, max: 4 })) }),
      fc.record({ do: fc.constant('older' as const), breakAt: fc.option(fc.integer({ min: 1, max: 2 })) }),
      fc.record({ do: fc.constant('add' as const), count: fc.oneof(fc.nat(3), fc.nat(250)) }),
    );
    const input = fc.record({
      count: fc.oneof(fc.nat(5), fc.nat(450)),
      lastCursor: fc.constantFrom(...lastCursors),
      listRoles: fc.boolean(),
      steps: fc.array(step, { maxLength: 8 }),
      during: fc.array(fc.nat(120), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ count, lastCursor, listRoles, steps, during }) => {
        const service = new LocalService(count, { order, lastCursor, listRoles });
        const reader = new Reader();
        const added = [...during];
        let callsLeft = Number.POSITIVE_INFINITY;
        service.api.before = ({ kind }) => {
          if (kind === 'list') service.add(added.pop() ?? 0);
          if (--callsLeft < 0) throw broken();
        };
        for (const taken of steps) {
          callsLeft = 'breakAt' in taken ? (taken.breakAt ?? 1_000) : 1_000;
          if (taken.do === 'add') service.add(taken.count);
          else if (taken.do === 'refresh') await reader.refresh(service.api).catch(() => undefined);
          else await reader.loadOlder(service.api).catch(() => undefined);
        }
        callsLeft = Number.POSITIVE_INFINITY;
        await reader.refresh(service.api);
        while (reader.state.completeness === 'partial') await reader.loadOlder(service.api);
        service.api.before = undefined;
        await reader.refresh(service.api);
        expect(reader.ids).toEqual(service.ids);
        expect(reader.state).toMatchObject({ completeness: 'complete', isLoading: false });
        const wrong = reader.headers.filter(
          ({ role }, place) => role !== undefined && role !== service.messages[place]?.role,
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });

  it('have no gaps after reading failed halfway', async () => {
    const service = new LocalService(50, { order });
    const reader = new Reader();
    await reader.refresh(service.api);
    service.add(350);
    service.api.takeCount();
    service.api.before = () => {
      if (service.api.calls.length === 2) throw broken();
    };
    await expect(reader.refresh(service.api)).rejects.toThrow('reset');
    expect(reader.state.failure).toMatchObject({ kind: 'unreachable' });
    service.api.before = undefined;
    await reader.refresh(service.api);
    expect(reader.ids).toEqual(service.ids);
    expect(reader.state.failure).toBeUndefined();
  });

  it.each([30, 250])('keep the service order of %i messages in groups of three with the same time', async (count) => {
    const sameTimes = numbered(count).map((message, place) => ({
      ...served(message.id, message.createdAt - (place % 3) * 1_000, place),
    }));
    const service = new LocalService(sameTimes, { order });
    const reader = new Reader();
    await reader.readAll(service.api);
    expect(reader.ids).toEqual(service.ids);
  });

  it('include edits and the growth of the last message', async () => {
    const service = new LocalService(20, { order });
    const reader = new Reader();
    await reader.refresh(service.api);
    service.revise('m19', 'grown by a word');
    await reader.refreshNewest(service.api);
    expect(reader.headers.at(-1)?.firstLine).toBe('grown by a word');
    service.revise('m18', 'edited');
    service.revise('m19', 'grown by two words');
    await reader.refresh(service.api);
    expect(reader.headers.slice(-2).map(({ firstLine }) => firstLine)).toEqual(['edited', 'grown by two words']);
    expect(await reader.body('m19')).toMatchObject({ content: [{ text: 'grown by two words' }] });
  });

  it.each([
    ['missing', missing],
    ['too large', tooLarge],
  ])('stay unchanged if the newest message is %s when it is read again', async (_name, error) => {
    const service = new LocalService(3, { order });
    const reader = new Reader();
    await reader.refresh(service.api);
    service.api.before = ({ kind }) => {
      if (kind === 'message') throw error();
    };
    await expect(reader.refreshNewest(service.api)).resolves.toBeUndefined();
    expect(reader.ids).toEqual(service.ids);
    expect(reader.state.failure).toBeUndefined();
  });

  it.each([
    ['missing', missing],
    ['too large', tooLarge],
  ])('are read if a message whose role is not listed is %s, which is requested once', async (_name, error) => {
    const service = new LocalService(3, { order, listRoles: false });
    const reader = new Reader();
    service.api.before = (call) => {
      if (call.kind === 'message' && call.messageId === 'm1') throw error();
    };
    await reader.refresh(service.api);
    await reader.refresh(service.api);
    expect(reader.headers.map(({ role }) => role)).toEqual(['user', undefined, 'tool']);
    expect(service.api.calls.filter((call) => call.kind === 'message' && call.messageId === 'm1')).toHaveLength(1);
  });
});

describe('a service that lists newest first', () => {
  it('returns one page first, and older pages on request', async () => {
    const service = new LocalService(250, { order: 'desc' });
    const reader = new Reader();
    await reader.refresh(service.api);
    expect(reader.ids).toEqual(service.ids.slice(-100));
    expect(reader.state.completeness).toBe('partial');
    await reader.loadOlder(service.api);
    expect(reader.ids).toEqual(service.ids.slice(-200));
    await reader.loadOlder(service.api);
    expect(reader.ids).toEqual(service.ids);
    expect(reader.state.completeness).toBe('complete');
    service.api.takeCount();
    await reader.loadOlder(service.api);
    expect(service.api.takeCount()).toBe(0);
  });

  it('is read without gaps if the list does not include roles', async () => {
    const service = new LocalService(450, { order: 'desc', listRoles: false });
    const reader = new Reader();
    for (let read = 1; read <= 5; read++) {
      await (read === 1 ? reader.refresh(service.api) : reader.loadOlder(service.api));
      expect(reader.ids).toEqual(service.ids.slice(-100 * read));
      const truth = service.messages.slice(-100 * read).map(({ role }) => role);
      expect(reader.headers.map(({ role }) => role)).toEqual(truth);
    }
  });
});

describe('roles that no filter matches', () => {
  it.each(orders)('are requested by ID, a few at a time, and are cheap on later refreshes (%s)', async (order) => {
    const messages = numbered(320).map((message, place) =>
      place % 9 === 0 ? { ...message, role: 'system' as const } : message,
    );
    const service = new LocalService(messages, { order, listRoles: false });
    const reader = new Reader();
    await reader.readAll(service.api);
    const roles = new Map(messages.map(({ id, role }) => [id, role]));
    for (const { messageId, role } of reader.headers) expect([roles.get(messageId), undefined]).toContain(role);
    const unnamed = reader.headers.filter(({ role }) => role === undefined);
    expect(unnamed.every(({ messageId }) => roles.get(messageId) === 'system')).toBe(true);
    for (let read = 0; read < 3; read++) await reader.refresh(service.api);
    service.api.takeCount();
    service.add(1);
    await reader.refresh(service.api);
    expect(service.api.takeCount()).toBeLessThanOrEqual(5);
    expect(reader.headers.at(-1)?.role).toBe(service.messages.at(-1)?.role);
  });
});

describe('the request limit', () => {
  const sizes = [10, 1_000, 5_000] as const;
  const cases = orders.flatMap((order) =>
    [true, false].flatMap((listRoles) => sizes.map((size) => ({ order, listRoles, size }))),
  );

  it.each(cases)('holds for $size messages, $order, roles listed: $listRoles', async ({ order, listRoles, size }) => {
    const service = new LocalService(size, { order, listRoles });
    const reader = new Reader();
    await reader.readAll(service.api);
    service.api.takeCount();
    const costs: number[] = [];
    for (const added of [0, 1, 5, 150]) {
      service.add(added);
      await reader.refresh(service.api);
      costs.push(service.api.takeCount());
    }
    expect(reader.ids).toEqual(service.ids);
    // One list request for each hundred new messages and for the page where reading stopped. If roles aren't listed,
    // the same applies to each of the three role filters, or up to three messages are read by ID.
    const most = listRoles ? [1, 2, 2, 3] : [1, 3, 8, 12];
    costs.forEach((cost, place) => expect(cost, costs.join()).toBeLessThanOrEqual(most[place]!));
  });

  it.each(orders)('also holds when a long history is opened: %s', async (order) => {
    const service = new LocalService(5_000, { order });
    const reader = new Reader();
    await reader.refresh(service.api);
    expect(service.api.takeCount()).toBe(order === 'desc' ? 1 : 50);
  });
});

it('a message that arrives between the first readings of a session and of its list is not missing later', async () => {
  const reader = new Reader();
  const now = reader.clock.now();
  const messages = Array.from({ length: 250 }, (_, place) => served(`m${place}`, now - 250 + place, place));
  const service = new LocalService(messages, { order: 'desc' });
  const stateOf = (count: number) =>
    ({ status: 'running', messageCount: count, updatedAt: messages[count - 1]!.createdAt }) as const;
  await reader.history.refresh(service.api, key, never, stateOf(249));
  await reader.history.refresh(service.api, key, never, stateOf(250));
  expect(reader.state.missingCount).toBeUndefined();
});
