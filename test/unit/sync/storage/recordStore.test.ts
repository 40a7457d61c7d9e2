import { spawnSync } from 'node:child_process';
import { mkdir, readFile, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { silentLog } from '../../../../src/shared/log.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import type { RecordFormat, TaggedFormat } from '../../../../src/sync/storage/recordFormat.ts';
import { createRecordStore, openDisk, type RecordStore } from '../../../../src/sync/storage/recordStore.ts';
import { removeAllRecords } from '../../../../src/sync/storage/removalMarks.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { until } from '../../../fakes/until.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

interface Note {
  readonly text: string;
}
const format: RecordFormat<Note> = { version: 1, schema: z.object({ text: z.string() }) };
const tagged: TaggedFormat<Note> = { ...format, tagOf: ({ text }) => text };

describe('records on disk (R34)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const open = () => openDisk(folder.path, silentLog);

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('are read unchanged by a new store on the same folder', async () => {
    await (await open()).write('notes/a.json', format, { text: 'grün 🌱' });
    const disk = await open();
    expect(await disk.read('notes/a.json', format)).toEqual({ kind: 'record', record: { text: 'grün 🌱' } });
    expect(await disk.list('notes')).toEqual(['notes/a.json']);
    expect(await disk.read('notes/b.json', format)).toEqual({ kind: 'absent' });
    await disk.remove('notes/a.json');
    await disk.remove('notes/a.json');
    expect(await disk.list('notes')).toEqual([]);
    expect(await disk.list('nowhere')).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('are readable by the user only', async () => {
    await (await open()).write('notes/a.json', format, { text: 'x' });
    expect((await stat(join(folder.path, 'notes/a.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder.path, 'notes'))).mode & 0o777).toBe(0o700);
  });

  it('contain the last of many writes, regardless of the duration of each write', async () => {
    let slow = 1;
    const disk = await openDisk(folder.path, silentLog, undefined, async (from, to) => {
      for (let turns = slow++ % 3 === 1 ? 50 : 0; turns > 0; turns--)
        await new Promise((resolve) => setImmediate(resolve));
      await rename(from, to);
    });
    const writes = Array.from({ length: 20 }, (_, index) => disk.write('a.json', format, { text: `${index}` }));
    const read = disk.read('a.json', format);
    await Promise.all(writes);
    expect(await read).toEqual({ kind: 'record', record: { text: '19' } });
  });

  it.each([
    ['not JSON', '{"version":1,"rec'],
    ['another shape', '{"version":1,"record":{"text":5}}'],
    ['no envelope', '[]'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['empty', ''],
  ])('are quarantined and reported if they are damaged (%s)', async (_, content) => {
    await mkdir(join(folder.path, 'notes'));
    await writeFile(join(folder.path, 'notes/a.json'), content);
    const disk = await open();
    const read = await disk.read('notes/a.json', format);
    expect(read).toMatchObject({ kind: 'unreadable', name: 'notes/a.json' });
    const keptAs = read.kind === 'unreadable' ? read.keptAs : '';
    expect(keptAs).toMatch(/^notes\/a\.json\.unreadable-\d+$/);
    expect(await readFile(join(folder.path, keptAs))).toEqual(Buffer.from(content));
    expect(await disk.list('notes')).toEqual([]);
    expect(await disk.hasQuarantined('notes')).toBe(true);
    await disk.write('notes/a.json', format, { text: 'new' });
    expect(await disk.read('notes/a.json', format)).toMatchObject({ record: { text: 'new' } });
  });

  it.each([
    ['fields all', '[]'],
    ['fields version', '{"version":"1","record":{}}'],
    ['fields text, size', '{"version":1,"record":{"text":5,"size":"big"}}'],
    ['checksum', withChecksum({ version: 1, record: { text: 'x', size: 1 } }).replace('"x"', '"y"')],
  ])('that are damaged are reported with the reason (%s), but not with their text', async (reason, content) => {
    await writeFile(join(folder.path, 'a.json'), content);
    const sized = { version: 1, schema: z.object({ text: z.string(), size: z.number() }) };
    expect(await (await open()).read('a.json', sized)).toMatchObject({ cause: 'damaged', reason });
  });

  it('without a checksum, as the first builds wrote them, are read too', async () => {
    await writeFile(join(folder.path, 'a.json'), '{"version":1,"record":{"text":"x"}}');
    expect(await (await open()).read('a.json', format)).toEqual({ kind: 'record', record: { text: 'x' } });
  });

  it('of a newer version are neither overwritten nor removed, unless the remover does not care', async () => {
    const disk = await open();
    const newer = withChecksum({ version: 2, record: { text: 'x' } });
    await writeFile(join(folder.path, 'a.json'), newer);
    await expect(disk.write('a.json', format, { text: 'y' })).rejects.toMatchObject({ code: 'ENEWER' });
    await expect(disk.remove('a.json', format)).rejects.toMatchObject({ code: 'ENEWER' });
    await expect(disk.retire('a.json', format)).rejects.toMatchObject({ code: 'ENEWER' });
    expect(await readFile(join(folder.path, 'a.json'), 'utf8')).toBe(newer);
    await disk.remove('a.json');
    expect(await disk.read('a.json', format)).toEqual({ kind: 'absent' });
  });

  it('are overwritten if the file is damaged before its version', async () => {
    const disk = await open();
    await writeFile(join(folder.path, 'a.json'), '?{"version":2,"record":{"text":"x"}}');
    await disk.write('a.json', format, { text: 'y' });
    expect(await disk.read('a.json', format)).toEqual({ kind: 'record', record: { text: 'y' } });
  });

  it('stay retired in every window, also after others were retired, and have no content on disk', async () => {
    const disk = await open();
    for (const name of ['notes/a.json', 'notes/b.json']) {
      await disk.write(name, format, { text: 'secret' });
      await disk.retire(name, format);
    }
    await disk.retire('notes/c.json', format);
    for (const name of ['notes/a.json', 'notes/b.json', 'notes/c.json'])
      expect(await (await open()).read(name, format)).toEqual({ kind: 'retired' });
    for (const name of await readdir(join(folder.path, 'removed')))
      expect((await stat(join(folder.path, 'removed', name))).size).toBe(0);
    expect(await disk.names('notes')).toEqual([]);
  });

  it('are never damaged for a window that reads them while another one retires them', async () => {
    const [one, two] = [await open(), await open()];
    const text = 'x'.repeat(4_000_000);
    for (let turn = 0; turn < 10; turn++) {
      await one.write('notes/a.json', format, { text });
      const reads = Array.from({ length: 4 }, () => two.read('notes/a.json', format));
      const [, ...kinds] = await Promise.all([one.retire('notes/a.json', format), ...reads]);
      for (const { kind } of kinds) expect(['record', 'retired']).toContain(kind);
    }
    expect(await two.hasQuarantined('notes')).toBe(false);
  });

  it('are only retired with the tag that is given, and without content if they are damaged', async () => {
    const [one, two] = [await open(), await open()];
    await one.write('notes/a.json', tagged, { text: 'first' });
    await two.write('notes/a.json', tagged, { text: 'second' });
    expect(await one.retireTagged('notes/a.json', tagged, 'first')).toEqual({ text: 'second' });
    expect(await two.read('notes/a.json', tagged)).toEqual({ kind: 'record', record: { text: 'second' } });
    expect(await readdir(join(folder.path, 'removed'))).toEqual([]);
    expect(await one.retireTagged('notes/a.json', tagged, 'second')).toBeUndefined();
    expect(await two.read('notes/a.json', tagged)).toEqual({ kind: 'retired' });
    expect(await one.retireTagged('notes/a.json', tagged, 'second')).toBeUndefined();
    await two.write('notes/a.json', tagged, { text: 'third' });
    await writeFile(join(folder.path, 'notes', 'a.json'), 'damaged');
    expect(await one.retireTagged('notes/a.json', tagged, 'third')).toBeUndefined();
    expect(await two.read('notes/a.json', tagged)).toEqual({ kind: 'retired' });
    expect(await readdir(join(folder.path, 'notes'))).toEqual([]);
    expect((await stat(join(folder.path, 'removed', 'notes-a.json'))).size).toBe(0);
  });

  it.each<[string, { aside?: string; newer?: string; left?: string }]>([
    ['is removed if it has the tag', { aside: 'first' }],
    ['is put back if it has another tag', { aside: 'second', left: 'second' }],
    ['is removed if another window has written a new one', { aside: 'second', newer: 'third', left: 'third' }],
    ['is removed if it is damaged', {}],
  ])('that a window set aside before it ended %s', async (_, { aside, newer, left }) => {
    const killed = createRecordStore(folder.path, silentLog, undefined, async (from, to) => {
      await rename(from, to);
      if (to.includes('.retiring-')) throw new Error('killed');
    });
    await killed.write('notes/a.json', tagged, { text: aside ?? 'damaged' });
    if (aside === undefined) await writeFile(join(folder.path, 'notes', 'a.json'), 'damaged');
    await expect(killed.retireTagged('notes/a.json', tagged, 'first')).rejects.toThrow('killed');
    const [one, two] = [await open(), await open()];
    expect(await one.read('notes/a.json', tagged)).toEqual({ kind: 'retired' });
    if (newer !== undefined) await one.write('notes/a.json', tagged, { text: newer });
    await Promise.all([one.settle('notes', tagged), two.settle('notes', tagged)]);
    const read = left === undefined ? { kind: 'retired' } : { kind: 'record', record: { text: left } };
    expect(await one.read('notes/a.json', tagged)).toEqual(read);
    expect(await readdir(join(folder.path, 'notes'))).toEqual(left === undefined ? [] : ['a.json']);
  });

  it('that a newer version wrote while they were set aside are put back', async () => {
    const disk = await open();
    await disk.write('notes/a.json', { ...format, version: 2 }, { text: 'newer' });
    await rename(join(folder.path, 'notes', 'a.json'), join(folder.path, 'notes', 'a.json.retiring-first'));
    await disk.settle('notes', tagged);
    expect(await disk.read('notes/a.json', tagged)).toMatchObject({ kind: 'unreadable', cause: 'newer' });
  });

  it.each([
    ['a week if they were retired', 'notes-a.json', 7 * 86_400_000],
    ['five minutes if the user deleted all data', 'all', 300_000],
  ])('are known to be removed for %s', async (_, mark, keptMs) => {
    const clock = new FakeClock();
    await mkdir(join(folder.path, 'removed'));
    const path = join(folder.path, 'removed', mark);
    await writeFile(path, '');
    await utimes(path, clock.now() / 1000, clock.now() / 1000);
    const read = async () => (await openDisk(folder.path, silentLog, clock)).read('notes/a.json', format);
    clock.jump(keptMs);
    expect(await read()).toEqual({ kind: 'retired' });
    clock.jump(1);
    expect(await read()).toEqual({ kind: 'absent' });
    expect(await readdir(join(folder.path, 'removed'))).toEqual([]);
  });

  it('are all removed at the user’s request, and count as retired in other windows', async () => {
    const disk = await open();
    await disk.write('notes/a.json', format, { text: 'x' });
    await disk.write('b.json', format, { text: 'x' });
    await disk.retire('b.json', format);
    await removeAllRecords(folder.path);
    expect(await readdir(folder.path)).toEqual(['removed']);
    for (const name of ['notes/a.json', 'b.json', 'notes/never.json'])
      expect(await disk.read(name, format)).toEqual({ kind: 'retired' });
    await disk.write('notes/a.json', format, { text: 'y' });
    expect(await disk.read('notes/a.json', format)).toEqual({ kind: 'record', record: { text: 'y' } });
  });

  describe('after the user deleted all data', () => {
    const clock = new FakeClock();
    const missing = 'notes/a.json';
    const openNow = () => createRecordStore(folder.path, silentLog, clock);
    const deleteAll = async () => {
      await removeAllRecords(folder.path);
      await utimes(join(folder.path, 'removed', 'all'), clock.now() / 1000, clock.now() / 1000);
    };
    const kindAfter = async (ms: number, disk: RecordStore) => {
      clock.jump(ms);
      return (await disk.read(missing, format)).kind;
    };

    it('count as lost after five minutes, in windows that stay open, too', async () => {
      const disk = openNow();
      await deleteAll();
      expect(await kindAfter(0, disk)).toBe('retired');
      expect(await kindAfter(300_000, disk)).toBe('retired');
      expect(await kindAfter(1, disk)).toBe('absent');
    });

    it('count as lost after five minutes if no file was missing in an open window until then', async () => {
      const disk = openNow();
      await deleteAll();
      await disk.list('notes');
      expect(await kindAfter(300_001, disk)).toBe('absent');
    });

    it('count as retired for another five minutes in a window that was suspended meanwhile', async () => {
      const disk = openNow();
      await deleteAll();
      expect(await kindAfter(3_600_000, disk)).toBe('retired');
      expect(await kindAfter(300_000, disk)).toBe('retired');
      expect(await kindAfter(1, disk)).toBe('absent');
      await deleteAll();
      expect(await kindAfter(3_600_000, disk)).toBe('retired');
    });

    it('count as lost in a window that is opened later', async () => {
      await deleteAll();
      clock.jump(300_001);
      expect(await kindAfter(0, openNow())).toBe('absent');
    });

    it('count as retired for five minutes if the clock was set back', async () => {
      const disk = openNow();
      await deleteAll();
      clock.set(-3_600_000);
      expect(await kindAfter(0, disk)).toBe('retired');
      expect(await kindAfter(300_001, disk)).toBe('absent');
    });
  });

  it('are watched by folder, with the names that they are read by', async () => {
    const disk = await open();
    const names: (string | undefined)[] = [];
    const watcher = disk.watch('notes', (name) => names.push(name));
    await disk.write('notes/a.json', format, { text: 'x' });
    await until(() => names.includes('notes/a.json'), 'the name');
    watcher.dispose();
  });

  it('are complete on disk after flush', async () => {
    const disk = await open();
    const writes = Array.from({ length: 5 }, (_, index) => disk.write(`notes/${index}.json`, format, { text: 'x' }));
    await disk.flush();
    expect(await disk.names('notes')).toHaveLength(writes.length);
    await Promise.all(writes);
  });

  it('can be read if their folder was never prepared', async () => {
    const disk = createRecordStore(join(folder.path, 'missing'), silentLog);
    expect(await disk.read('a.json', format)).toEqual({ kind: 'absent' });
    expect(await readdir(folder.path)).toEqual([]);
    await disk.prepare();
    expect((await stat(join(folder.path, 'missing'))).mode & 0o777).toBe(0o700);
  });

  it('of a newer version are left in place', async () => {
    await (await open()).write('a.json', { ...format, version: 2 }, { text: 'x' });
    const read = await (await open()).read('a.json', format);
    expect(read).toMatchObject({ kind: 'unreadable', keptAs: 'a.json' });
    expect(await readdir(folder.path)).toEqual(['a.json']);
  });

  it('are saved after retries if another program temporarily holds the file open', async () => {
    const clock = new FakeClock();
    let refusals = 3;
    const disk = await openDisk(folder.path, silentLog, clock, async (from, to) => {
      if (refusals-- > 0) throw Object.assign(new Error('held'), { code: 'EPERM' });
      await rename(from, to);
    });
    const written = disk.write('a.json', format, { text: 'x' });
    for (let waits = 0; waits < 3; waits++) await until(() => clock.advanceToNext());
    await written;
    expect(await disk.read('a.json', format)).toMatchObject({ record: { text: 'x' } });
  });

  it('stay retired if another window retires them while they are written', async () => {
    const other = await open();
    await other.write('a.json', format, { text: 'first' });
    await other.retire('a.json', format);
    const disk = await openDisk(folder.path, silentLog, undefined, async (from, to) => {
      await rename(from, to);
      await other.retire('a.json', format);
    });
    await disk.write('a.json', format, { text: 'second' });
    expect(await disk.read('a.json', format)).toEqual({ kind: 'retired' });
  });

  it('stay unchanged if a write fails, and leave no partial file', async () => {
    const disk = await openDisk(folder.path, silentLog, undefined, async (from, to) => {
      if ((await readFile(from, 'utf8')).includes('second')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      await rename(from, to);
    });
    await disk.write('a.json', format, { text: 'first' });
    await expect(disk.write('a.json', format, { text: 'second' })).rejects.toThrow('full');
    expect(await disk.read('a.json', format)).toMatchObject({ record: { text: 'first' } });
    expect(await readdir(folder.path)).toEqual(['a.json']);
  });

  it('are cleaned of temporary files of an earlier process with the same ID, and of very old ones', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    await mkdir(join(folder.path, 'notes'));
    const own = `notes/a.json.${process.pid}-${id}.tmp`;
    const earlier = `notes/b.json.${process.pid}-${id}.tmp`;
    const alive = `notes/c.json.${process.ppid}-${id}.tmp`;
    for (const name of [own, earlier, alive]) await writeFile(join(folder.path, name), '');
    const beforeThisProcess = Date.now() / 1000 - process.uptime() - 10;
    await utimes(join(folder.path, earlier), beforeThisProcess, beforeThisProcess);
    await utimes(join(folder.path, alive), Date.now() / 1000 - 4_000, Date.now() / 1000 - 4_000);
    await open();
    expect(await readdir(join(folder.path, 'notes'))).toEqual([own.slice('notes/'.length)]);
  });

  it('are cleaned of temporary files left by a crash, but not of files that another window is writing', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    await mkdir(join(folder.path, 'notes'));
    const stray = `notes/a.json.${dead}-${id}.tmp`;
    const alive = `notes/b.json.${process.ppid}-${id}.tmp`;
    for (const name of [stray, alive]) await writeFile(join(folder.path, name), '');
    await open();
    expect(await readdir(join(folder.path, 'notes'))).toEqual([alive.slice('notes/'.length)]);
  });
});
