import { mkdir, readdir, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { SavedCursor } from '../../../../src/sync/cache/indexFormat.ts';
import { MessageCache } from '../../../../src/sync/cache/messageCache.ts';
import { cacheFolder } from '../../../../src/sync/cache/cacheRecord.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { until } from '../../../fakes/until.ts';
import { CacheWindow, cacheFiles, type WindowOptions } from './cacheRig.ts';
import { key } from '../history/historyRig.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const megabyte = 1024 * 1024;
const cursor: SavedCursor = { order: 'newestFirst', completeness: 'complete', roleStops: [], unnamedIds: [] };

let folder: string;
let remove: () => Promise<void>;
const windows: CacheWindow[] = [];
beforeEach(async () => ({ path: folder, remove } = await temporaryFolder()));
afterEach(async () => {
  for (const window of windows.splice(0)) await window.close();
  await remove();
});

async function open(options?: WindowOptions): Promise<CacheWindow> {
  const window = await CacheWindow.open(folder, options);
  windows.push(window);
  return window;
}

/** Opens a window that may write the session. */
async function begin(options?: WindowOptions): Promise<CacheWindow> {
  const window = await open(options);
  window.messages.saveCursor(key, cursor);
  return window;
}

/** Creates a message that takes exactly `sizeBytes` on disk. */
function messageOf(id: string, sizeBytes: number, updatedAt = 1): Message {
  const sized = (text: string): Message => ({ id, createdAt: 1, updatedAt, content: [{ type: 'text', text }] });
  return sized('x'.repeat(sizeBytes - JSON.stringify(sized('')).length));
}

async function take(window: CacheWindow, ...messages: readonly Message[]): Promise<void> {
  window.store.takeMessages(key, messages);
  await window.messages.flush();
}

describe('the bodies in memory', () => {
  /** The IDs of the messages whose bodies are available without the files. */
  async function inMemory(window: CacheWindow, ...messageIds: readonly string[]): Promise<string[]> {
    await window.messages.clear();
    return (await window.store.readBodies(key, messageIds)).map(({ id }) => id);
  }

  it('take up to 8 MB', async () => {
    const window = await begin();
    await take(window, messageOf('a', 4 * megabyte), messageOf('b', 4 * megabyte));
    expect(await inMemory(window, 'a', 'b')).toEqual(['a', 'b']);
  });

  it('count once if a message changes', async () => {
    const window = await begin();
    await take(window, messageOf('a', 4 * megabyte));
    await take(window, messageOf('a', 4 * megabyte, 2));
    await take(window, messageOf('b', 4 * megabyte));
    expect(await inMemory(window, 'a', 'b')).toEqual(['a', 'b']);
  });

  it('above 8 MB are those that were used last', async () => {
    const window = await begin();
    await take(window, messageOf('a', 4 * megabyte), messageOf('b', 4 * megabyte));
    await window.store.readBodies(key, ['a']);
    await take(window, messageOf('c', 100));
    expect(await inMemory(window, 'a', 'b', 'c')).toEqual(['a', 'c']);
  });

  it('include none of a session that is no longer in the list', async () => {
    const other = { ...key, sessionId: `${key.sessionId}1` };
    const window = await begin({ keys: [key, other] });
    window.messages.saveCursor(other, cursor);
    window.store.takeMessages(other, [messageOf('a', 100)]);
    await take(window, messageOf('a', 100));
    window.store.removeSession(key);
    expect(await inMemory(window, 'a')).toEqual([]);
    expect(await window.store.readBodies(other, ['a'])).toHaveLength(1);
  });
});

describe('the size limit of the cache', () => {
  const sweeper = (capBytes?: number) =>
    new MessageCache({
      folder,
      clock: new FakeClock(),
      log: silentLog,
      ...(capBytes === undefined ? {} : { capBytes }),
    });
  /**
   * Creates the folder of a session, with 100 bytes in two files. The folder was used at `usedAt`, and the newest file
   * in it at `fileUsedAt` (Unix s).
   */
  const fill = async (name: string, usedAt: number, fileUsedAt = usedAt) => {
    await mkdir(join(folder, name));
    for (const [file, sizeBytes] of [
      ['a', 60],
      ['b', 40],
    ] as const) {
      await writeFile(join(folder, name, file), 'x'.repeat(sizeBytes));
      await utimes(join(folder, name, file), file === 'a' ? fileUsedAt : 1, file === 'a' ? fileUsedAt : 1);
    }
    await utimes(join(folder, name), usedAt, usedAt);
  };

  it.each([
    [300, ['1', '2', '3']],
    [299, ['1', '3']],
    [200, ['1', '3']],
    [199, ['3']],
    [0, []],
  ])('removes as many of the least recently used sessions as needed: %i of 300 bytes', async (capBytes, kept) => {
    await fill('1', 2_000);
    await fill('2', 1_000);
    await fill('3', 3_000);
    await sweeper(capBytes).sweep();
    expect(await readdir(folder)).toEqual(kept);
  });

  it('counts a session as used when its folder or the newest of its files was used', async () => {
    await fill('1', 1_000, 4_000);
    await fill('2', 3_000, 2_000);
    await fill('3', 5_000, 1_000);
    await sweeper(200).sweep();
    expect(await readdir(folder)).toEqual(['1', '3']);
  });

  it('ignores files that disappear, and files that are not in the folder of a session', async () => {
    await fill('1', 3_000);
    await fill('2', 2_000);
    await symlink(join(folder, 'gone'), join(folder, '2', 'c'));
    await utimes(join(folder, '2'), 2_000, 2_000);
    await symlink(join(folder, 'gone'), join(folder, '0'));
    await writeFile(join(folder, 'file'), 'x');
    await sweeper(200).sweep();
    expect((await readdir(folder)).sort()).toEqual(['0', '1', '2', 'file']);
    await sweeper(100).sweep();
    expect((await readdir(folder)).sort()).toEqual(['0', '1', 'file']);
  });

  it('is 200 MB', async () => {
    await fill('1', 1_000);
    await fill('2', 2_000);
    const path = join(folder, '2', 'b');
    await truncate(path, 200 * megabyte - 160);
    await utimes(path, 1, 1);
    await sweeper().sweep();
    expect(await readdir(folder)).toEqual(['1', '2']);
    await truncate(path, 200 * megabyte - 159);
    await utimes(path, 1, 1);
    await sweeper().sweep();
    expect(await readdir(folder)).toEqual(['2']);
  });

  it('is checked without an error before anything is cached', async () => {
    await rm(folder, { recursive: true });
    await expect(sweeper(0).sweep()).resolves.toBeUndefined();
    await expect(sweeper(0).clear()).resolves.toBeUndefined();
    await expect(sweeper(0).remove(key)).resolves.toBeUndefined();
    await expect(sweeper(0).written(key)).resolves.toBeUndefined();
  });

  it('is checked again each time a window has written 20 MB', async () => {
    const window = await begin({ capBytes: 0 });
    const closed = join(folder, cacheFolder, 'closed');
    const isThere = () =>
      stat(closed).then(
        () => true,
        () => false,
      );
    await mkdir(closed, { recursive: true });
    await take(window, messageOf('a', 10 * megabyte), messageOf('b', 10 * megabyte - 100));
    await cacheFiles(folder);
    expect(await isThere()).toBe(true);
    await take(window, messageOf('c', 100));
    await until(async () => !(await isThere()), 'the sweep');
    await mkdir(closed);
    await take(window, messageOf('d', 100));
    await cacheFiles(folder);
    expect(await isThere()).toBe(true);
    await take(window, messageOf('e', 10 * megabyte), messageOf('f', 10 * megabyte - 100));
    await until(async () => !(await isThere()), 'the next sweep');
  });
});

describe('the files of a session whose bodies changed often', () => {
  const sizeBytes = async () => {
    let sum = 0;
    for (const [path, { length }] of await cacheFiles(folder)) if (path.endsWith('.bodies')) sum += length;
    return sum;
  };
  /** Writes two versions of a message, and then opens another window, which begins new files. */
  async function sizeAfter(firstBytes: number, secondBytes: number): Promise<number> {
    const first = await begin();
    await take(first, messageOf('a', firstBytes));
    await take(first, messageOf('a', secondBytes, 2));
    await first.close();
    expect(await sizeBytes()).toBe(firstBytes + secondBytes);
    const second = await open();
    await second.restore();
    second.messages.saveCursor(key, { ...cursor, order: 'unknown' });
    await second.close();
    return sizeBytes();
  }

  it.each([
    ['are rewritten from 4 MB if at most half of that is in use', 2 * megabyte, 2 * megabyte, 2 * megabyte],
    ['are kept below 4 MB', 3 * megabyte, megabyte - 1, 4 * megabyte - 1],
    ['are kept if more than half of them is in use', 2 * megabyte, 2 * megabyte + 1, 4 * megabyte + 1],
  ])('%s', async (_, firstBytes, secondBytes, keptBytes) => {
    expect(await sizeAfter(firstBytes, secondBytes)).toBe(keptBytes);
  });

  it('are replaced by new files in a window that begins its index again', async () => {
    const window = await begin();
    await take(window, messageOf('a', 3 * megabyte));
    await take(window, messageOf('a', megabyte, 2));
    expect(await sizeBytes()).toBe(4 * megabyte);
    for (const path of (await cacheFiles(folder)).keys()) if (path.endsWith('.index')) await rm(path);
    await take(window, messageOf('b', 100));
    expect(await sizeBytes()).toBe(megabyte + 100);
    expect(await window.store.readBodies(key, ['a', 'b'])).toHaveLength(2);
  });

  it('keep every body when they are rewritten', async () => {
    const first = await begin();
    await take(first, messageOf('big', 4 * megabyte));
    const ids = Array.from({ length: 250 }, (_, index) => `m${index}`);
    await take(first, messageOf('big', 100, 2), ...ids.map((id) => messageOf(id, 100)));
    await first.close();
    const second = await open();
    await second.restore();
    second.messages.saveCursor(key, { ...cursor, order: 'unknown' });
    await second.close();
    expect(await sizeBytes()).toBe(251 * 100);
    const third = await open();
    await third.restore();
    expect(await third.store.readBodies(key, ['big', ...ids])).toHaveLength(251);
    const [path = ''] = (await cacheFiles(folder)).keys();
    if (process.platform !== 'win32') expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  });
});
