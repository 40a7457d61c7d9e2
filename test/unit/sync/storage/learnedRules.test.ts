import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { LearnedRules } from '../../../../src/sync/storage/learnedRules.ts';
import { originRecordName } from '../../../../src/sync/storage/recordNames.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { readRecordFile } from '../../../fakes/recordFile.ts';
import { replaceFile } from '../../../fakes/damage.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { CountingDisk, temporaryFolder } from '../outbox/outboxRig.ts';

const origin = 'https://service.test';

describe('a rule learned from a service', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const name = originRecordName('habits', origin);
  const path = () => join(folder.path, name);
  const open = async () => {
    const disk = new CountingDisk(await openDisk(folder.path, silentLog));
    const records = new RecordStores(disk);
    return { disk, records, rules: new LearnedRules('habits', ['kept', 'dropped'], records, silentLog) };
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('is known to later windows, for this service only', async () => {
    const { rules } = await open();
    expect(await rules.read(origin)).toBeUndefined();
    await rules.learn(origin, 'dropped');
    expect(await rules.read(origin)).toBe('dropped');
    expect(await readRecordFile(path())).toEqual({ version: 1, record: { origin, rule: 'dropped' } });
    const later = await open();
    expect(await later.rules.read(origin)).toBe('dropped');
    expect(await later.rules.read('https://other.test')).toBeUndefined();
    await later.rules.learn(origin, 'kept');
    expect(await (await open()).rules.read(origin)).toBe('kept');
  });

  it('is read and written once', async () => {
    await (await open()).rules.learn(origin, 'kept');
    const { disk, rules } = await open();
    expect(await rules.read(origin)).toBe('kept');
    await disk.remove(name);
    expect(await rules.read(origin)).toBe('kept');
    await rules.learn(origin, 'kept');
    expect(await disk.names('habits')).toEqual([]);
  });

  it('is ignored if the file is of another service, or contains another value', async () => {
    for (const record of [
      { origin: 'https://other.test', rule: 'kept' },
      { origin, rule: 'unheard of' },
    ]) {
      await (await open()).rules.learn(origin, 'kept');
      await replaceFile(path(), withChecksum({ version: 1, record }));
      expect(await (await open()).rules.read(origin)).toBeUndefined();
    }
  });

  it('stays in memory for a temporary service, and if it can’t be saved or read', async () => {
    const { disk, records, rules } = await open();
    disk.writeError = new Error('full');
    await rules.learn(origin, 'kept');
    expect(await rules.read(origin)).toBe('kept');
    disk.read = () => Promise.reject(new Error('unreadable'));
    expect(await rules.read('https://other.test')).toBeUndefined();
    disk.writeError = undefined;
    records.keepInMemory('http://demo.test');
    await rules.learn('http://demo.test', 'kept');
    expect(await readdir(folder.path)).toEqual([]);
  });
});
