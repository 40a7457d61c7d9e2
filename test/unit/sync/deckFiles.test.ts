import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/log.ts';
import { DeckFiles } from '../../../src/sync/deckFiles.ts';
import { openDisk } from '../../../src/sync/disk.ts';
import { temporaryFolder } from './rig.ts';

describe('the deck on disk', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const open = async () => new DeckFiles(await openDisk(folder.path, silentLog));
  const key = (sessionId: string, origin = 'https://a.test') => ({ origin, sessionId });

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('keeps sessions by service and id, in the order added', async () => {
    const deck = await open();
    await deck.add({ key: key('b'), addedAt: 2 });
    await deck.add({ key: key('b', 'https://b.test'), computerId: 'c1', addedAt: 3 });
    await deck.add({ key: key('../a b/ü\n'), addedAt: 1 });
    await deck.add({ key: key('gone'), addedAt: 4 });
    await deck.remove(key('gone'));
    const { entries, unreadable } = await (await open()).load();
    expect(unreadable).toEqual([]);
    expect(entries.map((entry) => [entry.key.origin, entry.key.sessionId, entry.computerId, entry.addedAt])).toEqual([
      ['https://a.test', '../a b/ü\n', undefined, 1],
      ['https://a.test', 'b', undefined, 2],
      ['https://b.test', 'b', 'c1', 3],
    ]);
  });

  it('keeps fields it does not know', async () => {
    const deck = await open();
    await deck.add({ key: key('a'), addedAt: 1 });
    const [name = ''] = await readdir(join(folder.path, 'deck'));
    const path = join(folder.path, 'deck', name);
    const stored = JSON.parse(await readFile(path, 'utf8')) as { record: object };
    await writeFile(path, JSON.stringify({ ...stored, record: { ...stored.record, isPinned: true } }));
    await deck.add({ key: key('a'), computerId: 'c', addedAt: 2 });
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      record: { isPinned: true, computerId: 'c', addedAt: 2 },
    });
  });

  it('reports a damaged file and goes on with the others', async () => {
    const deck = await open();
    await deck.add({ key: key('a'), addedAt: 1 });
    await writeFile(join(folder.path, 'deck', 'bad.json'), 'x');
    const { entries, unreadable } = await (await open()).load();
    expect(entries).toHaveLength(1);
    expect(unreadable).toMatchObject([{ name: 'deck/bad.json' }]);
  });
});
