import { spawnSync } from 'node:child_process';
import { readFile, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import type { BodyPlace } from '../../../../src/sync/cache/indexColumns.ts';
import { type SavedCursor, wholeLines } from '../../../../src/sync/cache/indexFormat.ts';
import { type BodyBytes, SessionFiles } from '../../../../src/sync/cache/sessionFiles.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { key } from '../history/historyRig.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const cursor: SavedCursor = { order: 'newestFirst', completeness: 'complete', roleStops: [], unnamedIds: [] };
const messageOf = (id: string, text = id) => ({
  ...{ id, createdAt: 1, updatedAt: 1 },
  content: [{ type: 'text' as const, text }],
});

function bodyOf(id: string, text = id): BodyBytes {
  const bytes = new TextEncoder().encode(JSON.stringify(messageOf(id, text)));
  return { messageId: id, updatedAt: 1, bytes, checksum: crc32(bytes) };
}

describe('the files of a cached session', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let clock: FakeClock;
  beforeEach(async () => {
    ({ path: folder, remove } = await temporaryFolder());
    clock = new FakeClock();
  });
  afterEach(() => remove());

  const open = () => new SessionFiles(folder, key, clock);
  const begin = (files: SessionFiles, messageIds: readonly string[], bodies = new Map<string, BodyPlace>()) => {
    const headers = messageIds.map((messageId) => summarizeMessage(messageOf(messageId)));
    return files.begin(wholeLines(headers, bodies, cursor), new Set([...bodies.values()].map((body) => body.fileName)));
  };
  const idsIn = async (files = open()) =>
    (await files.readIndex(true))?.headers.flatMap(({ headers }) => headers.map(({ messageId }) => messageId));
  const textsOf = async (places: readonly BodyPlace[], files = open()) =>
    (await files.read(places)).map(({ content: [block] }) => (block?.type === 'text' ? block.text : '?'));
  const newestName = async (kind: string, known: readonly string[] = []) =>
    (await readdir(folder)).find((name) => name.endsWith(kind) && !known.includes(name))!;

  /** Writes the indexes of two windows as if neither window had removed the other index. Returns the names of both. */
  const beginBoth = async (one: readonly string[], other: readonly string[]) => {
    await begin(open(), one);
    const first = await newestName('.index');
    const content = await readFile(join(folder, first));
    await begin(open(), other);
    const second = await newestName('.index', [first]);
    await writeFile(join(folder, first), content);
    return [first, second] as const;
  };

  it('return bodies of several files in the order of their places', async () => {
    const files = open();
    const first = await files.appendBodies(['a', 'b', 'c', 'd'].map((id) => bodyOf(id)));
    const second = await files.appendBodies([bodyOf('e')]);
    const other = await open().appendBodies([bodyOf('f')]);
    const places = new Map([...first, ...second, ...other]);
    const at = (...ids: string[]) => ids.map((id) => places.get(id)!);
    expect(await textsOf(at('d', 'a', 'c', 'e'))).toEqual(['d', 'a', 'c', 'e']);
    expect(await textsOf(at('b', 'f', 'e'))).toEqual(['b', 'f', 'e']);
    expect(await files.bodiesSizeBytes()).toBe([...places.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  });

  it('leave out bodies whose bytes changed, are cut off, or are gone', async () => {
    const files = open();
    const places = await files.appendBodies([bodyOf('a'), bodyOf('b', 'x'.repeat(50)), bodyOf('c')]);
    const path = join(folder, await newestName('.bodies'));
    await writeFile(path, (await readFile(path, 'utf8')).replace('xxx', 'xyx'));
    expect(await textsOf([...places.values()])).toEqual(['a', 'c']);
    await truncate(path, (await stat(path)).size - 1);
    expect(await textsOf([...places.values()])).toEqual(['a']);
    await rm(path);
    expect(await textsOf([...places.values()])).toEqual([]);
  });

  it('include no file for bodies if there are none', async () => {
    expect((await open().appendBodies([])).size).toBe(0);
    expect(await readdir(folder)).toEqual([]);
    expect(await open().bodiesSizeBytes()).toBe(0);
  });

  it('are read from the index with the most messages, even if it is older', async () => {
    const [larger] = await beginBoth(['a', 'b'], ['c']);
    await utimes(join(folder, larger), 1, 1);
    expect(await idsIn()).toEqual(['a', 'b']);
  });

  it.each(['a', 'b'])(
    'are read from the newest of several indexes with the same number of messages: %s',
    async (newer) => {
      const [first, second] = await beginBoth(['a'], ['b']);
      await utimes(join(folder, first), 1_000, newer === 'a' ? 3_000 : 1_000);
      await utimes(join(folder, second), 1_000, 2_000);
      expect(await idsIn()).toEqual([newer]);
    },
  );

  it('include the locations of bodies up to the end of their file, but not beyond it', async () => {
    const files = open();
    const places = await files.appendBodies([bodyOf('a'), bodyOf('b')]);
    await begin(files, ['a', 'b'], places);
    const known = async () => [...((await open().readIndex())?.bodies.keys() ?? [])];
    expect(await known()).toEqual(['a', 'b']);
    const path = join(folder, await newestName('.bodies'));
    await truncate(path, (await stat(path)).size - 1);
    expect(await known()).toEqual(['a']);
    await rm(path);
    expect(await known()).toEqual([]);
    expect(await idsIn()).toEqual(['a', 'b']);
  });

  it('count as used when they are read, unless they are only searched', async () => {
    await begin(open(), ['a']);
    await utimes(folder, 1_000, 1_000);
    await open().readIndex(true);
    expect((await stat(folder)).mtimeMs).toBe(1_000_000);
    await open().readIndex();
    expect((await stat(folder)).mtimeMs).toBe(clock.now());
  });

  it('can be appended to only after their index was begun', async () => {
    const files = open();
    const line = {
      arrival: 'after',
      entries: [{ header: summarizeMessage(messageOf('b')) }],
      place: cursor,
    } as const;
    await expect(files.append(line)).rejects.toThrow('ENOENT');
    await begin(files, ['a']);
    await files.append(line);
    expect(await idsIn()).toEqual(['a', 'b']);
  });

  it('replace unused files of ended windows, but no other files', async () => {
    const endedPid = spawnSync(process.execPath, ['-e', '']).pid;
    const earlier = open();
    const used = await earlier.appendBodies([bodyOf('a')]);
    await begin(earlier, ['a'], used);
    const usedNames = await readdir(folder);
    const orphans = [`${endedPid}-abc-0123abcd.bodies`, `${endedPid}-abc-0123abcd.index`];
    const foreign = [`x${endedPid}-abc-0123abcd.bodies`, `${endedPid}-abc-0123abcd.bodies.bak`, 'session'];
    for (const name of [...orphans, ...foreign]) await writeFile(join(folder, name), '');
    await begin(open(), ['a'], used);
    const index = await newestName('.index', usedNames);
    const bodies = usedNames.filter((name) => name.endsWith('.bodies'));
    expect((await readdir(folder)).sort()).toEqual([...foreign, ...bodies, index].sort());
  });

  it('are all kept while any other window that has files here is running', async () => {
    const endedPid = spawnSync(process.execPath, ['-e', '']).pid;
    const names = [endedPid, process.ppid].map((pid) => `${pid}-abc-0123abcd.bodies`);
    for (const name of names) await writeFile(join(folder, name), '');
    await begin(open(), ['a']);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(names));
  });

  it('are new after a renewal', async () => {
    const files = open();
    const before = await files.appendBodies([bodyOf('a')]);
    files.renew();
    const after = await files.appendBodies([bodyOf('b')]);
    expect(after.get('b')).toMatchObject({ offset: 0 });
    expect(after.get('b')?.fileName).not.toBe(before.get('a')?.fileName);
  });
});
