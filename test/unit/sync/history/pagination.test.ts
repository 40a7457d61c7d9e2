import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import type { MessagePage, SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { isCursorRejected, orderOf, paginate } from '../../../../src/sync/history/pagination.ts';
import { key, never, Reader } from './historyRig.ts';

const at = (...times: number[]): Message[] =>
  times.map((createdAt, place) => ({ id: `m${place}`, createdAt, updatedAt: createdAt, content: [] }));

describe('the order of a list', () => {
  it.each([
    [[], 'unknown'],
    [[1], 'unknown'],
    [[2, 2, 2], 'unknown'],
    [[1, 2, 3], 'oldestFirst'],
    [[3, 2, 1], 'newestFirst'],
    [[1, 1, 2], 'oldestFirst'],
    [[2, 1, 1], 'newestFirst'],
    [[1, 2, 3, 4, 5, 0], 'oldestFirst'],
    [[9, 1, 2, 3, 4, 5], 'oldestFirst'],
    [[5, 4, 3, 2, 1, 9], 'newestFirst'],
    // The clock of the prompts is ahead of that of the answers.
    [[61, 5, 71, 15, 81, 25, 91, 35, 101, 45], 'oldestFirst'],
    [[45, 101, 35, 91, 25, 81, 15, 71, 5, 61], 'newestFirst'],
  ])('%j is %s', (times, order) => expect(orderOf(at(...times))).toBe(order));
});

describe('a cursor that the service rejects', () => {
  it('is recognized by the HTTP status', () => {
    const rejected = Array.from({ length: 200 }, (_, place) => place + 390).filter((status) =>
      isCursorRejected(new ApiError('status', 'x', { sent: 'maybe', status })),
    );
    expect(rejected).toEqual([400, 404, 410, 422]);
    expect(isCursorRejected(new ApiError('notJson', 'x', { sent: 'maybe', status: 404 }))).toBe(false);
    expect(isCursorRejected(Object.assign(new Error('x'), { kind: 'status', status: 404 }))).toBe(false);
  });
});

describe('pagination', () => {
  type Answer = Pick<MessagePage, 'hasMore'> & { readonly nextCursor?: string | undefined };

  async function walk(pages: Readonly<Record<string, Answer>>, from?: string): Promise<(string | undefined)[]> {
    const asked: (string | undefined)[] = [];
    const api: Pick<SessionsApi, 'listMessages'> = {
      listMessages(_sessionId, { cursor, limit } = {}) {
        expect(limit).toBe(100);
        if (asked.length > 20) throw new Error('it does not end');
        asked.push(cursor);
        return Promise.resolve({ messages: [], listed: [], skippedCount: 0, ...pages[cursor ?? 'first']! });
      },
    };
    for await (const step of paginate(api as SessionsApi, 's', { signal: never, from })) {
      expect(step.cursor).toBe(asked.at(-1));
    }
    return asked;
  }

  it.each([
    ['the end is said', { first: { hasMore: true, nextCursor: 'b' }, b: { hasMore: false } }, [undefined, 'b']],
    ['the last cursor leads nowhere', { first: { hasMore: false, nextCursor: 'b' } }, [undefined]],
    ['there is more but no cursor', { first: { hasMore: true } }, [undefined]],
    [
      'the cursor comes back',
      { first: { hasMore: true, nextCursor: 'b' }, b: { hasMore: true, nextCursor: 'b' } },
      [undefined, 'b'],
    ],
    [
      'the cursors run in a circle',
      {
        first: { hasMore: true, nextCursor: 'b' },
        b: { hasMore: true, nextCursor: 'c' },
        c: { hasMore: true, nextCursor: 'b' },
      },
      [undefined, 'b', 'c'],
    ],
  ])('ends when %s (R21)', async (_when, pages, asked) => expect(await walk(pages)).toEqual(asked));

  it('starts at the given cursor', async () => {
    expect(await walk({ b: { hasMore: true, nextCursor: 'c' }, c: { hasMore: false } }, 'b')).toEqual(['b', 'c']);
    expect(await walk({ b: { hasMore: true, nextCursor: 'b' } }, 'b')).toEqual(['b']);
  });

  /** An endless list: each page has a new cursor, and the messages that `messagesOf` returns for its index. */
  function endless(messagesOf: (index: number) => Message[]) {
    const listed = { calls: 0 };
    const api: Pick<SessionsApi, 'listMessages'> = {
      listMessages() {
        const index = listed.calls++;
        if (index > 500) throw new Error('it does not end');
        const messages = messagesOf(index);
        return Promise.resolve({
          messages,
          listed: messages,
          skippedCount: 0,
          hasMore: true,
          nextCursor: `c${index}`,
        });
      },
    };
    return { listed, api: api as SessionsApi };
  }

  const pageOf = (index: number) => at(1, 2).map((one) => ({ ...one, id: `${one.id} ${index}` }));

  it.each([
    ['the same messages', () => at(1, 2, 3), 11],
    ['the same two pages in turn', (index: number) => pageOf(index % 2), 12],
    ['the same ten pages in turn', (index: number) => pageOf(index % 10), 20],
    ['no messages', () => [], 10],
  ])('ends after ten pages without a new message if new cursors lead to %s', async (_what, messagesOf, calls) => {
    const { listed, api } = endless(messagesOf);
    for await (const step of paginate(api, 's', { signal: never })) expect(step.page.hasMore).toBe(true);
    expect(listed.calls).toBe(calls);
  });

  it('remembers the messages of no more than ten pages', async () => {
    const { listed, api } = endless((index) => pageOf(index % 11));
    for await (const { cursor } of paginate(api, 's', { signal: never })) if (cursor === 'c60') break;
    expect(listed.calls).toBe(62);
  });

  it('goes on if every tenth page has a new message', async () => {
    const { listed, api } = endless((index) => (index % 10 === 0 ? pageOf(index) : []));
    for await (const { cursor } of paginate(api, 's', { signal: never })) if (cursor === 'c60') break;
    expect(listed.calls).toBe(62);
  });

  it('goes on if pages have new messages that are known', async () => {
    const { listed, api } = endless((index) => pageOf(index));
    const known: Pick<SessionsApi, 'listMessages'> = {
      listMessages: async (...given) => ({ ...(await api.listMessages(...given)), messages: [] }),
    };
    for await (const { cursor } of paginate(known as SessionsApi, 's', { signal: never })) if (cursor === 'c60') break;
    expect(listed.calls).toBe(62);
  });

  it('requests nothing after it was aborted', async () => {
    const { listed, api } = endless(() => []);
    const signal = AbortSignal.abort();
    await expect(paginate(api, 's', { signal }).next()).rejects.toMatchObject({ kind: 'cancelled', sent: 'no' });
    expect(listed.calls).toBe(0);
  });

  it('requests the next page while the last one is handled, one request at a time, and cancels it at the end', async () => {
    const events: string[] = [];
    let running = 0;
    const api: Pick<SessionsApi, 'listMessages'> = {
      async listMessages(_sessionId, { cursor = '0', signal } = {}) {
        running += 1;
        expect(running).toBe(1);
        events.push(`requested ${cursor}`);
        signal?.addEventListener('abort', () => events.push(`canceled ${cursor}`));
        await Promise.resolve();
        running -= 1;
        const messages = at(Number(cursor));
        const nextCursor = String(Number(cursor) + 1);
        return { messages, listed: messages, skippedCount: 0, hasMore: true, nextCursor };
      },
    };
    const needsNext = () => true;
    for await (const { cursor = '0' } of paginate(api as SessionsApi, 's', { signal: never, needsNext })) {
      events.push(`handled ${cursor}`);
      if (cursor === '1') break;
    }
    expect(events.slice(0, 5)).toEqual(['requested 0', 'requested 1', 'handled 0', 'requested 2', 'handled 1']);
    expect(events).toContain('canceled 2');
  });

  it('reports the failure of a page that was requested ahead after the page before it was handled', async () => {
    const api: Pick<SessionsApi, 'listMessages'> = {
      listMessages: (_sessionId, { cursor } = {}) =>
        cursor === undefined
          ? Promise.resolve({ messages: at(1), listed: at(1), skippedCount: 0, hasMore: true, nextCursor: 'b' })
          : Promise.reject(new Error('the second page')),
    };
    const steps = paginate(api as SessionsApi, 's', { signal: never, needsNext: () => true });
    expect((await steps.next()).value).toMatchObject({ next: 'b' });
    await new Promise((resolve) => setImmediate(resolve));
    await expect(steps.next()).rejects.toThrow('the second page');
  });

  it('rejects if the list has far more messages than its session counts', async () => {
    const { listed, api } = endless((index) =>
      Array.from({ length: 100 }, (_, place) => {
        const createdAt = 1_700_000_000_000 + index * 100 + place;
        return { id: `m${createdAt}`, createdAt, updatedAt: createdAt, content: [] };
      }),
    );
    const reader = new Reader();
    const times = { createdAt: 1, updatedAt: 1 };
    reader.store.takeSession(key, { sessionId: key.sessionId, status: 'idle', messageCount: 300, ...times }, 1, 1);
    await expect(reader.refresh(api)).rejects.toMatchObject({ name: 'ApiError', kind: 'wrongShape' });
    // Each page is requested while the one before is stored.
    expect(listed.calls).toBe(102);
    expect(reader.state.failure?.kind).toBe('wrongShape');
  });
});
