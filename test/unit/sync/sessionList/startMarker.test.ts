import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { StartMarker, readStartMarker } from '../../../../src/sync/sessionList/startMarker.ts';
import { CountingDisk, keyOf, origin, temporaryFolder } from '../outbox/outboxRig.ts';

const session = (status: 'idle' | 'pending' | 'running', updatedAt = 1) => ({
  sessionId: 's1',
  status,
  messageCount: 1,
  createdAt: 1,
  updatedAt,
});

describe('the start marker', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function open() {
    const disk = new CountingDisk(await openDisk(folder.path, silentLog));
    const store = new Store(memoryBodies());
    store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
    const marker = new StartMarker(disk, store, silentLog);
    let writes = 0;
    const { write } = disk;
    disk.write = (...given) => {
      writes++;
      return write(...given);
    };
    const read = async () => {
      await disk.flush();
      return readStartMarker(disk);
    };
    return { disk, store, marker, read, writes: () => writes };
  }

  it('is empty at first, and counts as a list with a session if its file is damaged', async () => {
    const { read } = await open();
    expect(await read()).toEqual({ sessionListSize: 0, outboxSize: 0, running: [] });
    await writeFile(join(folder.path, 'marker'), '{');
    expect(await read()).toEqual({ sessionListSize: 1, outboxSize: 0, running: [] });
  });

  it('contains the number of sessions and outgoing messages, and the running sessions', async () => {
    const { store, read } = await open();
    for (const sessionId of ['s1', 's2', 's3']) store.addSession({ key: keyOf(sessionId), addedAt: 1 });
    store.takeSession(keyOf('s1'), session('running'), 1, 1);
    store.takeSession(keyOf('s2'), session('pending'), 1, 1);
    store.takeSession(keyOf('s3'), session('idle'), 1, 1);
    const entry = {
      entryId: 'e',
      key: keyOf('s3'),
      text: 'x',
      attachments: [],
      createdAt: 1,
      state: 'queued',
    } as const;
    store.setOutbox(keyOf('s3'), [entry]);
    const running = [keyOf('s1'), keyOf('s2')];
    const first = [keyOf('s1'), keyOf('s2'), keyOf('s3')];
    expect(await read()).toEqual({ sessionListSize: 3, outboxSize: 1, running, first });
    store.takeSession(keyOf('s1'), session('idle'), 2, 1);
    store.removeSession(keyOf('s2'));
    store.setOutbox(keyOf('s3'), []);
    const left = [keyOf('s1'), keyOf('s3')];
    expect(await read()).toEqual({ sessionListSize: 2, outboxSize: 0, running: [], first: left });
  });

  it('contains the first 100 sessions of the tree in its usual order, and stays current when turns start', async () => {
    const { store, read } = await open();
    const names = Array.from({ length: 150 }, (_, place) => `s${place}`);
    store.addSessions(names.map((sessionId, place) => ({ key: keyOf(sessionId), addedAt: place })));
    const firstNames = async () => (await read()).first?.map(({ sessionId }) => sessionId);
    expect(await firstNames()).toEqual(names.slice(50).reverse());
    store.takeSession(keyOf('s0'), session('running', Date.now()), 2, 1);
    expect(await firstNames()).toEqual(['s0', ...names.slice(51).reverse()]);
  });

  it('names no child session that the tree shows below its parent', async () => {
    const { store, read } = await open();
    store.addSession({ key: keyOf('parent'), addedAt: 1 });
    store.addSession({ key: keyOf('child'), addedAt: 2, parentId: 'parent' });
    const sessionSettings = { childInclusiveTokenUsageBySessionId: { child: {} } };
    store.takeSession(keyOf('parent'), { ...session('idle'), sessionSettings }, 1, 1);
    store.takeSession(keyOf('parent'), { ...session('running'), sessionSettings }, 2, 1);
    expect((await read()).first).toEqual([keyOf('parent')]);
  });

  it('has no file if there are no sessions', async () => {
    const { disk, store, read } = await open();
    store.addSession({ key: keyOf('s1'), addedAt: 1 });
    await read();
    expect(await disk.readText('marker')).toBeDefined();
    store.removeSession(keyOf('s1'));
    await read();
    expect(await disk.readText('marker')).toBeUndefined();
  });

  it('is saved only when it changes', async () => {
    const { store, writes } = await open();
    store.addSession({ key: keyOf('s1'), addedAt: 1 });
    for (let poll = 0; poll < 20; poll++) store.takeSession(keyOf('s1'), session('idle', poll), poll, 1);
    expect(writes()).toBe(1);
  });

  it('is not saved after dispose', async () => {
    const { store, marker, read } = await open();
    marker.dispose();
    store.addSession({ key: keyOf('s1'), addedAt: 1 });
    expect(await read()).toMatchObject({ sessionListSize: 0 });
  });

  it('stays unchanged while a temporary service is in use', async () => {
    const { store, read } = await open();
    store.addSession({ key: keyOf('s1'), addedAt: 1 });
    store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin, isTemporary: true } });
    store.removeSession(keyOf('s1'));
    store.addSession({ key: keyOf('demo'), addedAt: 1 });
    store.takeSession(keyOf('demo'), session('running'), 1, 1);
    expect(await read()).toEqual({ sessionListSize: 1, outboxSize: 0, running: [], first: [keyOf('s1')] });
  });
});
