import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { SessionListFiles } from '../../../../src/sync/sessionList/sessionListFiles.ts';
import { changedRecord, newSessionListRecord } from '../../../../src/sync/sessionList/sessionListRecord.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { readRecordFile } from '../../../fakes/recordFile.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

describe('the session list on disk', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const open = async () => new SessionListFiles(new RecordStores(await openDisk(folder.path, silentLog)));
  const recordOf = (sessionId: string, at: number, origin = 'https://a.test') =>
    newSessionListRecord({ origin, sessionId }, at);
  const onlyFile = async () => {
    const [name = ''] = await readdir(join(folder.path, 'deck'));
    return join(folder.path, 'deck', name);
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('keeps sessions by service and ID, in the order added', async () => {
    const sessionList = await open();
    await sessionList.merge(recordOf('b', 2));
    await sessionList.merge(changedRecord(recordOf('b', 3, 'https://b.test'), { computerId: 'c1' }, 3));
    await sessionList.merge(recordOf('../a b/ü\n', 1));
    await sessionList.merge(recordOf('gone', 4));
    await sessionList.drop(recordOf('gone', 4));
    const { records, unreadable } = await (await open()).load();
    expect(unreadable).toEqual([]);
    expect(
      records.map(({ key, computerId, presence }) => [key.origin, key.sessionId, computerId?.value, presence.at]),
    ).toEqual([
      ['https://a.test', '../a b/ü\n', undefined, 1],
      ['https://a.test', 'b', undefined, 2],
      ['https://b.test', 'b', 'c1', 3],
    ]);
  });

  it('merges changes from another window, and keeps unknown fields', async () => {
    const sessionList = await open();
    await sessionList.merge(changedRecord(recordOf('a', 1), { name: 'Mine' }, 2));
    const path = await onlyFile();
    const stored = await readRecordFile(path);
    const colour = { value: 'red', at: 5 };
    await writeFile(path, withChecksum({ ...stored, record: { ...stored.record, colour } }));
    const merged = await sessionList.merge(changedRecord(recordOf('a', 1), { isPinned: true }, 3));
    const both = { name: { value: 'Mine', at: 2 }, isPinned: { value: true, at: 3 }, colour };
    expect(merged).toMatchObject(both);
    expect(await readRecordFile(path)).toMatchObject({ record: both });
  });

  it('reads records in the old format without a timestamp for each field', async () => {
    const sessionList = await open();
    await sessionList.merge(recordOf('a', 1));
    const key = { origin: 'https://a.test', sessionId: 'a' };
    await writeFile(await onlyFile(), JSON.stringify({ version: 1, record: { key, computerId: 'c', addedAt: 7 } }));
    const { records } = await sessionList.load();
    expect(records).toEqual([{ key, presence: { value: true, at: 7 }, computerId: { value: 'c', at: 7 } }]);
  });

  it('reports a damaged file and continues with the others', async () => {
    const sessionList = await open();
    await sessionList.merge(recordOf('a', 1));
    await writeFile(join(folder.path, 'deck', 'bad.json'), 'x');
    const { records, unreadable } = await (await open()).load();
    expect(records).toHaveLength(1);
    expect(unreadable).toMatchObject([{ name: 'deck/bad.json' }]);
  });
});
