import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MessageHeader, summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import { Timeline } from '../../../../src/state/store/timeline.ts';
import { isPrompt } from '../../../../src/state/store/turns.ts';
import {
  type CacheIndex,
  type IndexLine,
  type SavedCursor,
  encodeHead,
  encodeLine,
  newestLine,
  readIndex,
  readNewest,
  wholeLines,
} from '../../../../src/sync/cache/indexFormat.ts';
import { CacheWindow, cacheFiles, ready } from './cacheRig.ts';
import { LocalService, key } from '../history/historyRig.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const place: SavedCursor = { order: 'newestFirst', completeness: 'complete', roleStops: [], unnamedIds: [] };
const noBodies = new Map<string, never>();

/** Headers in turns of four messages, with two messages at each time. */
function headersOf(count: number, from = 0): MessageHeader[] {
  return Array.from({ length: count }, (_, at) => headerAt(from + at));
}

function headerAt(at: number, part: { readonly updatedAt?: number; readonly text?: string } = {}): MessageHeader {
  const time = 1_000 + Math.floor(at / 2);
  return summarizeMessage({
    ...{ id: `m${at}`, role: at % 4 === 0 ? 'user' : 'assistant', createdAt: time, updatedAt: part.updatedAt ?? time },
    content: [{ type: 'text', text: part.text ?? `text ${at}` }],
  });
}

/** The messages of an index in order. */
function inOrder(index: CacheIndex | undefined): readonly MessageHeader[] {
  const timeline = new Timeline();
  for (const { headers, arrival } of index?.headers ?? []) timeline.merge(headers, arrival);
  return timeline.headers;
}

/** What follows the first line of an index. */
function withoutHead(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}

function lineOf(headers: readonly MessageHeader[], arrival: 'before' | 'after' = 'after'): IndexLine {
  return { arrival, entries: headers.map((header) => ({ header })) };
}

function wholeText(headers: readonly MessageHeader[]): string {
  return encodeHead(key) + [...wholeLines(headers, noBodies, place)].map(encodeLine).join('');
}

describe('the line that repeats the newest messages', () => {
  it('begins with a prompt that is newer than what is before it, and has at least 200 messages', () => {
    const headers = headersOf(600);
    const line = newestLine(headers, noBodies, 600);
    const [first] = line?.entries ?? [];
    const start = headers.findIndex(({ messageId }) => messageId === first?.header.messageId);
    expect(isPrompt(headers[start]!)).toBe(true);
    expect(headers[start]!.createdAt).toBeGreaterThan(headers[start - 1]!.createdAt);
    expect(start).toBeGreaterThanOrEqual(200);
    expect(start).toBeLessThanOrEqual(400);
    expect(line?.entries.map(({ header }) => header)).toEqual(headers.slice(start));
    expect(line?.newestOf).toBe(600);
  });

  it.each<[string, readonly MessageHeader[]]>([
    ['there are fewer than 500 messages', headersOf(499)],
    ['no turn begins among the last 400', headersOf(900).map((header) => ({ ...header, role: 'assistant' as const }))],
    [
      'all prompts have the time of the message before them',
      headersOf(900).map((header) => ({ ...header, createdAt: 5 })),
    ],
  ])('is left out if %s', (_, headers) => {
    expect(newestLine(headers, noBodies, headers.length)).toBeUndefined();
    expect(readNewest(withoutHead(wholeText(headers)))).toBeUndefined();
  });

  it('does not change what an index says, neither here nor in a version that takes it for any other line', async () => {
    const headers = headersOf(700);
    const text = wholeText(headers);
    const lines = [...wholeLines(headers, noBodies, place)];
    expect(lines.at(-1)?.newestOf).toBe(700);
    expect(inOrder(await readIndex(text, key))).toEqual(headers);
    expect((await readIndex(text, key))?.headers.flatMap((batch) => batch.headers)).toHaveLength(700);
    const asAnyLine = encodeHead(key) + lines.map((line) => encodeLine({ ...line, newestOf: undefined })).join('');
    expect(inOrder(await readIndex(asAnyLine, key))).toEqual(headers);
  });
});

