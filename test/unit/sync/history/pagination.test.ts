import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import type { MessagePage, SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { orderOf, paginate } from '../../../../src/sync/history/pagination.ts';
import { never } from './historyRig.ts';

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
  ])('%j is %s', (times, order) => expect(orderOf(at(...times))).toBe(order));
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
        return Promise.resolve({ messages: [], skippedCount: 0, ...pages[cursor ?? 'first']! });
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
});
