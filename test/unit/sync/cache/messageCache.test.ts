import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { type Message, readMessage } from '../../../../src/api/resources/message.ts';
import type { SavedCursor } from '../../../../src/sync/cache/indexFormat.ts';
import { SessionFiles } from '../../../../src/sync/cache/sessionFiles.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { sessionHash } from '../../../../src/sync/storage/recordNames.ts';
import { parseRecordFile } from '../../../fakes/recordFile.ts';
import { until } from '../../../fakes/until.ts';
import { CacheWindow, type WindowOptions, cacheFiles, ready } from './cacheRig.ts';
import { LocalService, key, never, numbered, orders } from '../history/historyRig.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => ({ path: folder, remove } = await temporaryFolder()));
const windows: CacheWindow[] = [];
afterEach(async () => {
  for (const window of windows.splice(0)) await window.close();
  await remove();
});

async function open(options?: WindowOptions): Promise<CacheWindow> {
  const window = await CacheWindow.open(folder, options);
  windows.push(window);
  return window;
}

/** Reads all messages in a window and closes it. */
async function fill(service: LocalService, options?: WindowOptions): Promise<void> {
  const window = await open(options);
  await window.readAll(service.api);
  await window.close();
}

async function restored(options?: WindowOptions): Promise<CacheWindow> {
  const window = await open(options);
  await window.restore();
  return window;
}

it('the cache can be restored and swept while another window removes its files', async () => {
  const service = new LocalService(20);
  await fill(service);
  const [path = ''] = (await cacheFiles(folder)).keys();
  // Dangling links simulate listed files that no longer exist. They sort before all existing files.
  await symlink(join(folder, 'gone'), join(dirname(path), '1-a-a.index'));
  await symlink(join(folder, 'gone'), join(dirname(dirname(path)), '0'));
  const second = await restored();
  expect(second.ids).toEqual(service.ids);
  expect(await second.texts(['m3'])).toEqual(['message m3']);
  await expect(second.messages.sweep()).resolves.toBeUndefined();
});

it('the messages of a transient session are removed with it', async () => {
  const window = await open({ keys: [] });
  window.store.addSession({ key, addedAt: 1, parentId: 'parent', isTransient: true });
  await window.readAll(new LocalService(3).api);
  await window.cache.flush();
  expect((await cacheFiles(folder)).size).toBeGreaterThan(0);
  window.store.removeSession(key);
  await until(async () => (await cacheFiles(folder)).size === 0, 'the files to go');
});