/** A change to an index that has been begun. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('new' as const), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant('older' as const), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant('update' as const), at: fc.nat(1_000) }),
  fc.record({ kind: fc.constant('repeat' as const) }),
);

describe('the end of an index', () => {
  it('has the newest messages of the whole index, whatever was added and wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (changes, cut) => {
          const timeline = new Timeline();
          timeline.merge(headersOf(520, 1_000));
          let text = wholeText(timeline.headers);
          const begunLength = text.length;
          let [first, next] = [1_000, 1_520];
          const add = (line: IndexLine) => {
            timeline.merge(
              line.entries.map(({ header }) => header),
              line.arrival,
            );
            text += encodeLine(line);
          };
          for (const each of changes) {
            if (each.kind === 'new') add(lineOf(headersOf(each.count, (next += each.count) - each.count)));
            else if (each.kind === 'older') add(lineOf(headersOf(each.count, (first -= each.count)), 'before'));
            else if (each.kind === 'update') {
              const at = first + (each.at % (next - first));
              add(lineOf([headerAt(at, { updatedAt: 1e6 + text.length, text: 'changed' })]));
            } else {
              const line = newestLine(timeline.headers, noBodies, timeline.headers.length);
              if (line) text += encodeLine(line);
            }
          }
          const left = text.slice(0, begunLength + Math.floor((text.length - begunLength) * cut));
          const whole = inOrder(await readIndex(left, key));
          const newest = readNewest(withoutHead(left));
          expect(newest?.headers.length).toBeGreaterThanOrEqual(200);
          expect(newest?.headers).toEqual(whole.slice(-newest!.headers.length));
          expect(newest?.totalCount).toBeLessThanOrEqual(whole.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is unknown if the line that repeats it is damaged', () => {
    const text = withoutHead(wholeText(headersOf(600)));
    expect(readNewest(text)?.totalCount).toBe(600);
    expect(readNewest(text.replace('"newestOf":600', '"newestOf":601'))).toBeUndefined();
    expect(readNewest(text.slice(0, -1))).toBeUndefined();
    expect(readNewest('')).toBeUndefined();
  });
});

describe('the newest messages of a cached session', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const windows: CacheWindow[] = [];
  beforeEach(async () => ({ path: folder, remove } = await temporaryFolder()));
  afterEach(async () => {
    for (const window of windows.splice(0)) await window.close();
    await remove();
  });

  const open = async () => {
    const window = await CacheWindow.open(folder);
    windows.push(window);
    return window;
  };
  const messages = Array.from({ length: 900 }, (_, at) => ({
    ...{ id: `m${at}`, role: at % 3 === 0 ? ('user' as const) : ('assistant' as const) },
    ...{ createdAt: 1e6 + at * 1_000, updatedAt: 1e6 + at * 1_000 },
    content: [{ type: 'text' as const, text: `message m${at}` }],
  }));
  /** Reads all messages in one window, and begins a new index in a second one. Both windows are closed at the end. */
  const fill = async (order: 'asc' | 'desc' = 'asc') => {
    const service = new LocalService(messages, { order });
    const window = await open();
    await window.readAll(service.api);
    await window.close();
    windows.length = 0;
    // A window that begins an index writes it whole.
    const next = await open();
    await next.restore();
    next.store.takeMessages(key, [{ ...messages.at(-1)!, updatedAt: 2e9 }]);
    await next.close();
    windows.length = 0;
    return service;
  };
  /** Reads everything that a restore reads, three times. */
  const longerThanRestore = async (window: CacheWindow) => {
    for (let time = 0; time < 3; time += 1) expect(await window.messages.headers(key)).toHaveLength(900);
  };
  const indexPaths = async () => [...(await cacheFiles(folder)).keys()].filter((path) => path.endsWith('.index'));

  it.each(['asc', 'desc'] as const)('can be shown before the others are read, with their bodies, %s', async (order) => {
    await fill(order);
    const window = await open();
    const newest = await window.history.readNewest(key);
    const ids = newest!.headers.map(({ messageId }) => messageId);
    expect(ids.length).toBeGreaterThanOrEqual(200);
    expect(ids.length).toBeLessThan(500);
    expect(ids).toEqual(messages.slice(-ids.length).map(({ id }) => id));
    expect(newest!.totalCount).toBe(900);
    expect(window.record.headers).toEqual([]);
    expect(window.record.history.completeness).toBe('unread');
    expect(await window.texts(ids)).toEqual(ids.map((id) => `message ${id}`));

    await window.restore();
    expect(window.ids).toEqual(messages.map(({ id }) => id));
    expect(window.record.history.completeness).toBe('complete');
    expect(window.record.headers.slice(-ids.length)).toEqual(newest!.headers);
    expect(await window.texts(['m0', 'm899'])).toEqual(['message m0', 'message m899']);
    expect(await window.history.readNewest(key)).toBeUndefined();
  });

  it('load nothing from the service, which would take the place of the others', async () => {
    const service = await fill();
    for (const path of (await cacheFiles(folder)).keys()) if (path.endsWith('.bodies')) await rm(path);
    const window = await open();
    window.api = service.api;
    expect(await window.history.readNewest(key)).toBeDefined();
    service.api.takeCount();
    expect(await window.texts(['m899'])).toEqual([]);
    await longerThanRestore(window);
    expect(service.api.takeCount()).toBe(0);
    expect(window.ids).toEqual([]);
    await window.restore();
    expect(window.ids).toHaveLength(900);
  });

  it('delay the restore that a refresh requests, but not one that is needed', async () => {
    await fill();
    const window = await open();
    expect(await window.history.readNewest(key)).toBeDefined();
    let isRestored = false;
    const later = window.history.restoreWhenShown(key).then(() => (isRestored = true));
    await longerThanRestore(window);
    expect([isRestored, window.ids.length]).toEqual([false, 0]);
    await window.history.restore(key);
    expect(window.ids).toHaveLength(900);
    await later;
  });

  /** Disconnects the service, so that its sessions leave the list but stay in the cache, and connects it again. */
  const addAgain = ({ store }: CacheWindow) => {
    store.setConnection({ kind: 'noService' });
    store.removeSession(key);
    store.setConnection(ready);
    store.addSession({ key, addedAt: 2 });
  };

  it('delay nothing after their session was removed and added again', async () => {
    await fill();
    const window = await open();
    expect(await window.history.readNewest(key)).toBeDefined();
    addAgain(window);
    let isRestored = false;
    void window.history.restoreWhenShown(key).then(() => (isRestored = true));
    await longerThanRestore(window);
    expect([isRestored, window.ids.length]).toEqual([true, 900]);
  });

  it('are not shown if their session is removed and added again while they are read', async () => {
    await fill();
    const window = await open();
    const reading = window.history.readNewest(key);
    addAgain(window);
    expect(await reading).toBeUndefined();
    await window.history.restoreWhenShown(key);
    expect(window.ids).toHaveLength(900);
  });

  it.each([
    ['added', false],
    ['added and shown', true],
  ])('are followed by the others if their session is removed and %s again while those are read', async (_, isShown) => {
    await fill();
    const window = await open();
    await window.history.readNewest(key);
    const restoring = window.history.restore(key);
    addAgain(window);
    if (isShown) await window.history.readNewest(key);
    await restoring;
    expect(window.ids).toHaveLength(900);
    expect(window.record.history.completeness).toBe('complete');
    await window.history.restoreWhenShown(key);
  });

  it('are read again after their session was restored, removed, and added again', async () => {
    await fill();
    const window = await open();
    await window.restore();
    addAgain(window);
    expect(window.ids).toEqual([]);
    await window.restore();
    expect(window.ids).toHaveLength(900);
  });

  it('delay nothing if there are none', async () => {
    const window = await open();
    expect(await window.history.readNewest(key)).toBeUndefined();
    await window.history.restoreWhenShown(key);
    expect(window.ids).toEqual([]);
  });

  it('are not in the way if the cache is cleared before the others are read', async () => {
    const service = await fill();
    const window = await open();
    expect(await window.history.readNewest(key)).toBeDefined();
    await window.cache.clear();
    expect(await window.texts(['m899'])).toEqual([]);
    await window.restore();
    expect(window.ids).toEqual([]);
    await window.readAll(service.api);
    expect(window.ids).toHaveLength(900);
  });

  it('are those of the most complete index, and unknown while an index does not repeat them', async () => {
    await fill();
    const [path = ''] = await indexPaths();
    const whole = await readFile(path, 'utf8');
    const lines = whole.split('\n');
    const repeated = lines.findIndex((line) => line.includes('"newestOf"'));
    const other = `${dirname(path)}/${process.pid}-0-00000000.index`;
    await writeFile(
      other,
      lines
        .map((line, at) => (at === repeated ? '' : line))
        .filter((line) => line !== '')
        .join('\n') + '\n',
    );
    const window = await open();
    expect(await window.history.readNewest(key)).toBeUndefined();
    await rm(other);
    expect((await window.history.readNewest(key))?.totalCount).toBe(900);
  });

  it('belong to the index wherever a crash cuts it', async () => {
    await fill();
    const [path = ''] = await indexPaths();
    const window = await open();
    await window.restore();
    for (const at of [898, 450, 899]) window.store.takeMessages(key, [{ ...messages[at]!, updatedAt: 3e9 + at }]);
    await window.close();
    windows.length = 0;
    const paths = await indexPaths();
    const own = paths.find((each) => each !== path) ?? path;
    for (const each of paths) if (each !== own) await rm(each);
    const bytes = await readFile(own);
    const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []));
    let shownCount = 0;
    for (const end of ends.flatMap((each) => [each - 1, each])) {
      await writeFile(own, bytes.subarray(0, end));
      const after = await open();
      const newest = await after.history.readNewest(key);
      await after.restore();
      const whole = after.record.headers;
      if (newest) expect(newest.headers).toEqual(whole.slice(-newest.headers.length));
      if (newest) shownCount += 1;
      await after.close();
      windows.length = 0;
    }
    expect(shownCount).toBeGreaterThan(0);
  });

  it('stay near the end of an index that grows', async () => {
    const service = await fill();
    const window = await open();
    await window.restore();
    for (let at = 0; at < 700; at += 1) {
      window.store.takeMessages(key, [
        { ...messages[899]!, updatedAt: 3e9 + at, content: [{ type: 'text', text: `${at} ${'x'.repeat(100)}` }] },
      ]);
      await window.messages.flush();
    }
    await window.close();
    windows.length = 0;
    const sizes = await Promise.all(
      (await indexPaths()).map(async (path) => (await readFile(path, 'utf8')).split('"newestOf"')),
    );
    const grown = sizes.find(({ length }) => length > 2);
    expect(grown?.at(-1)?.length).toBeLessThan(300_000);
    const next = await open();
    const newest = await next.history.readNewest(key);
    expect(newest?.headers.at(-1)?.firstLine).toContain('699 ');
    expect(service.ids).toHaveLength(900);
  });
});
