import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { ServiceClocks } from '../../../../src/sync/connection/serviceLimits.ts';
import { QueuedMessage } from '../../../../src/sync/outbox/queuedMessage.ts';
import { ServiceSendState } from '../../../../src/sync/outbox/sendGate.ts';
import {
  type SearchResult,
  SentSearch,
  earliestCreation,
  findSentMessage,
} from '../../../../src/sync/outbox/sentSearch.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { LocalService, key, withLists } from '../history/historyRig.ts';

const message = (id: string, text: string, more: Partial<Message> = {}): Message => ({
  id,
  role: 'user',
  createdAt: 1000,
  updatedAt: 1000,
  content: [{ type: 'text', text }],
  ...more,
});
const find = (messages: readonly Message[], text = 'go on', excluded: readonly string[] = []) =>
  findSentMessage(messages, { text, excludedIds: new Set(excluded), notBefore: 1000 })?.id;

describe('the message that an attempt created (R32)', () => {
  it('has the role user, or no role', () => {
    expect(
      find([message('a', 'go on', { role: 'assistant' }), message('b', 'go on', { role: 'tool' })]),
    ).toBeUndefined();
    expect(find([message('a', 'go on', { role: undefined })])).toBe('a');
    expect(find([message('a', 'go on', { role: 'unknown' })])).toBe('a');
  });

  it('is new and belongs to no other entry', () => {
    expect(find([message('a', 'go on')], 'go on', ['a'])).toBeUndefined();
    expect(find([message('a', 'go on', { createdAt: 999 })])).toBeUndefined();
    expect(find([message('a', 'go on', { createdAt: 1000 })])).toBe('a');
  });

  it('has the same text, except for surrounding white space and the kind of line breaks', () => {
    expect(find([message('a', 'go  on')])).toBeUndefined();
    expect(find([message('a', 'line 1\nline 2')], '  line 1\r\nline 2\n')).toBe('a');
    expect(find([message('a', 'Go on')])).toBeUndefined();
  });

  it('is the one with exactly the same text, if there is one', () => {
    expect(find([message('a', 'go on'), message('b', ' go on', { createdAt: 2000 })], ' go on')).toBe('b');
  });

  it('is the earlier of two candidates', () => {
    expect(find([message('b', 'go on', { createdAt: 3000 }), message('a', 'go on', { createdAt: 2000 })])).toBe('a');
  });

  it('may contain blocks for attachments', () => {
    const content = [
      { type: 'text', text: 'file: x.ts' },
      { type: 'text', text: 'go on' },
    ] as const;
    expect(find([message('a', '', { content })])).toBe('a');
  });

  it('is no tool result if the message has no text', () => {
    const result = { type: 'tool_result', toolUseId: 'c', isError: false, content: [] } as const;
    const image = { type: 'image', source: { data: 'iVBORw0KGgo=' } } as const;
    expect(find([message('a', '', { content: [result] })], '')).toBeUndefined();
    expect(find([message('a', '', { content: [result] }), message('b', '', { content: [image] })], '')).toBe('b');
    expect(find([message('a', '')], '')).toBe('a');
    expect(find([message('a', 'go on')], '')).toBeUndefined();
  });

  it('is not older than the attempt, according to the service’s clock', () => {
    const attempt = { startedAt: 10_000_000, newestKnownAt: 5, knownMessageIds: [] };
    expect(earliestCreation({ ...attempt, serverOffsetMs: 3_600_000 }, 77)).toBe(13_600_000 - 120_000);
    expect(earliestCreation(attempt, -3_600_000)).toBe(6_400_000 - 120_000);
    expect(earliestCreation(attempt)).toBe(5);
    expect(earliestCreation({ ...attempt, newestKnownAt: undefined })).toBeUndefined();
  });
});

it('the search starts at the newest page although the times on an earlier one are in the wrong order', async () => {
  const clock = new FakeClock();
  const pages = [
    [message('m3', 'other', { createdAt: 3_000 })],
    [message('m1', 'a', { createdAt: 1_002 }), message('m2', 'b', { createdAt: 1_005 })],
  ];
  const api = withLists(new LocalService(0).api, (_sessionId, { cursor } = {}) => {
    const messages = pages[cursor === undefined ? 0 : 1] ?? [];
    const rest = cursor === undefined ? { hasMore: true, nextCursor: 'p2' } : { hasMore: false };
    return Promise.resolve({ messages, listed: messages, skippedCount: 0, ...rest });
  });
  const service = new ServiceSendState(key.origin, { apiFor: () => api, clocks: new ServiceClocks(), clock });
  const entry = { entryId: 'e', key, order: 1, text: 'go on', attachments: [], createdAt: 1 };
  const found = new Promise<SearchResult>((resolve) => {
    const client = {
      criteriaOf: () => ({ text: 'go on', excludedIds: new Set<string>(), notBefore: 1_000 }),
      onSearchDoubtful: () => undefined,
      onSearchEnd: (_message: QueuedMessage, result: SearchResult) => resolve(result),
    };
    new SentSearch(client, new QueuedMessage({ ...entry, state: 'unknown' }), undefined, service, clock);
  });
  for (const atMs of [200, 1_000, 3_000, 8_000, 23_000, 53_000]) {
    clock.advance(atMs);
    for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
    pages[0] = [message('m4', 'go on', { createdAt: 4_000 }), message('m3', 'other', { createdAt: 3_000 })];
  }
  expect(await found).toMatchObject({ kind: 'found', message: { id: 'm4' } });
});
