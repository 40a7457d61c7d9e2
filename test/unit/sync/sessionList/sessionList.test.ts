import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../../src/api/resources/session.ts';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import { defined } from '../../../../src/shared/defined.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import type { Cache } from '../../../../src/sync/cache/cache.ts';
import { SessionList } from '../../../../src/sync/sessionList/sessionList.ts';
import { SessionListFiles } from '../../../../src/sync/sessionList/sessionListFiles.ts';
import { SyncedSessionList, type SyncedMemory } from '../../../../src/sync/sessionList/syncedSessionList.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { removeAllRecords } from '../../../../src/sync/storage/removalMarks.ts';
import { sessionRecordName } from '../../../../src/sync/storage/recordNames.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { readRecordFile } from '../../../fakes/recordFile.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { damageFile, damages, replaceFile } from '../../../fakes/damage.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { keyText, type SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { until } from '../../../fakes/until.ts';
import { CountingDisk, temporaryFolder } from '../outbox/outboxRig.ts';

const a = 'https://a.test';
const b = 'https://b.test';
const patiently = { timeout: 60_000 };
const keyOf = (sessionId: string, origin = a) => ({ origin, sessionId });

/** An in-memory replacement for the value that is synced between machines. */
function newSyncedMemory(): SyncedMemory & { value: unknown } {
  const memory = {
    value: undefined as unknown,
    read: () => memory.value,
    write: (value: unknown) => {
      memory.value = value;
      return Promise.resolve();
    },
  };
  return memory;
}

