import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSessionsClient } from '../../../../src/api/client.ts';
import type { Transport } from '../../../../src/api/http/transport.ts';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import type { Message as ServedMessage } from '../../../../src/demoService/resources.ts';
import { CacheWindow, cacheFiles } from '../cache/cacheRig.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';
import { key, never, numbered, orders, served } from './historyRig.ts';

const longText = (word: string) => `${word} `.repeat(200_000);

/** A service that sends messages as JSON, and that prints each of them only once. */
class WireService {
  readonly api: SessionsApi;
  readonly #order: (typeof orders)[number];
  readonly #messages: ServedMessage[] = [];
  readonly #json = new Map<string, string>();
  readonly #pageSize: number;
  pageCount = 0;

  constructor(messages: readonly ServedMessage[], order: (typeof orders)[number] = 'desc', pageSize = 100) {
    this.#order = order;
    this.#pageSize = pageSize;
    for (const message of messages) this.put(message);
    const headers = new Map([['content-type', 'application/json']]);
    const transport: Transport = {
      send: ({ url }) => {
        const [, id = ''] = /messages\/([^?]+)/.exec(url.href) ?? [];
        const body = this.#json.get(id) ?? this.#list(Number(url.searchParams.get('cursor') ?? 0));
        return Promise.resolve({ status: 200, headers, body: Buffer.from(body) });
      },
      dispose: () => undefined,
    };
    this.api = createSessionsClient({ baseUrl: key.origin, key: () => 'k', transport });
  }

  /** Adds or replaces a message. */
  put(message: ServedMessage): void {
    const at = this.#messages.findIndex(({ id }) => id === message.id);
    if (at === -1) this.#messages.push(message);
    else this.#messages[at] = message;
    this.#json.set(message.id, JSON.stringify(message));
  }

