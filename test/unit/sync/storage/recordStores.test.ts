import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { silentLog } from '../../../../src/shared/log.ts';
import { MemoryRecordStore } from '../../../../src/sync/storage/memoryRecordStore.ts';
import type { RecordFormat } from '../../../../src/sync/storage/recordFormat.ts';
import { type RecordStore, openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const format: RecordFormat<{ readonly text: string }> = { version: 1, schema: z.object({ text: z.string() }) };
const record = { text: 'hello' };

describe('record stores', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('keep the records of a temporary service in memory', async () => {
    const records = new RecordStores(await openDisk(folder.path, silentLog));
    records.keepInMemory('http://demo.test');
    await records.of('http://demo.test').write('notes/a.json', format, record);
    expect(await readdir(folder.path)).toEqual([]);
    expect(await records.of('http://demo.test').read('notes/a.json', format)).toEqual({ kind: 'record', record });
    await records.of('https://other.test').write('notes/a.json', format, record);
    expect(await readdir(folder.path)).toEqual(['notes']);
  });

  it.each<[string, () => Promise<RecordStore>]>([
    ['on disk', () => openDisk(folder.path, silentLog)],
    ['in memory', () => Promise.resolve(new MemoryRecordStore())],
  ])('behave the same %s', async (_, open) => {
    const store = await open();
    expect(await store.read('notes/a.json', format)).toEqual({ kind: 'absent' });
    await store.write('notes/a.json', format, record);
    expect(await store.read('notes/a.json', format)).toEqual({ kind: 'record', record });
    expect(await store.read('notes/a.json', { ...format, version: 0 })).toMatchObject({ kind: 'unreadable' });
    expect([await store.create('notes/b', 'one'), await store.create('notes/b', 'two')]).toEqual([true, false]);
    expect([await store.overwrite('notes/b', 'six'), await store.overwrite('notes/c', 'six')]).toEqual([true, false]);
    expect([await store.readText('notes/b'), await store.readText('notes/c')]).toEqual(['six', undefined]);
    expect(await store.names('notes')).toEqual(['notes/a.json', 'notes/b']);
    expect(await store.list('notes')).toEqual(['notes/a.json']);
    await store.write('notes/0.json', format, record);
    await store.write('letters/notes', format, record);
    expect(await store.names('notes')).toEqual(['notes/0.json', 'notes/a.json', 'notes/b']);
    expect(await store.hasQuarantined('notes')).toBe(false);
    await store.remove('notes/0.json');
    await store.remove('notes/a.json');
    await store.remove('notes/a.json');
    expect(await store.names('notes')).toEqual(['notes/b']);
    await store.retire('notes/a.json', format);
    expect(await store.read('notes/a.json', format)).toEqual({ kind: 'retired' });
    await store.write('notes/a.json', format, record);
    expect(await store.read('notes/a.json', format)).toEqual({ kind: 'record', record });
    await store.remove('notes/a.json');
    expect(await store.read('notes/a.json', format)).toEqual({ kind: 'absent' });
    await store.write('notes/a.json', format, record);
    const tagged = { ...format, tagOf: (tagsOf: typeof record) => JSON.stringify(tagsOf) };
    expect(await store.retireTagged('notes/a.json', tagged, 'another')).toEqual(record);
    expect(await store.read('notes/a.json', format)).toEqual({ kind: 'record', record });
    expect(await store.retireTagged('notes/a.json', tagged, tagged.tagOf(record))).toBeUndefined();
    expect(await store.read('notes/a.json', format)).toEqual({ kind: 'retired' });
  });
});