describe('the session list', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  const close: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const closeOne of close.splice(0)) await closeOne();
  };
  afterEach(async () => {
    await closeAll();
    await folder.remove();
  });

  const onlyFile = async () => {
    const [name = ''] = await readdir(join(folder.path, 'deck'));
    return readFile(join(folder.path, 'deck', name), 'utf8');
  };

  /** Writes what the last window left for the next one: the sessions to read first. */
  const writeMarker = (first: readonly SessionKey[]) => {
    const record = { sessionListSize: first.length, outboxSize: 0, running: [], first };
    return writeFile(join(folder.path, 'marker'), withChecksum({ version: 1, record }));
  };

  async function open(syncedMemory = newSyncedMemory(), cache?: Pick<Cache, 'readSummaries'>) {
    const disk = new CountingDisk(await openDisk(folder.path, silentLog));
    const store = new Store(memoryBodies());
    const clock = new FakeClock(1_000);
    const records = new RecordStores(disk);
    const sessionList = new SessionList({
      store,
      files: new SessionListFiles(records),
      ...defined({ cache }),
      syncedList: new SyncedSessionList(syncedMemory),
      clock,
      log: silentLog,
    });
    close.push(async () => {
      sessionList.dispose();
      await disk.idle();
    });
    const connect = async (origin: string | undefined) => {
      if (origin === undefined) store.setConnection({ kind: 'noService' });
      else store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
      return sessionList.settled();
    };
    const shown = () =>
      store.records.map((record) => `${record.listEntry.key.origin} ${record.listEntry.key.sessionId}`);
    const files = () => readdir(join(folder.path, 'deck')).catch(() => []);
    return { store, sessionList, clock, records, disk, connect, shown, files };
  }

  it('shows the sessions of the current service only, in the order added', async () => {
    const first = await open();
    await first.connect(a);
    for (const sessionId of ['z', 'y', 'x']) {
      first.clock.advance(10);
      await first.sessionList.add(keyOf(sessionId));
    }
    await first.connect(b);
    expect(first.shown()).toEqual([]);
    await first.sessionList.add(keyOf('z', b), { computerId: 'computer' });
    expect(first.shown()).toEqual([`${b} z`]);
    await first.connect(a);
    expect(first.shown()).toEqual([`${a} z`, `${a} y`, `${a} x`]);
    await first.connect(undefined);
    expect(first.shown()).toEqual([]);

    const second = await open();
    await second.connect(b);
    expect(second.shown()).toEqual([`${b} z`]);
    expect(second.store.record(keyOf('z', b))?.listEntry.computerId).toBe('computer');
  });

  it('is synced with 125,000 bookmarks in one record', async () => {
    const earlier = await open();
    await earlier.connect(a);
    await earlier.sessionList.add(keyOf('one'));
    await closeAll();
    const file = join(folder.path, 'deck', (await earlier.files())[0]!);
    const { version, record } = await readRecordFile(file);
    const bookmarks = Array.from({ length: 125_000 }, (_, at) => ({ messageId: `m${at}`, at, addedAt: at }));
    await replaceFile(file, withChecksum({ version, record: { ...record, bookmarks } }));
    const syncedMemory = newSyncedMemory();
    const later = await open(syncedMemory);
    await later.connect(a);
    expect(later.store.record(keyOf('one'))?.listEntry.bookmarks).toHaveLength(125_000);
    await later.sessionList.add(keyOf('two'));
    await later.sessionList.flush();
    expect(new SyncedSessionList(syncedMemory).readNew().map(({ key }) => key.sessionId)).toEqual(['one', 'two']);
  });

  it('is shown with one event however many sessions it has', async () => {
    const earlier = await open();
    await earlier.connect(a);
    for (const name of ['one', 'two', 'three']) await earlier.sessionList.add(keyOf(name));
    const later = await open();
    const changes: string[] = [];
    later.store.onDidChange(({ type }) => changes.push(type));
    await later.connect(a);
    expect(later.store.records).toHaveLength(3);
    expect(changes).toEqual(['connection', 'sessionList']);
  });

  it('shows the sessions first that the last window listed first, and then all of them', async () => {
    const earlier = await open();
    await earlier.connect(a);
    for (const name of ['one', 'two', 'three']) {
      earlier.clock.advance(10);
      await earlier.sessionList.add(keyOf(name));
    }
    const first = [keyOf('three'), keyOf('removed'), keyOf('x', b)];
    await writeMarker(first);
    const later = await open();
    const seen: string[][] = [];
    later.store.onDidChange(({ type }) => type === 'sessionList' && seen.push(later.shown()));
    await later.connect(a);
    expect(seen).toEqual([[`${a} three`], [`${a} three`, `${a} one`, `${a} two`]]);
  });

  it('does not replace the synced copy while only the first sessions are known', async () => {
    const syncedMemory = newSyncedMemory();
    const earlier = await open(syncedMemory);
    await earlier.connect(a);
    await earlier.sessionList.add(keyOf('one'));
    await earlier.sessionList.add(keyOf('two'));
    await earlier.sessionList.flush();
    earlier.sessionList.dispose();
    const ofOtherMachine = JSON.stringify(syncedMemory.value).replaceAll('"two"', '"elsewhere"');
    syncedMemory.value = JSON.parse(ofOtherMachine);
    await writeMarker([keyOf('one')]);

    const later = await open(syncedMemory);
    let readOn: () => void = () => undefined;
    const rest = new Promise<void>((resolve) => (readOn = resolve));
    const held = { entryId: sessionRecordName('deck', keyOf('two')), until: rest, isRead: false };
    later.disk.held = held;
    const connected = later.connect(a);
    await until(() => held.isRead, 'a read of the other session');
    await later.sessionList.flush();
    expect(JSON.stringify(syncedMemory.value)).toBe(ofOtherMachine);
    readOn();
    await connected;
    expect(later.shown().sort()).toEqual([`${a} elsewhere`, `${a} one`, `${a} two`]);
    later.clock.advance(10_000);
    await until(() => JSON.stringify(syncedMemory.value).includes('"two"'), 'the synced copy');
    expect(JSON.stringify(syncedMemory.value)).toContain('"elsewhere"');
  });

  it.each([
    ['newer', withChecksum({ version: 99, record: {} })],
    ['damaged', 'x'],
  ])('reports a %s file of one of the first sessions once', async (cause, text) => {
    const earlier = await open();
    await earlier.connect(a);
    await earlier.sessionList.add(keyOf('one'));
    const [name = ''] = await earlier.files();
    await writeMarker([keyOf('one')]);
    earlier.sessionList.dispose();
    await writeFile(join(folder.path, 'deck', name), text);
    expect(await (await open()).connect(a)).toMatchObject([{ name: `deck/${name}`, cause }]);
  });

  it.each([
    ['the connection is ready', []],
    ['another service is connected', [{ kind: 'ready', service: { origin: b, baseUrl: b } }]],
  ] as const)('reports a damaged file if, while it is read, %s', async (_, others) => {
    const earlier = await open();
    await earlier.connect(a);
    await earlier.sessionList.add(keyOf('one'));
    const [name = ''] = await earlier.files();
    await closeAll();
    await writeFile(join(folder.path, 'deck', name), 'x');
    const { store, sessionList } = await open();
    const service = { origin: a, baseUrl: a };
    store.setConnection({ kind: 'starting', service });
    store.setConnections({ kind: 'ready', service }, others);
    expect(await sessionList.settled()).toMatchObject([{ name: `deck/${name}`, cause: 'damaged' }]);
  });

  it.each([
    ['a connection changes', ({ connect }: Awaited<ReturnType<typeof open>>) => connect(a)],
    ['it is asked for', ({ sessionList }: Awaited<ReturnType<typeof open>>) => sessionList.settled()],
  ])('is read again after a failed read when %s, and reports the failure until then', async (_, readAgain) => {
    const earlier = await open();
    await earlier.connect(a);
    await earlier.sessionList.add(keyOf('one'));
    const window = await open();
    const { store, sessionList, disk, connect, shown } = window;
    const list = disk.list.bind(disk);
    disk.list = () => Promise.reject(new Error('no access'));
    store.setConnection({ kind: 'starting', service: { origin: a, baseUrl: a } });
    await expect(connect(a)).rejects.toThrow('no access');
    await expect(sessionList.settled()).rejects.toThrow('no access');
    disk.list = list;
    expect(await readAgain(window)).toEqual([]);
    expect(shown()).toEqual([`${a} one`]);
  });

  it('shows what earlier windows knew of a session together with the session', async () => {
    const earlier = await open();
    await earlier.connect(a);
    for (const key of [keyOf('one'), keyOf('two'), keyOf('x', b)]) await earlier.sessionList.add(key);
    await earlier.sessionList.remove(keyOf('two'));
    const asked: string[] = [];
    const session: Session = { sessionId: 'one', status: 'idle', messageCount: 2, createdAt: 1, updatedAt: 2 };
    const later = await open(undefined, {
      readSummaries: (keys) => {
        asked.push(...keys.map(({ sessionId }) => sessionId));
        return Promise.resolve(new Map(keys.map((key) => [keyText(key), { session, asOf: 3 }])));
      },
    });
    const seen: unknown[] = [];
    later.store.onDidChange(({ type }) => seen.push([type, later.store.records.map((record) => record.asOf)]));
    await later.connect(a);
    expect(seen).toEqual([
      ['connection', []],
      ['sessionList', [3]],
    ]);
    expect(later.store.record(keyOf('one'))).toMatchObject({ session, isRemembered: true });
    expect(asked).toEqual(['one']);
    later.store.takeSession(keyOf('one'), { ...session, updatedAt: 9 }, 10, 1);
    await later.connect(b);
    await later.connect(a);
    expect(asked).toEqual(['one', 'x', 'one']);
    expect(later.store.record(keyOf('one'))).toMatchObject({ session, isRemembered: true });
  });

  it('is read once per service, not on every connection change', async () => {
    const { sessionList, store, connect, shown } = await open();
    await connect(a);
    await sessionList.add(keyOf('x'));
    const changes: string[] = [];
    store.onDidChange(({ type }) => changes.push(type));
    const service = { origin: a, baseUrl: a };
    store.setConnection({ kind: 'noKey', service });
    store.setConnection({ kind: 'ready', service });
    await sessionList.settled();
    expect(changes).toEqual(['connection', 'connection']);
    expect(shown()).toEqual([`${a} x`]);
  });

  it('shows the sessions of the last service after rapid changes', async () => {
    const { sessionList, store, connect, shown } = await open();
    await connect(a);
    await sessionList.add(keyOf('x'));
    await connect(b);
    await sessionList.add(keyOf('y', b));
    for (let round = 0; round < 20; round++) {
      const origin = round % 2 === 0 ? a : b;
      store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
    }
    await sessionList.settled();
    expect(shown()).toEqual([`${b} y`]);
  });

  it('has the bookmarks of both windows that added some at the same time, and syncs them to other machines', async () => {
    const syncedMemory = newSyncedMemory();
    const [first, second] = [await open(syncedMemory), await open()];
    await first.connect(a);
    await first.sessionList.add(keyOf('x'));
    await second.connect(a);
    const bookmarks = ({ store }: typeof first) => store.record(keyOf('x'))?.listEntry.bookmarks;
    await Promise.all([
      first.sessionList.setBookmark(keyOf('x'), 'm1', 'of the first'),
      second.sessionList.setBookmark(keyOf('x'), 'm2', ''),
    ]);
    const both = [
      { messageId: 'm1', addedAt: 1_000, note: 'of the first' },
      { messageId: 'm2', addedAt: 1_000 },
    ];
    await until(() => bookmarks(first)?.length === 2 && bookmarks(second)?.length === 2, 'both bookmarks');
    expect([bookmarks(first), bookmarks(second)]).toEqual([both, both]);
    await second.sessionList.removeBookmark(keyOf('x'), 'm1');
    await until(() => bookmarks(first)?.length === 1, 'the removal');
    await first.sessionList.flush();

    const elsewhere = await temporaryFolder();
    folder = elsewhere;
    const third = await open(syncedMemory);
    await third.connect(a);
    expect(bookmarks(third)).toEqual(both.slice(1));
  });

  it('refuses the bookmark after the 200th in all sessions, but not a new note', async () => {
    const { sessionList, store, connect } = await open();
    await connect(b);
    await sessionList.add(keyOf('y', b));
    await sessionList.setBookmark(keyOf('y', b), 'elsewhere', '');
    await connect(a);
    await sessionList.add(keyOf('x'));
    const ids = Array.from({ length: 200 }, (_, index) => `m${index}`);
    const set = await Promise.all(ids.map((id) => sessionList.setBookmark(keyOf('x'), id, '')));
    expect(set.filter((isSet) => isSet)).toHaveLength(199);
    expect(set.at(-1)).toBe(false);
    expect(store.record(keyOf('x'))?.listEntry.bookmarks).toHaveLength(199);
    expect(await sessionList.setBookmark(keyOf('x'), 'm0', 'a note')).toBe(true);
    await sessionList.removeBookmark(keyOf('x'), 'm1');
    expect(await sessionList.setBookmark(keyOf('x'), 'm199', '')).toBe(true);
    await sessionList.remove(keyOf('x'));
    await sessionList.add(keyOf('x'));
    expect(store.record(keyOf('x'))?.listEntry.bookmarks).toBeUndefined();
    expect(await sessionList.setBookmark(keyOf('x'), 'm0', '')).toBe(true);
  });

  it('keeps sessions of a temporary service in memory only', async () => {
    const { sessionList, records, connect, shown, files } = await open();
    records.keepInMemory(b);
    await connect(b);
    await sessionList.add(keyOf('demo', b));
    expect(shown()).toEqual([`${b} demo`]);
    expect(await files()).toEqual([]);
    await sessionList.remove(keyOf('demo', b));
    await connect(a);
    await sessionList.add(keyOf('x'));
    expect(await files()).toHaveLength(1);
  });

  it('keeps the time when a session was added if its computer changes', async () => {
    const { sessionList, clock, connect, store } = await open();
    await connect(a);
    await sessionList.add(keyOf('x'));
    clock.advance(5_000);
    await sessionList.add(keyOf('x'), { computerId: 'c' });
    expect(store.record(keyOf('x'))?.listEntry).toEqual({ key: keyOf('x'), addedAt: 1_000, computerId: 'c' });
  });

  it('does not show a session that could not be saved', async () => {
    const { sessionList, disk, connect, shown } = await open();
    await connect(a);
    disk.writeError = new Error('disk full');
    await expect(sessionList.add(keyOf('x'))).rejects.toThrow('disk full');
    expect(shown()).toEqual([]);
  });

  it('removes a session from disk too', async () => {
    const first = await open();
    await first.connect(a);
    await first.sessionList.add(keyOf('x'));
    await first.sessionList.remove(keyOf('x'));
    expect(first.shown()).toEqual([]);
    const second = await open();
    await second.connect(a);
    expect(second.shown()).toEqual([]);
  });

  it('syncs with another window without losing changes made in either', async () => {
    const [first, second] = [await open(), await open()];
    await first.connect(a);
    await second.connect(a);
    await first.sessionList.add(keyOf('x'));
    await vi.waitFor(() => expect(second.shown()).toEqual([`${a} x`]), patiently);
    await Promise.all([
      first.sessionList.change(keyOf('x'), { name: 'Mine' }),
      second.sessionList.change(keyOf('x'), { isPinned: true }),
    ]);
    for (const { store } of [first, second]) {
      await vi.waitFor(
        () => expect(store.record(keyOf('x'))?.listEntry).toMatchObject({ name: 'Mine', isPinned: true }),
        patiently,
      );
    }
    await second.sessionList.remove(keyOf('x'));
    await vi.waitFor(() => expect(first.shown()).toEqual([]), patiently);
  });

  it('reports a changed entry as a change of that session only', async () => {
    const { sessionList, store, connect } = await open();
    await connect(a);
    await sessionList.add(keyOf('x'));
    const changes: unknown[] = [];
    store.onDidChange((change) => changes.push(change));
    await sessionList.change(keyOf('x'), { isPinned: true });
    await sessionList.change(keyOf('x'), { isPinned: true });
    expect(changes).toEqual([{ type: 'session', key: keyOf('x') }]);
  });

  it('syncs to another machine and back, and the latest change to each field wins', async () => {
    const syncedMemory = newSyncedMemory();
    const home = await open(syncedMemory);
    await home.connect(a);
    await home.sessionList.add(keyOf('x'));
    await home.sessionList.add(keyOf('y'));
    await home.sessionList.change(keyOf('x'), { name: 'At home' });
    await home.sessionList.flush();
    const folderAtHome = folder;
    folder = await temporaryFolder();
    const away = await open(syncedMemory);
    away.clock.jump(1_000);
    await away.connect(a);
    expect(away.shown()).toEqual([`${a} x`, `${a} y`]);
    await away.sessionList.change(keyOf('x'), { name: 'Away' });
    await away.sessionList.remove(keyOf('y'));
    await away.sessionList.flush();
    await home.sessionList.takeSynced();
    expect(home.shown()).toEqual([`${a} x`]);
    expect(home.store.record(keyOf('x'))?.listEntry.name).toBe('Away');
    await closeAll();
    await folderAtHome.remove();
  });

  it('is not written again after another window deleted all data, even when the mark of that is gone', async () => {
    const { sessionList, connect, clock, disk, files } = await open();
    const reread = async () => {
      clock.advance(60_000);
      await disk.idle();
    };
    await connect(a);
    await sessionList.add(keyOf('one'));
    await removeAllRecords(folder.path);
    await reread();
    await rm(join(folder.path, 'removed'), { recursive: true });
    await reread();
    await sessionList.flush();
    expect(await files()).toEqual([]);
  });

  it('is not written again from the synced copy of a window that has not noticed the deletion', async () => {
    const syncedMemory = newSyncedMemory();
    const { sessionList, connect, clock, disk, files, shown } = await open(syncedMemory);
    await connect(a);
    await sessionList.add(keyOf('one'));
    await sessionList.flush();
    await removeAllRecords(folder.path);
    clock.advance(60_000);
    await disk.idle();
    syncedMemory.value = structuredClone(syncedMemory.value);
    await sessionList.takeSynced();
    expect(await files()).toEqual([]);
    const [later] = new SyncedSessionList(syncedMemory).readNew();
    const presence = { value: true, at: clock.now() };
    syncedMemory.value = { version: 1, records: [{ ...later, presence }] };
    await sessionList.takeSynced();
    expect(await files()).toHaveLength(1);
    expect(shown()).toEqual([`${a} one`]);
  });

  it.each(damages)('is written again if a file of it is %s while the window is running (R44)', async (damage) => {
    const window = await open();
    await window.connect(a);
    await window.sessionList.add(keyOf('x'));
    await window.sessionList.change(keyOf('x'), { name: 'Mine' });
    const [name = ''] = await window.files();
    const path = join(folder.path, 'deck', name);
    if (damage === 'flipped') await writeFile(path, (await readFile(path, 'utf8')).replace('Mine', 'Nine'));
    else await damageFile(path, damage);
    window.clock.advance(60_000);
    await until(async () => (await readFile(path, 'utf8').catch(() => '')).includes('"Mine"'), 'the record');
    expect(window.store.record(keyOf('x'))?.listEntry.name).toBe('Mine');
  });

  it('shows and keeps a synced session that could not be written, and writes it later', async () => {
    const syncedMemory = newSyncedMemory();
    const earlier = await open();
    await earlier.connect(a);
    await earlier.sessionList.add(keyOf('local'));
    const synced = ['x', 'y'].map((sessionId) => ({ key: keyOf(sessionId), presence: { value: true, at: 2_000 } }));
    syncedMemory.value = { version: 1, records: synced };
    const { disk, clock, connect, shown, files } = await open(syncedMemory);
    disk.watch = () => onDispose(() => undefined);
    disk.writeError = new Error('disk full');
    expect(await connect(a)).toEqual([]);
    expect(shown()).toEqual([`${a} local`, `${a} x`, `${a} y`]);
    expect(await files()).toHaveLength(1);
    const ofThisWindow = () => new SyncedSessionList(syncedMemory).readNew().map(({ key }) => key.sessionId);
    clock.advance(3_000);
    await until(() => ofThisWindow().includes('local'), 'the synced copy');
    expect(ofThisWindow().sort()).toEqual(['local', 'x', 'y']);
    await disk.idle();
    disk.writeError = undefined;
    clock.advance(60_000);
    await until(async () => (await files()).length === 3, 'the files');
  });

  it('is shown although a removal of more than half a year ago could not be erased', async () => {
    const earlier = await open();
    await earlier.connect(a);
    await earlier.sessionList.add(keyOf('removed'));
    await earlier.sessionList.remove(keyOf('removed'));
    await earlier.sessionList.add(keyOf('x'));
    const { disk, clock, connect, shown, files } = await open();
    clock.jump(181 * 86_400_000);
    disk.retire = () => Promise.reject(new Error('read-only'));
    expect(await connect(a)).toEqual([]);
    expect(shown()).toEqual([`${a} x`]);
    expect(await files()).toHaveLength(2);
  });

  it('saves the marks of other sessions if the file of one can not be written', async () => {
    const syncedMemory = newSyncedMemory();
    const { sessionList, connect, files } = await open(syncedMemory);
    await connect(a);
    await sessionList.add(keyOf('x'));
    const [newer = ''] = await files();
    await sessionList.add(keyOf('y'));
    const other = (await files()).find((name) => name !== newer) ?? '';
    await replaceFile(join(folder.path, 'deck', newer), withChecksum({ version: 2, record: {} }));
    for (const sessionId of ['x', 'y']) sessionList.note(keyOf(sessionId), { name: `name of ${sessionId}` });
    await sessionList.flush();
    expect(await readFile(join(folder.path, 'deck', other), 'utf8')).toContain('name of y');
    expect(JSON.stringify(syncedMemory.value)).toContain('name of y');
  });

  it('leaves a file of a newer version untouched', async () => {
    const window = await open();
    await window.connect(a);
    await window.sessionList.add(keyOf('x'));
    const [name = ''] = await window.files();
    const path = join(folder.path, 'deck', name);
    const newer = withChecksum({ version: 2, record: {} });
    await replaceFile(path, newer);
    window.clock.advance(60_000);
    await expect(window.sessionList.change(keyOf('x'), { isPinned: true })).rejects.toThrow('newer version');
    window.sessionList.note(keyOf('x'), { isMuted: true });
    await window.sessionList.flush();
    expect(await readFile(path, 'utf8')).toBe(newer);
    const next = await open();
    expect(await next.connect(a)).toMatchObject([{ cause: 'newer' }]);
  });

  it('ignores invalid synced records, and does not overwrite a newer format', async () => {
    const syncedMemory = newSyncedMemory();
    const sound = { key: keyOf('x'), presence: { value: true, at: 1 } };
    syncedMemory.value = { version: 1, records: [sound, { key: keyOf('y') }, 'strange', null] };
    const first = await open(syncedMemory);
    await first.connect(a);
    expect(first.shown()).toEqual([`${a} x`]);
    const newer = { version: 2, records: [{ ...sound, key: keyOf('z') }] };
    syncedMemory.value = newer;
    await first.sessionList.add(keyOf('w'));
    await first.sessionList.takeSynced();
    await first.sessionList.flush();
    expect(first.shown()).toEqual([`${a} x`, `${a} w`]);
    expect(syncedMemory.value).toBe(newer);
  });

  it('does not sync session data from the service or the demo', async () => {
    const syncedMemory = newSyncedMemory();
    const { sessionList, store, records, connect } = await open(syncedMemory);
    await connect(a);
    await sessionList.add(keyOf('x'));
    const session = {
      sessionId: 'x',
      status: 'idle',
      title: 'Secret title',
      messageCount: 1,
      createdAt: 1,
      updatedAt: 1,
    };
    store.takeSession(keyOf('x'), session as Session, 1, 1);
    await sessionList.flush();
    expect(JSON.stringify(syncedMemory.value)).not.toContain('Secret title');
    records.keepInMemory(a);
    await sessionList.change(keyOf('x'), { name: 'Demo' });
    await sessionList.flush();
    expect(JSON.stringify(syncedMemory.value)).not.toContain('Demo');
  });

  it('shows a read mark immediately and saves it after a delay or when the window closes', async () => {
    const { sessionList, store, clock, connect, files } = await open();
    await connect(a);
    await sessionList.add(keyOf('x'));
    const [name = ''] = await files();
    const kept = async () => readFile(join(folder.path, 'deck', name), 'utf8');
    const readMark = { messageCount: 3, updatedAt: 5, wasAtWork: false };
    sessionList.note(keyOf('x'), { readMark });
    expect(store.record(keyOf('x'))?.listEntry.readMark).toEqual(readMark);
    expect(await kept()).not.toContain('readMark');
    clock.advance(3_000);
    await vi.waitFor(async () => expect(await kept()).toContain('readMark'), patiently);
    sessionList.note(keyOf('x'), { readMark: { ...readMark, messageCount: 4 } });
    await sessionList.flush();
    expect(await kept()).toContain('"messageCount":4');
  });

  it('saves a read mark that is set while the previous one is being saved', async () => {
    const { sessionList, disk, clock, connect, files } = await open();
    // Disables file watching, which would also update the file.
    disk.watch = () => onDispose(() => undefined);
    await connect(a);
    await sessionList.add(keyOf('x'));
    const [name = ''] = await files();
    const kept = async () => readFile(join(folder.path, 'deck', name), 'utf8');
    const mark = (messageCount: number) =>
      sessionList.note(keyOf('x'), { readMark: { messageCount, updatedAt: 5, wasAtWork: false } });
    mark(3);
    clock.advance(3_000);
    expect(disk.pending).toBe(1);
    mark(4);
    await vi.waitFor(() => expect(disk.pending).toBe(0), patiently);
    expect(await kept()).toContain('"messageCount":3');
    clock.advance(3_000);
    await vi.waitFor(async () => expect(await kept()).toContain('"messageCount":4'), patiently);
  });

  it('keeps the record of a removed session for exactly 180 days', async () => {
    const first = await open();
    await first.connect(a);
    await first.sessionList.add(keyOf('x'));
    await first.sessionList.remove(keyOf('x'));
    const removedAt = Number(/"presence":\{"value":false,"at":(\d+)\}/.exec(await onlyFile())?.[1]);
    for (const [ageMs, count] of [
      [180 * 86_400_000, 1],
      [180 * 86_400_000 + 1, 0],
    ] as const) {
      const later = await open();
      later.clock.jump(removedAt + ageMs - later.clock.now());
      await later.connect(a);
      expect(await later.files()).toHaveLength(count);
    }
  });

  it('rereads the folder every minute and writes noted changes after three seconds', async () => {
    const { sessionList, disk, clock, connect } = await open();
    disk.watch = () => onDispose(() => undefined);
    await connect(a);
    let lists = 0;
    const list = disk.list.bind(disk);
    disk.list = (subfolder) => {
      lists++;
      return list(subfolder);
    };
    await sessionList.add(keyOf('x'));
    clock.advance(3_000);
    await disk.idle();
    sessionList.note(keyOf('x'), { isPinned: true });
    clock.advance(2_999);
    expect(disk.pending).toBe(0);
    clock.advance(1);
    expect(disk.pending).toBe(1);
    await disk.idle();
    clock.advance(60_000 - 6_000 - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lists).toBe(0);
    clock.advance(1);
    await until(() => lists === 1, 'the next read');
  });

  it('reads only those files again that changed', async () => {
    const window = await open();
    window.disk.watch = () => onDispose(() => undefined);
    await window.connect(a);
    for (const name of ['one', 'two', 'three']) await window.sessionList.add(keyOf(name));
    let reads = 0;
    const read = window.disk.read.bind(window.disk);
    window.disk.read = (...given) => {
      if (given[0].startsWith('deck/')) reads++;
      return read(...given);
    };
    const readsOfNextMinute = async () => {
      reads = 0;
      window.clock.advance(60_000);
      await window.disk.idle();
      return reads;
    };
    expect(await readsOfNextMinute()).toBe(3);
    expect(await readsOfNextMinute()).toBe(0);
    const other = await open();
    await other.connect(a);
    await other.sessionList.change(keyOf('two'), { name: 'Theirs' });
    window.sessionList.note(keyOf('two'), { isMuted: true });
    await window.sessionList.flush();
    await other.sessionList.change(keyOf('two'), { name: 'Newer' });
    expect(await readsOfNextMinute()).toBe(1);
    expect(window.store.record(keyOf('two'))?.listEntry.name).toBe('Newer');
    expect(await readsOfNextMinute()).toBe(0);
  });

  it('reads a file again whose lost change could not be written', async () => {
    const window = await open();
    window.disk.watch = () => onDispose(() => undefined);
    await window.connect(a);
    await window.sessionList.add(keyOf('x'));
    const [name = ''] = await window.files();
    const path = join(folder.path, 'deck', name);
    const older = await readFile(path, 'utf8');
    await window.sessionList.change(keyOf('x'), { name: 'Mine' });
    await replaceFile(path, older);
    window.disk.writeError = new Error('full');
    window.clock.advance(60_000);
    await window.disk.idle();
    expect(await readFile(path, 'utf8')).toBe(older);
    window.disk.writeError = undefined;
    window.clock.advance(60_000);
    await until(async () => (await readFile(path, 'utf8')).includes('"Mine"'), 'the lost change');
  });

  it('hides the transient children of a removed session, and no others', async () => {
    const { store, sessionList, connect } = await open();
    await connect(a);
    for (const sessionId of ['x', 'y']) await sessionList.add(keyOf(sessionId));
    sessionList.showTransientSessions(keyOf('x'), ['child of x', 'y']);
    sessionList.showTransientSessions(keyOf('y'), ['child of y']);
    sessionList.showTransientSessions(keyOf('child of x'), ['grandchild of x']);
    const elsewhere = { origin: 'https://other.example', sessionId: 'a child' };
    store.addSession({ key: elsewhere, addedAt: 1, parentId: 'x', isTransient: true });
    expect(store.records).toHaveLength(2);
    await sessionList.remove(keyOf('x'));
    expect(store.transientSessions.map(({ listEntry }) => listEntry)).toEqual([
      { key: keyOf('child of y'), addedAt: 1_000, parentId: 'y', isTransient: true },
      { key: elsewhere, addedAt: 1, parentId: 'x', isTransient: true },
    ]);
    expect(store.record(keyOf('y'))?.listEntry.isTransient).toBeUndefined();
  });

  it('keeps the parent of a transient session that is added to the list by a change', async () => {
    const { store, sessionList, connect } = await open();
    await connect(a);
    await sessionList.add(keyOf('x'));
    sessionList.showTransientSessions(keyOf('x'), ['child']);
    await sessionList.change(keyOf('child'), { name: 'Mine' });
    expect(store.record(keyOf('child'))?.listEntry).toMatchObject({ name: 'Mine', parentId: 'x' });
    expect(store.records).toHaveLength(2);
  });

  it('deletes the record of a removed session after half a year', async () => {
    const first = await open();
    await first.connect(a);
    await first.sessionList.add(keyOf('x'));
    await first.sessionList.remove(keyOf('x'));
    expect(await first.files()).toHaveLength(1);
    const second = await open();
    second.clock.jump(181 * 86_400_000);
    await second.connect(a);
    expect(await second.files()).toEqual([]);
  });

  it('ignores connection changes after dispose', async () => {
    const { sessionList, connect, shown } = await open();
    await connect(a);
    await sessionList.add(keyOf('x'));
    sessionList.dispose();
    await connect(b);
    expect(shown()).toEqual([`${a} x`]);
  });
});
