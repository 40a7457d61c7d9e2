import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/shared/log.ts';
import { PathMappings } from '../../../src/sync/pathMappings.ts';
import { openDisk } from '../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../src/sync/storage/recordStores.ts';
import { until } from '../../fakes/until.ts';

const origin = 'https://agents.example.com';
const mapping = (root: string) => ({ root, folder: 'file:///work/shop', isMapped: true });

let folder: string;
let own: PathMappings;
let other: PathMappings;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-mappings-'));
  const windowWith = async () => new PathMappings(new RecordStores(await openDisk(folder, silentLog)), silentLog);
  own = await windowWith();
  other = await windowWith();
});
afterEach(async () => {
  own.dispose();
  other.dispose();
  await rm(folder, { recursive: true });
});

describe('path mappings', () => {
  it('are reported to other windows that have read them, and once to their own', async () => {
    let [ownChanges, otherChanges] = [0, 0];
    own.onDidChange(() => (ownChanges += 1));
    other.onDidChange(() => (otherChanges += 1));
    expect(await own.read(origin, '')).toEqual([]);
    expect(await other.read(origin, '')).toEqual([]);
    await own.save(origin, '', [mapping('/srv/shop')]);
    await until(() => otherChanges > 0);
    expect(await other.read(origin, '')).toMatchObject([mapping('/srv/shop')]);
    await other.save(origin, '', [mapping('/srv/copy')]);
    await until(() => ownChanges > 1);
    expect(ownChanges).toBe(2);
    expect(await own.read(origin, '')).toMatchObject([mapping('/srv/shop'), mapping('/srv/copy')]);
  });
});