describe.each(orders)('a session read in an earlier window, %s', (order) => {
  it('is available without the service, with its headers in order, its bodies, and its loading state', async () => {
    const messages = numbered(320).map((message, place) => ({
      ...message,
      createdAt: message.createdAt - (place % 3) * 1_000,
    }));
    const service = new LocalService(messages, { order });
    const first = await open();
    await first.readAll(service.api);
    const { headers } = first.record;
    await first.close();

    const second = await restored();
    expect(second.record.headers).toEqual(headers);
    expect(second.ids).toEqual(service.ids);
    const { tailCursor, ...history } = second.record.history;
    expect(history).toEqual({ completeness: 'complete', isLoading: false });
    expect(tailCursor !== undefined).toBe(order === 'asc');
    expect(await second.texts(['m0', 'm317', 'm5'])).toEqual(['message m0', 'message m317', 'message m5']);
  });

  it('is known to be complete up to its newest message if it was read while the agent was idle', async () => {
    const service = new LocalService(20, { order });
    for (const [status, settledCount] of [
      ['running', undefined],
      ['idle', 20],
    ] as const) {
      const window = await open();
      await window.history.refresh(service.api, key, never, { status, messageCount: 20, updatedAt: 5 });
      await window.close();
      expect((await restored()).record.history.settledCount).toBe(settledCount);
    }
  });

  it.each([0, 1, 150])('needs requests only for new messages after restoring the cache: %i new', async (added) => {
    const service = new LocalService(1_000, { order });
    await fill(service);
    service.add(added);
    const second = await restored();
    service.api.takeCount();
    await second.refresh(service.api);
    expect(service.api.takeCount()).toBeLessThanOrEqual(1 + Math.ceil(added / 100));
    expect(second.ids).toEqual(service.ids);
  });

  it('has no gaps, no matter where earlier windows stopped reading', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(350),
        fc.array(fc.record({ added: fc.nat(230), calls: fc.nat(4), older: fc.nat(2) }), { maxLength: 5 }),
        async (count, windows) => {
          const own = await temporaryFolder();
          const service = new LocalService(count, { order });
          for (const { added, calls, older } of windows) {
            const window = await CacheWindow.open(own.path);
            await window.restore();
            let left = calls;
            service.api.before = () => {
              if (left-- === 0) throw new ApiError('unreachable', 'reset', { sent: 'maybe' });
            };
            await window.refresh(service.api).catch(() => undefined);
            for (let page = 0; page < older; page++) {
              await window.history.loadOlder(service.api, key, new AbortController().signal).catch(() => undefined);
            }
            service.add(added);
            await window.close();
          }
          service.api.before = undefined;
          const last = await CacheWindow.open(own.path);
          await last.restore();
          await last.readAll(service.api);
          expect(last.ids).toEqual(service.ids);
          await last.close();
          await own.remove();
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('the files of the cache', () => {
  it('are accessible only to their owner, and are not written again without changes', async () => {
    const service = new LocalService(20);
    await fill(service);
    const before = await cacheFiles(folder);
    expect(before.size).toBe(2);
    for (const path of before.keys()) expect((await stat(path)).mode & 0o777).toBe(0o600);
    const second = await restored();
    await second.refresh(service.api);
    await second.refresh(service.api);
    await second.close();
    expect(await cacheFiles(folder)).toEqual(before);
  });

  it('grow while a message is streamed, and are rewritten when most of their content is out of date', async () => {
    const service = new LocalService(3);
    const window = await open();
    await window.readAll(service.api);
    for (let length = 1; length <= 60; length++) {
      service.revise('m2', 'x'.repeat(length * 5_000));
      await window.history.refreshNewest(service.api, key, new AbortController().signal);
      await window.messages.flush();
    }
    await window.close();
    const bytes = async () => [...(await cacheFiles(folder)).values()].reduce((sum, { length }) => sum + length, 0);
    expect(await bytes()).toBeGreaterThan(4 * 1024 * 1024);
    service.add(1);
    const second = await restored();
    await second.refresh(service.api);
    await second.close();
    expect(await bytes()).toBeLessThan(400_000);
    const third = await restored();
    expect((await third.texts(['m0', 'm2'])).map(({ length }) => length)).toEqual([10, 300_000]);
  });

  it('contain each body once, even if its message is read several times', async () => {
    const service = new LocalService(200, { listRoles: false, order: 'asc' });
    await fill(service);
    const [bodies] = [...(await cacheFiles(folder))].filter(([path]) => path.endsWith('.bodies'));
    for (const { id } of service.messages) expect(bodies![1].toString().split(`"${id}"`)).toHaveLength(2);
    const second = await restored();
    expect(second.record.headers.map(({ role }) => role)).toEqual(service.messages.map(({ role }) => role));
  });
});

describe('damage', () => {
  /** Changes the only file with this extension. */
  async function damage(kind: string, change: (path: string, content: Buffer) => Promise<void>): Promise<void> {
    const [found] = [...(await cacheFiles(folder))].filter(([path]) => path.endsWith(kind));
    await change(found![0], found![1]);
  }

  it.each(['half', 'one letter', 'garbage', 'another version', 'nothing'])(
    'to the index (%s) only requires reading the history again',
    async (how) => {
      const service = new LocalService(250, { order: 'asc' });
      await fill(service);
      await damage('.index', async (path, content) => {
        if (how === 'half') await truncate(path, Math.floor(content.length / 2));
        if (how === 'one letter') await writeFile(path, content.toString().replace('message m120', 'message m121'));
        if (how === 'garbage') await writeFile(path, 'no index');
        if (how === 'another version')
          await writeFile(path, content.toString().replace(/"version":\d+/, '"version":0'));
        if (how === 'nothing') await truncate(path, 0);
      });
      const second = await restored();
      expect(second.ids).toEqual([]);
      expect(second.record.history.completeness).toBe('unread');
      await second.readAll(service.api);
      expect(second.ids).toEqual(service.ids);
      await second.close();
      expect((await restored()).ids).toEqual(service.ids);
    },
  );

  it('to the last line of the index does not affect the lines before it', async () => {
    const service = new LocalService(50);
    const window = await open();
    await window.readAll(service.api);
    await window.messages.flush();
    service.add(3);
    await window.refresh(service.api);
    await window.close();
    await damage('.index', (path, content) => truncate(path, content.length - 10));
    const second = await restored();
    expect(second.ids).toEqual(service.ids.slice(0, 50));
    await second.refresh(service.api);
    expect(second.ids).toEqual(service.ids);
  });

  it.each(['cut', 'overwritten', 'gone'])(
    'to bodies (%s) makes the window read them from the service and save them again',
    async (how) => {
      const service = new LocalService(250);
      await fill(service);
      await damage('.bodies', async (path, content) => {
        if (how === 'cut') await truncate(path, 1_000);
        if (how === 'overwritten')
          await writeFile(
            path,
            content.map((byte) => byte ^ 1),
          );
        if (how === 'gone') await writeFile(path, '');
      });
      const second = await restored();
      expect(second.ids).toEqual(service.ids);
      const asked = second.ids.slice(-40);
      expect((await second.texts(asked)).length).toBe(0);
      second.api = service.api;
      const told: string[] = [];
      second.store.onDidChange(({ type }) => told.push(type));
      service.api.takeCount();
      await second.texts(asked);
      await until(() => told.includes('messages'), 'the bodies');
      expect(await second.texts(asked)).toEqual(asked.map((messageId) => `message ${messageId}`));
      expect(service.api.takeCount()).toBe(1);
      await second.close();
      const third = await restored();
      expect((await third.texts(asked)).length).toBe(40);
    },
  );

  it('by an invalid line at the end of the index does not affect the lines before it', async () => {
    const service = new LocalService(5);
    await fill(service);
    await damage('.index', (path) => appendFile(path, '00000000 {"arrival":"after","entries":[["x"]]}\n'));
    expect((await restored()).ids).toEqual(service.ids);
  });
});

describe('two windows on one folder', () => {
  it.each(orders)('never mix their writes, and later windows restore the most complete state (%s)', async (order) => {
    const service = new LocalService(120, { order });
    await fill(service);
    const windows = [await restored(), await restored()] as const;
    service.add(30);
    await windows[0].refresh(service.api);
    await windows[0].messages.flush();
    service.add(30);
    await Promise.all(windows.map((window) => window.refresh(service.api)));
    service.revise('m119', 'edited');
    await Promise.all(windows.map((window) => window.close()));
    const third = await restored();
    expect(third.ids).toEqual(service.ids);
    expect((await third.texts(service.ids.filter((id) => id !== 'm119'))).length).toBe(179);
  });

  it('keep working after one of them clears the cache', async () => {
    const service = new LocalService(60);
    const [one, other] = [await open(), await open()];
    await one.readAll(service.api);
    await other.readAll(service.api);
    // Both windows are in this process here, so a write of the first would take the files of the second for those of an
    // ended window, and remove them.
    await Promise.all([one, other].map((window) => window.messages.flush()));
    await one.cache.clear();
    service.add(5);
    await other.refresh(service.api);
    await other.close();
    const third = await restored();
    expect(third.ids).toEqual(service.ids);
    expect((await third.texts(service.ids.slice(-5))).length).toBe(5);
  });
});

describe('the cache', () => {
  it('removes its files and writes nothing when it is turned off, and keeps the conversation readable', async () => {
    const service = new LocalService(30);
    await fill(service);
    let isEnabled = true;
    const window = await restored({ isEnabled: () => isEnabled });
    isEnabled = false;
    await window.cache.followSetting();
    expect((await cacheFiles(folder)).size).toBe(0);
    service.add(2);
    await window.refresh(service.api);
    await window.close();
    expect((await cacheFiles(folder)).size).toBe(0);
    expect((await window.texts(service.ids.slice(-2))).length).toBe(2);
    const next = await restored({ isEnabled: () => false });
    expect(next.ids).toEqual([]);
  });

  it('does not save the state of a session again after it is cleared, until the state changes', async () => {
    const service = new LocalService(3);
    const window = await restored();
    const session = await service.api.getSession(key.sessionId);
    window.store.takeSession(key, session, 1_000, 1);
    await window.cache.flush();
    expect((await cacheFiles(folder)).size).toBe(1);
    await window.cache.clear();
    window.store.takeSession(key, { ...session }, 2_000, 1);
    await window.cache.flush();
    expect((await cacheFiles(folder)).size).toBe(0);
    window.store.takeSession(key, { ...session, title: 'Another title' }, 3_000, 1);
    await window.cache.flush();
    expect((await cacheFiles(folder)).size).toBe(1);
  });

  it('has all messages if it was turned off and on again while messages arrived, also during a write', async () => {
    const service = new LocalService(30);
    let isEnabled = true;
    const window = await open({ isEnabled: () => isEnabled });
    await window.readAll(service.api);
    const takeWhileOff = async () => {
      isEnabled = false;
      // These are more messages than the next refresh reads again.
      service.add(120);
      await window.refresh(service.api);
      isEnabled = true;
    };
    await window.messages.flush();
    await takeWhileOff();
    const begin = vi.spyOn(SessionFiles.prototype, 'begin').mockImplementationOnce(async function (
      this: SessionFiles,
      ...given
    ) {
      begin.mockRestore();
      await takeWhileOff();
      return this.begin(...given);
    });
    for (let round = 0; round < 2; round++) {
      service.add(1);
      await window.refresh(service.api);
      await window.messages.flush();
    }
    await window.close();
    const next = await restored();
    expect(next.ids).toEqual(service.ids);
    expect(await next.texts(service.ids)).toHaveLength(service.ids.length);
  });

  it('remembers nothing for a later write while it is off', async () => {
    let isEnabled = false;
    const window = await open({ isEnabled: () => isEnabled });
    const service = new LocalService(3);
    await window.refresh(service.api);
    for (let read = 0; read < 100; read++) window.store.takeMessages(key, [await service.api.getMessage('s1', 'm2')]);
    isEnabled = true;
    const headers = vi.spyOn(window.store, 'header');
    await window.messages.flush();
    service.add(1);
    await window.refresh(service.api);
    await window.messages.flush();
    expect(headers.mock.calls.length).toBeLessThan(50);
  });

  it('removes the files of an earlier window if it was turned off before the window started', async () => {
    await fill(new LocalService(3));
    const window = await restored({ isEnabled: () => false });
    await window.cache.tidy();
    expect((await cacheFiles(folder)).size).toBe(0);
  });

  it('saves nothing from the demo', async () => {
    const service = { origin: key.origin, baseUrl: key.origin, isTemporary: true } as const;
    await fill(new LocalService(3), { connection: { kind: 'ready', service } });
    expect((await cacheFiles(folder)).size).toBe(0);
  });

  it('removes a session that leaves the session list, but keeps sessions of other services', async () => {
    const service = new LocalService(3);
    await fill(service);
    const away = await restored();
    away.store.setConnection({
      kind: 'ready',
      service: { origin: 'https://other.test', baseUrl: 'https://other.test' },
    });
    away.store.removeSession(key);
    await away.close();
    expect((await cacheFiles(folder)).size).toBeGreaterThan(0);
    const window = await restored();
    expect(window.ids).toEqual(service.ids);
    window.store.removeSession(key);
    await until(async () => (await cacheFiles(folder)).size === 0, 'the cache to go');
    window.store.addSession({ key, addedAt: 2 });
    expect(window.ids).toEqual([]);
  });

  it('removes the least recently used sessions when it exceeds its size limit, but keeps open ones', async () => {
    const keys = ['s1', 's2', 's3'].map((sessionId) => ({ ...key, sessionId }));
    for (const asked of keys) {
      const window = await open({ keys: [asked] });
      window.store.takeMessages(asked, [
        { id: 'm', createdAt: 1, updatedAt: 1, content: [{ type: 'text', text: 'x'.repeat(100_000) }] },
      ]);
      window.messages.saveCursor(asked, { order: 'unknown', completeness: 'complete', roleStops: [], unnamedIds: [] });
      await window.close();
      await until(() => true);
    }
    const has = async (sessionId: string) => {
      const window = await open({ keys: [{ ...key, sessionId }] });
      const kept = await window.messages.restore({ ...key, sessionId });
      return kept !== undefined;
    };
    const sweeping = await open({ keys, capBytes: 250_000 });
    await sweeping.messages.restore(keys[0]!);
    await sweeping.messages.sweep();
    expect(await Promise.all(['s1', 's2', 's3'].map(has))).toEqual([true, false, true]);
  });
});

describe('what a window writes to the cache', () => {
  const cursor: SavedCursor = { order: 'newestFirst', completeness: 'complete', roleStops: [], unnamedIds: [] };
  const messageOf = (id: string, text: string, updatedAt = 1): Message => ({
    ...{ id, createdAt: 1, updatedAt },
    content: [{ type: 'text', text }],
  });
  const laterTexts = async (...messageIds: string[]) => (await restored()).texts(messageIds);

  it('is nothing before the loading state of the history is known', async () => {
    const window = await open();
    window.store.takeMessages(key, [messageOf('m', 'text')]);
    await window.messages.flush();
    expect((await cacheFiles(folder)).size).toBe(0);
    expect(await window.texts(['m'])).toEqual(['text']);
    window.messages.saveCursor(key, cursor);
    await window.messages.flush();
    expect(await laterTexts('m')).toEqual(['text']);
  });

  it('is nothing if the cache is turned off before the write starts', async () => {
    let isEnabled = true;
    const window = await open({ isEnabled: () => isEnabled });
    window.messages.saveCursor(key, cursor);
    window.store.takeMessages(key, [messageOf('m', 'text')]);
    isEnabled = false;
    await window.messages.flush();
    expect((await cacheFiles(folder)).size).toBe(0);
  });

  it.each(['at once', 'before it is written', 'after it is written'])(
    'is the newest version of a message that changes %s, even if its size stays the same',
    async (when) => {
      const window = await open();
      window.messages.saveCursor(key, cursor);
      window.store.takeMessages(key, [messageOf('m', 'one', 5)]);
      // The write has started after a few microtasks, but can't end without the event loop.
      for (let step = 0; when === 'before it is written' && step < 5; step++) await Promise.resolve();
      if (when === 'after it is written') await window.messages.flush();
      window.store.takeMessages(key, [messageOf('m', 'two', 5)]);
      window.store.takeMessages(key, [messageOf('m', 'old', 4)]);
      expect(await window.texts(['m'])).toEqual(['two']);
      await window.messages.flush();
      await window.messages.flush();
      window.store.takeMessages(key, [messageOf('m', 'old', 4)]);
      expect(await window.texts(['m'])).toEqual(['two']);
      await window.close();
      expect(await laterTexts('m')).toEqual(['two']);
    },
  );

  it('includes bodies again that were written before the cache was cleared', async () => {
    const service = new LocalService(5);
    const window = await open();
    await window.readAll(service.api);
    await window.messages.flush();
    await window.cache.clear();
    window.store.takeMessages(key, (await service.api.listMessages(key.sessionId)).messages);
    await window.close();
    expect(await laterTexts(...service.ids)).toHaveLength(5);
  });

  it('includes nothing after a failure, until the cache is cleared', async () => {
    const window = await open();
    await mkdir(join(folder, 'cache'), { recursive: true });
    const path = join(folder, 'cache', sessionHash(key));
    await writeFile(path, '');
    expect(await window.messages.restore(key)).toBeUndefined();
    window.messages.saveCursor(key, cursor);
    window.store.takeMessages(key, [messageOf('m', 'one')]);
    await window.messages.flush();
    await rm(path);
    window.store.takeMessages(key, [messageOf('n', 'two')]);
    await window.messages.flush();
    expect((await cacheFiles(folder)).size).toBe(0);
    expect(await window.texts(['m', 'n'])).toEqual(['one', 'two']);
    await window.cache.clear();
    window.messages.saveCursor(key, cursor);
    await window.close();
    expect(await laterTexts('m', 'n')).toEqual(['one', 'two']);
  });

  it('is gone when the removal of its session ends, even if a write was running', async () => {
    const window = await open();
    window.messages.saveCursor(key, cursor);
    window.store.takeMessages(key, [messageOf('m', 'text')]);
    await window.messages.remove(key);
    expect(existsSync(join(folder, 'cache', sessionHash(key)))).toBe(false);
    await window.messages.flush();
    expect((await cacheFiles(folder)).size).toBe(0);
    window.store.takeMessages(key, [messageOf('n', 'again')]);
    await window.close();
    expect(await laterTexts('n')).toEqual(['again']);
  });

  it('includes a body again after the removal of its session', async () => {
    const window = await open();
    window.messages.saveCursor(key, cursor);
    window.store.takeMessages(key, [messageOf('m', 'text')]);
    await window.messages.flush();
    await window.messages.remove(key);
    window.store.takeMessages(key, [messageOf('m', 'text')]);
    await window.close();
    expect(await laterTexts('m')).toEqual(['text']);
  });

  it('can be restored in the same window after another service was shown', async () => {
    const service = new LocalService(5);
    const window = await open();
    await window.readAll(service.api);
    await window.messages.flush();
    const other = { origin: 'https://other.test', baseUrl: 'https://other.test' };
    window.store.setConnection({ kind: 'ready', service: other });
    window.store.removeSession(key);
    window.store.setConnection(ready);
    window.store.addSession({ key, addedAt: 2 });
    const saved = await window.messages.restore(key);
    expect(saved?.batches.flatMap(({ headers }) => headers)).toHaveLength(5);
    expect(await window.texts(['m3'])).toEqual(['message m3']);
  });

  it('is not restored over messages that the window has, or without the session in the list', async () => {
    await fill(new LocalService(5));
    const window = await open();
    window.store.takeMessages(key, [messageOf('m', 'text')]);
    expect(await window.messages.restore(key)).toBeUndefined();
    expect(await (await open({ keys: [] })).messages.restore(key)).toBeUndefined();
  });

  it('does not replace a newer version that arrives while the body is read', async () => {
    await fill(new LocalService(5));
    const window = await restored();
    const reading = window.texts(['m3', 'm4']);
    window.store.takeMessages(key, [messageOf('m3', 'newer', Date.now())]);
    expect(await reading).toEqual(['newer', 'message m4']);
  });

  it('stays if the setting did not change, even if the cache is off', async () => {
    await fill(new LocalService(5));
    const before = await cacheFiles(folder);
    for (const isEnabled of [true, false]) await (await open({ isEnabled: () => isEnabled })).cache.followSetting();
    expect(await cacheFiles(folder)).toEqual(before);
  });
});

describe('a search in cached messages', () => {
  const unstopped = new AbortController().signal;

  it('finds every message, however many there are', async () => {
    await fill(new LocalService(120));
    const { messages } = await open();
    for (const messageId of ['m0', 'm19', 'm20', 'm69', 'm70', 'm119'])
      expect((await messages.find(key, [`message ${messageId}`], unstopped)).hit).toMatchObject({
        excerpt: expect.stringContaining(`message ${messageId}`) as string,
      });
    expect((await messages.find(key, ['message m0'], unstopped)).hit).toEqual({
      messageId: 'm0',
      excerpt: 'message m0',
    });
  });

  it('finds the newest match without loading the session, and does not count as use of the session', async () => {
    await fill(new LocalService(320));
    const { messages, record } = await open();
    const before = await cacheFiles(folder);
    const sessionFolder = join(folder, 'cache', sessionHash(key));
    const { mtimeMs } = await stat(sessionFolder);
    expect((await messages.find(key, ['message', 'm31'], unstopped)).hit).toEqual({
      messageId: 'm319',
      excerpt: 'message m319',
    });
    expect((await messages.find(key, ['m7 '], unstopped)).hit).toBeUndefined();
    expect(await messages.find({ ...key, sessionId: 'other' }, ['message'], unstopped)).toEqual({
      hit: undefined,
      cachedCount: undefined,
    });
    expect(record.headers).toEqual([]);
    expect(await cacheFiles(folder)).toEqual(before);
    expect((await stat(sessionFolder)).mtimeMs).toBe(mtimeMs);
  });

  it('can read all headers in order without loading the session', async () => {
    await fill(new LocalService(120));
    const { messages, record } = await open();
    const before = await cacheFiles(folder);
    const headers = await messages.headers(key);
    expect(headers.map(({ messageId }) => messageId)).toEqual(Array.from({ length: 120 }, (_, at) => `m${at}`));
    expect(await messages.headers({ ...key, sessionId: 'other' })).toEqual([]);
    expect(record.headers).toEqual([]);
    expect(await cacheFiles(folder)).toEqual(before);
  });

  it('can read messages in order without loading the session or making a request', async () => {
    await fill(new LocalService(60));
    const { messages, record } = await open();
    const before = await cacheFiles(folder);
    const asked = ['m50', 'absent', ...Array.from({ length: 30 }, (_, at) => `m${at}`)];
    const reading = vi.spyOn(SessionFiles.prototype, 'readIndex');
    const places = messages.places(key);
    expect(reading).not.toHaveBeenCalled();
    const read = async (messageIds: readonly string[]) => {
      const found: string[] = [];
      for await (const batch of messages.bodies(key, messageIds, places)) found.push(...batch.map(({ id }) => id));
      return found;
    };
    const found = await Promise.all([read(asked), read(['m40']), read(['m41'])]);
    expect(found).toEqual([asked.filter((messageId) => messageId !== 'absent'), ['m40'], ['m41']]);
    expect(reading).toHaveBeenCalledTimes(1);
    reading.mockRestore();
    expect(record.headers).toEqual([]);
    expect(await cacheFiles(folder)).toEqual(before);
  });

  it('knows how many messages the session had when all of them were cached', async () => {
    const service = new LocalService(120);
    const cachedCount = async (options?: WindowOptions) =>
      (await (await open(options)).messages.find(key, ['message m3'], unstopped)).cachedCount;
    const read = async (status: 'idle' | 'running', isWhole: boolean) => {
      const window = await open();
      await window.restore();
      await window.history.refresh(service.api, key, never, { status, messageCount: 120, updatedAt: 5 });
      if (isWhole) await window.history.loadRest(service.api, key, never);
      await window.close();
    };
    expect(await cachedCount()).toBeUndefined();
    await read('idle', false);
    expect(await cachedCount()).toBeUndefined();
    await read('idle', true);
    expect(await cachedCount()).toBe(120);
    await read('running', true);
    expect(await cachedCount()).toBeUndefined();
    await read('idle', true);
    const bodies = [...(await cacheFiles(folder)).keys()].filter((path) => path.endsWith('.bodies'));
    await truncate(bodies[0] ?? '', 1_000);
    expect(await cachedCount()).toBeUndefined();
  });

  it('finds nothing after it is aborted', async () => {
    await fill(new LocalService(60));
    const { messages } = await open();
    expect((await messages.find(key, ['message'], AbortSignal.abort())).hit).toBeUndefined();
  });
});

describe('the last known state of a session', () => {
  const session = {
    sessionId: 's1',
    status: 'running',
    messageCount: 3,
    createdAt: 1,
    updatedAt: 2,
    title: 'Tidy up',
  } as const;

  it('is restored in the next window and marked as remembered until the session is read', async () => {
    const first = await open();
    first.store.takeSession(key, session, 5_000, 1);
    first.store.takeSession(key, session, 9_000, 1);
    await first.close();
    const second = await open();
    await until(() => second.record.session !== undefined, 'the title');
    expect(second.record).toMatchObject({ session, asOf: 9_000, isRemembered: true });
    second.store.takeSession(key, { ...session, status: 'idle' }, 10_000, 1);
    expect(second.record).toMatchObject({ asOf: 10_000, isRemembered: false });
  });

  it('is restored with the reason why its agent may be waiting, without its messages', async () => {
    const idle = { ...session, status: 'idle' } as const;
    const first = await open();
    first.store.takeSession(key, { ...idle, messageCount: 1 }, 9_000, 1);
    await first.cache.flush();
    const content = [{ type: 'text', text: 'Shall I?' }] as const;
    first.store.takeMessages(key, [{ id: 'm', role: 'assistant', createdAt: 1, updatedAt: 1, content: [...content] }]);
    first.store.setHistory(key, { completeness: 'complete', isLoading: false, settledCount: 1 });
    first.clock.advance(6_000);
    const saved = async () => [...(await cacheFiles(folder)).values()].join();
    await until(async () => (await saved()).includes('"rule":"answer"'), 'the reason on disk');
    await first.close();
    const second = await open();
    await until(() => second.record.session !== undefined, 'the title');
    expect(second.record).toMatchObject({
      isRemembered: true,
      headers: [],
      waiting: { messageId: 'm', rule: 'answer', question: 'Shall I?' },
    });
    second.store.takeSession(key, { ...idle, messageCount: 2 }, 10_000, 1);
    await second.close();
    const third = await open();
    await until(() => third.record.session !== undefined, 'the title');
    expect(third.record.waiting).toBeUndefined();
  });

  it('does not replace a newer state, and is ignored if it is damaged', async () => {
    const first = await open();
    first.store.takeSession(key, session, 9_000, 1);
    await first.close();
    const second = await open();
    second.store.takeSession(key, { ...session, title: 'Newer' }, 10_000, 1);
    await second.cache.flush();
    expect(second.record).toMatchObject({ session: { title: 'Newer' }, asOf: 10_000 });
    await second.close();
    expect(String([...(await cacheFiles(folder)).values()][0])).toContain('Newer');
    for (const path of (await cacheFiles(folder)).keys()) await writeFile(path, '{');
    const third = await open();
    await until(async () => (await cacheFiles(folder)).size === 0, 'the damaged file to go');
    expect(third.record.session).toBeUndefined();
  });

  it('is saved every few seconds while every read changes it', async () => {
    const window = await open();
    const written = async () => parseRecordFile(String([...(await cacheFiles(folder)).values()][0]));
    for (let updatedAt = 3; updatedAt < 9; updatedAt++) {
      window.store.takeSession(key, { ...session, updatedAt }, updatedAt, 1);
      window.clock.advance(500);
      await window.disk.flush();
    }
    expect(await written()).toMatchObject({ record: { session: { updatedAt: 3 } } });
    window.clock.advance(5_000);
    await window.disk.flush();
    expect(await written()).toMatchObject({ record: { session: { updatedAt: 8 } } });
  });

  it('is saved five seconds after the last write, and not after dispose or without the session', async () => {
    const window = await open();
    const written = async () => {
      await window.disk.flush();
      return parseRecordFile(String([...(await cacheFiles(folder)).values()][0])).record['session'];
    };
    const come = (updatedAt: number) => window.store.takeSession(key, { ...session, updatedAt }, updatedAt, 1);
    for (const updatedAt of [3, 4]) come(updatedAt);
    window.clock.advance(4_999);
    expect(await written()).toMatchObject({ updatedAt: 3 });
    window.clock.advance(1);
    expect(await written()).toMatchObject({ updatedAt: 4 });
    expect(window.clock.pendingTimers).toBe(1);
    window.cache.dispose();
    expect(window.clock.pendingTimers).toBe(0);
    come(5);
    expect(window.clock.pendingTimers).toBe(0);
    expect(await written()).toMatchObject({ updatedAt: 4 });
    const other = await open();
    other.store.takeSession(key, { ...session, updatedAt: 6 }, 6, 1);
    expect(other.clock.pendingTimers).toBe(1);
    await other.disk.flush();
    other.store.removeSession(key);
    expect(other.clock.pendingTimers).toBe(0);
    await until(async () => (await cacheFiles(folder)).size === 0, 'the files to go');
  });

  it('is not saved for a transient session, or for a change of the list entry alone', async () => {
    const window = await open();
    const child = { ...key, sessionId: 'child' };
    window.store.addSession({ key: child, addedAt: 1, parentId: key.sessionId, isTransient: true });
    window.store.takeSession(child, { ...session, sessionId: 'child' }, 1, 1);
    window.store.addSession({ key, addedAt: 1, isPinned: true });
    expect(window.clock.pendingTimers).toBe(0);
    await window.cache.flush();
    expect((await cacheFiles(folder)).size).toBe(0);
  });

  it.each([
    ['of another session', { key: { ...key, sessionId: 'other' }, session, asOf: 1 }, 1],
    ['without a readable session', { key, session: {}, asOf: 1 }, 1],
    ['of a newer version', { key, session, asOf: 1 }, 2],
  ])('is ignored in a file %s, which stays', async (_, record, version) => {
    const first = await open();
    first.store.takeSession(key, session, 1, 1);
    await first.close();
    const [path = ''] = (await cacheFiles(folder)).keys();
    await writeFile(path, withChecksum({ version, record }));
    const second = await open();
    await second.disk.flush();
    await new Promise((resolve) => setImmediate(resolve));
    expect(second.record.session).toBeUndefined();
    expect((await cacheFiles(folder)).size).toBe(1);
  });

  it('is not restored while the cache is off, and not written again if it is only remembered', async () => {
    const first = await open();
    first.store.takeSession(key, session, 1, 1);
    await first.close();
    const [path = ''] = (await cacheFiles(folder)).keys();
    await utimes(path, 1, 1);
    const off = await open({ isEnabled: () => false });
    await off.disk.flush();
    await new Promise((resolve) => setImmediate(resolve));
    expect(off.record.session).toBeUndefined();
    const second = await open();
    await until(() => second.record.session !== undefined, 'the session');
    await second.close();
    expect((await stat(path)).mtimeMs).toBe(1_000);
  });

  it('is saved once if later reads do not change it', async () => {
    const window = await open();
    window.store.takeSession(key, session, 1_000, 1);
    await until(async () => (await cacheFiles(folder)).size === 1, 'the file, at once');
    window.clock.advance(6_000);
    const before = [...(await cacheFiles(folder)).values()].join();
    for (let read = 0; read < 20; read++) {
      window.store.takeSession(key, { ...session }, 2_000 + read, 1);
      window.clock.advance(6_000);
    }
    await window.disk.flush();
    expect([...(await cacheFiles(folder)).values()].join()).toBe(before);
  });
});

describe('bodies of every kind', () => {
  it('are restored from disk unchanged, with everything that the service sent (R40)', async () => {
    const content = [
      { type: 'text', text: 'a\u2028b \u0000 ü 😀', id: 't', cache_control: { type: 'short' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 'secret' },
      { type: 'tool_use', id: 'u', name: 'run', input: { a: [1, null] } },
      { type: 'tool_result', tool_use_id: 'u', is_error: true, content: 'no' },
      { type: 'document', title: 'd', source: { url: 'https://x.test', parsedData: 'text' } },
      { type: 'other', b: 1 },
    ];
    const details = { role: 'critic', visibility: null, openaiPhase: 'prologue', unlisted: [{ deep: true }] };
    const sent = [
      { id: 'm', createdAt: 1, updatedAt: 2, content, isError: true, ...details },
      { id: 'n', createdAt: 'yesterday', content: 'unreadable' },
    ];
    const messages = sent.map((value) => readMessage(value, 2)!);
    const first = await open();
    first.store.takeMessages(key, messages);
    first.messages.saveCursor(key, { order: 'unknown', completeness: 'complete', roleStops: [], unnamedIds: [] });
    await first.close();
    const second = await restored();
    const read = await second.store.readBodies(key, ['m', 'n']);
    expect(read).toEqual(messages);
    expect(JSON.stringify(read.map(({ wire }) => wire))).toBe(JSON.stringify(sent));
  });
});
