import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LastCursor, type ListOrder, pageOf } from '../../../src/demoService/http/paging.ts';
import type { Message } from '../../../src/demoService/resources.ts';
import { listAll, listPage, post, readSession, demoServices } from './client.ts';

const start = demoServices();
const orders: ListOrder[] = ['asc', 'desc'];
const lastCursors: LastCursor[] = ['null', 'absent', 'empty', 'repeat'];

describe.each(orders)('order %s', (order) => {
  test('starts at the correct end', async () => {
    const demoService = await start({ order });
    const { history } = demoService.sessionIdByName;
    const all = (await listAll(demoService, history)).map((message) => message.id);
    const first = (await listPage(demoService, history, { limit: '3' })).messages.map((message) => message.id);
    expect(first).toEqual(order === 'asc' ? all.slice(0, 3) : all.slice(-3).reverse());
  });

  test('returns each message exactly once while messages arrive', async () => {
    const demoService = await start({ order, agentDelayMs: 60_000, messages: 50 });
    const { history } = demoService.sessionIdByName;
    const before = (await listAll(demoService, history)).map((message) => message.id);
    const added: string[] = [];
    let pagesLeft = 4;
    const seen = await listAll(demoService, history, { limit: '10' }, async () => {
      if (pagesLeft-- > 0) added.push((await post(demoService, history, { text: 'meanwhile' })).messageId);
    });
    expect(seen.map((message) => message.id)).toEqual(order === 'asc' ? [...before, ...added] : before);
  });

  test('counts a message immediately, and lists it only after the lag', async () => {
    const clock = { ms: 1_700_000_000_000 };
    const demoService = await start({ order, listLagMs: 5_000, agentDelayMs: 60_000, now: () => clock.ms });
    const { bare } = demoService.sessionIdByName;
    const { messageId } = await post(demoService, bare, { text: 'late' });
    const listedIds = async () => (await listAll(demoService, bare)).map((message) => message.id);
    clock.ms += 4_000;
    expect(await listedIds()).not.toContain(messageId);
    expect((await readSession(demoService, bare)).messageCount).toBeGreaterThan(0);
    clock.ms += 1_001;
    expect(await listedIds()).toContain(messageId);
  });

  test.each(lastCursors)('ends with the cursor style %s', async (lastCursor) => {
    const demoService = await start({ order, lastCursor, messages: 5 });
    const { history, bare } = demoService.sessionIdByName;
    const first = await listPage(demoService, history, { limit: '4' });
    const cursor = first.pagination.nextCursor ?? '';
    expect(first.pagination).toEqual({ hasMore: true, nextCursor: expect.stringMatching(/./) as string });
    const last = await listPage(demoService, history, { limit: '4', cursor });
    expect(last.messages).toHaveLength(1);
    const expected = {
      null: { hasMore: false, nextCursor: null },
      absent: { hasMore: false },
      empty: { hasMore: false, nextCursor: '' },
      repeat: { hasMore: false, nextCursor: cursor },
    };
    expect(last.pagination).toEqual(expected[lastCursor]);
    const empty = await listPage(demoService, bare);
    expect(empty.messages).toEqual([]);
    expect(empty.pagination.hasMore).toBe(false);
    if (lastCursor === 'repeat') {
      const again = await listPage(demoService, bare, { cursor: empty.pagination.nextCursor ?? '' });
      expect(again).toEqual(empty);
    }
  });
});

const roles = ['user', 'assistant', 'tool', 'system'] as const;
const messageWith = (role: Message['role'], index: number): Message => {
  return { id: `m${index}`, role, content: [], createdAt: index, updatedAt: index };
};

test('any walk returns the initial messages in order, whatever is added between pages', () => {
  const walks = fc.record({
    first: fc.array(fc.constantFrom(...roles), { maxLength: 30 }),
    additions: fc.array(fc.array(fc.constantFrom(...roles), { maxLength: 4 }), { maxLength: 10 }),
    order: fc.constantFrom(...orders),
    lastCursor: fc.constantFrom(...lastCursors),
    role: fc.option(fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const), { nil: undefined }),
    limits: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(walks, ({ first, additions, order, lastCursor, role, limits }) => {
      const log = first.map(messageWith);
      const walked: string[] = [];
      const atStart = log.length;
      let cursor: string | undefined;
      for (let page = 0; ; page++) {
        const limit = limits[page % limits.length] ?? 1;
        const answer = pageOf(log, { sessionId: 's', order, role, limit, cursor, lastCursor });
        expect(answer.messages.length).toBeLessThanOrEqual(limit);
        walked.push(...answer.messages.map((message) => message.id));
        if (!answer.pagination.hasMore) break;
        expect(answer.messages).toHaveLength(limit);
        cursor = answer.pagination.nextCursor ?? undefined;
        for (const added of additions[page] ?? []) log.push(messageWith(added, log.length));
      }
      const reached = order === 'asc' ? log : log.slice(0, atStart).reverse();
      expect(walked).toEqual(reached.filter((message) => !role || message.role === role).map((message) => message.id));
    }),
    { numRuns: 500 },
  );
});