  add(): void {
    const place = this.#messages.length;
    this.put(served(`added ${place}`, this.#messages.at(-1)!.createdAt + 1_000, place));
  }

  remove(id: string): void {
    this.#messages.splice(
      this.#messages.findIndex((message) => message.id === id),
      1,
    );
  }

  #list(start: number): string {
    this.pageCount += 1;
    const end = start + this.#pageSize;
    const messages = this.#order === 'desc' ? this.#messages.toReversed() : this.#messages;
    const page = messages.slice(start, end).map(({ id }) => this.#json.get(id)!);
    const pagination = `{"hasMore": ${messages.length > end}, "nextCursor": "${end}"}`;
    return `{"messages": [${page.join(', ')}], "pagination": ${pagination}}`;
  }
}

/** The number of characters of JSON that are parsed and printed. */
async function countJson(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  const print = vi.spyOn(JSON, 'stringify');
  await work();
  const parsed = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
  const printed = print.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  vi.restoreAllMocks();
  return parsed + printed;
}

const long: ServedMessage = {
  ...served('long', 1_700_000_050_000, 1),
  content: [{ type: 'text', text: longText('a') }],
};
const withText = (text: string, updatedAt = long.updatedAt): ServedMessage => {
  return { ...long, updatedAt, content: [{ type: 'text', text }] };
};

describe('a long message in the page of the newest messages', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let window: CacheWindow;
  beforeEach(async () => {
    folder = await temporaryFolder();
    window = await CacheWindow.open(folder.path);
  });
  afterEach(async () => {
    await window.close();
    await folder.remove();
  });

  const refresh = async (service: WireService) => {
    await window.refresh(service.api);
    await window.messages.flush();
  };
  /** Whether the stored text is the long one with this word. Comparing the texts with `expect` would print them. */
  const hasText = async (word: string) => (await window.texts(['long']))[0] === longText(word);

  it.each(orders)('is read and written once, and not again with each new message (%s)', async (order) => {
    const service = new WireService([...numbered(5), long], order);
    expect(await countJson(() => refresh(service))).toBeGreaterThan(800_000);
    for (let round = 0; round < 3; round += 1) {
      service.add();
      expect(await countJson(() => refresh(service))).toBeLessThan(20_000);
    }
    expect(window.ids).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'long', 'added 6', 'added 7', 'added 8']);
    expect(await hasText('a')).toBe(true);
  });

  it('is read once by a new window', async () => {
    const service = new WireService([...numbered(5), long]);
    await refresh(service);
    await window.close();
    window = await CacheWindow.open(folder.path);
    await window.restore();
    service.add();
    await refresh(service);
    service.add();
    expect(await countJson(() => refresh(service))).toBeLessThan(20_000);
    expect(await hasText('a')).toBe(true);
  });

  it('shows the order of the list if it is the only known message', async () => {
    const service = new WireService([long]);
    await refresh(service);
    service.add();
    expect(await countJson(() => refresh(service))).toBeLessThan(20_000);
    expect(window.ids).toEqual(['long', 'added 1']);
    const indexes = [...(await cacheFiles(folder.path)).values()].map(String);
    expect(indexes.filter((text) => text.includes('"order":"newestFirst"'))).toHaveLength(1);
  });

  it('shows that all messages before it are known', async () => {
    const service = new WireService([...numbered(5), long], 'desc', 2);
    await refresh(service);
    service.add();
    service.pageCount = 0;
    await refresh(service);
    expect(service.pageCount).toBe(1);
    expect(window.ids).toEqual(['m4', 'long', 'added 6']);
  });

  it('is read again if its text has changed, whatever its time and length', async () => {
    const service = new WireService([...numbered(5), long]);
    await refresh(service);
    for (const word of ['b', 'c']) {
      service.put(withText(longText(word)));
      await refresh(service);
      expect(await hasText(word)).toBe(true);
    }
    service.put(long);
    await refresh(service);
    expect(await hasText('a')).toBe(true);
  });

  it('is read again after its body was read from elsewhere', async () => {
    const service = new WireService([...numbered(5), long]);
    await refresh(service);
    service.put(withText(longText('b')));
    await window.history.refreshNewest(service.api, key, never);
    await window.messages.flush();
    expect(await hasText('b')).toBe(true);
    service.put(long);
    await refresh(service);
    expect(await hasText('a')).toBe(true);
  });

  it('is read again after the cache was cleared', async () => {
    const service = new WireService([...numbered(5), long]);
    await refresh(service);
    await window.messages.clear();
    await refresh(service);
    const sizes = [...(await cacheFiles(folder.path)).values()].map(({ byteLength }) => byteLength);
    expect(Math.max(...sizes)).toBeGreaterThan(400_000);
  });

  it('is read again if its body is missing on disk', async () => {
    // Too long to be kept in memory.
    const veryLong = { ...long, content: [{ type: 'text' as const, text: longText('a').repeat(25) }] };
    const service = new WireService([...numbered(5), veryLong]);
    await refresh(service);
    for (const path of (await cacheFiles(folder.path)).keys()) if (path.endsWith('.bodies')) await rm(path);
    expect(await window.texts(['long'])).toEqual([]);
    await refresh(service);
    expect(await countJson(() => window.texts(['long']))).toBeGreaterThan(9_000_000);
  });

  it('is listed again if the list lacked it for a while', async () => {
    const service = new WireService([...numbered(5), long]);
    const state = (messageCount: number, updatedAt: number) => ({ status: 'idle', messageCount, updatedAt });
    const refreshTo = (messageCount: number, updatedAt: number) =>
      window.history.refresh(service.api, key, never, state(messageCount, updatedAt));
    await refreshTo(6, 1);
    service.remove('long');
    await refreshTo(5, 2);
    expect(window.store.header(key, 'long')?.isGone).toBe(true);
    service.put(long);
    await refreshTo(6, 3);
    expect(window.store.header(key, 'long')?.isGone).toBeUndefined();
  });

  it('is not taken for gone when the loaded messages are compared with the list', async () => {
    const service = new WireService([...numbered(5), long]);
    const refreshTo = (messageCount: number, updatedAt: number) =>
      window.history.refresh(service.api, key, never, { status: 'idle', messageCount, updatedAt });
    await refreshTo(6, 1);
    await window.messages.flush();
    service.remove('m2');
    expect(await countJson(() => refreshTo(5, 2))).toBeLessThan(20_000);
    expect(window.record.headers.filter(({ isGone }) => isGone).map(({ messageId }) => messageId)).toEqual(['m2']);
  });

  it('is recognized without a cache on disk', async () => {
    await window.close();
    window = await CacheWindow.open(folder.path, { isEnabled: () => false });
    const service = new WireService([...numbered(5), long]);
    await refresh(service);
    service.add();
    expect(await countJson(() => refresh(service))).toBeLessThan(20_000);
    expect(await hasText('a')).toBe(true);
  });
});
