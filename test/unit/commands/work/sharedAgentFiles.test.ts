import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { Services } from '../../../../src/commands/services.ts';
import { AgentFiles } from '../../../../src/commands/work/agentFiles.ts';
import { searchedSessions } from '../../../../src/commands/work/searchedSessions.ts';
import { WorkspaceFile } from '../../../../src/host/files/workspacePaths.ts';
import { WorkspaceFiles } from '../../../../src/host/files/workspaceFiles.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { keyText, type SessionKey } from '../../../../src/state/store/sessionKey.ts';
import type { Store, StoreChange } from '../../../../src/state/store/store.ts';
import { CachePolicy } from '../../../../src/sync/cache/cachePolicy.ts';
import { PathSamples } from '../../../../src/sync/cache/pathSamples.ts';
import { PathMappings } from '../../../../src/sync/pathMappings.ts';
import { MemoryRecordStore } from '../../../../src/sync/storage/memoryRecordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { fileEvents, Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { key, recordOf, sessionOf, t } from '../../state/samples.ts';
import { toolHeader } from '../../state/work/toolHeaders.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const root = '/home/agent/work/shop';
const files = ['src/basket.ts', 'src/pay/card.ts', 'src/pay/cash.ts', 'package.json'];
const large: SessionKey = { origin: key.origin, sessionId: 'large' };

let outer: string;
let disk: MemoryRecordStore;
let changes: Emitter<StoreChange>;
let agentFiles: AgentFiles;
let samples: PathSamples;
let isKept: boolean;
let opened: { dispose(): void }[];
/** The sessions in the list, by `keyText`. */
let sessions: Map<string, { key: SessionKey; computer: string | undefined; headers: readonly MessageHeader[] }>;

function add(one: SessionKey, computer: string | undefined, paths: readonly string[]): void {
  const headers = paths.map((path) => toolHeader(path, ['Read', { file_path: `${root}/${path}` }]));
  sessions.set(keyText(one), { key: one, computer, headers });
}

/** Opens a window with the records of the earlier windows. */
function openWindow(): void {
  const recordIn = (one: SessionKey) => {
    const { computer, headers } = sessions.get(keyText(one)) ?? {};
    const base = recordOf({ session: sessionOf({ computerId: computer }) });
    return { ...base, listEntry: { ...base.listEntry, key: one }, headers: headers ?? [] };
  };
  const recordsOf = (origin: string) =>
    [...sessions.values()].filter((one) => one.key.origin === origin).map((one) => recordIn(one.key));
  changes = new Emitter();
  const store = { record: recordIn, recordsOf, onDidChange: changes.event };
  const records = new RecordStores(disk);
  samples = new PathSamples(records, new CachePolicy(records, () => isKept), silentLog);
  const workspaceFiles = new WorkspaceFiles();
  const mappings = new PathMappings(records, silentLog);
  agentFiles = new AgentFiles(store as unknown as Store, workspaceFiles, mappings, samples, t);
  opened.push(agentFiles, workspaceFiles, mappings);
}

beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'lineside-shared-')));
  for (const path of files) {
    await mkdir(dirname(join(outer, path)), { recursive: true });
    await writeFile(join(outer, path), 'x');
  }
  workspace.workspaceFolders = [{ uri: Uri.file(outer), name: 'shop' }];
  disk = new MemoryRecordStore();
  isKept = true;
  opened = [];
  sessions = new Map();
  add(key, 'build-7', ['src/basket.ts', 'package.json']);
  add(large, 'build-7', files);
  openWindow();
});
afterEach(async () => {
  for (const one of opened) one.dispose();
  vi.useRealTimers();
  await rm(outer, { recursive: true });
});

const find = async (one: SessionKey, path = 'package.json') =>
  (await agentFiles.find(one, `${root}/${path}`))[0]?.uri.fsPath;

describe('a path of a session with few paths (R53)', () => {
  it('leads to the file once another session on the computer shows the folder', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const fired: unknown[] = [];
    agentFiles.onDidChange((one) => fired.push(one));
    expect(await find(key)).toBeUndefined();
    expect(await find(large)).toBe(join(outer, 'package.json'));
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => fired).toEqual([key]);
    expect(await find(key)).toBe(join(outer, 'package.json'));
  });

  it.each([
    ['on another computer', { ...large, sessionId: 'other' }, 'build-8'],
    ['of another service', { ...large, origin: 'https://other.example' }, 'build-7'],
    ['on an unknown computer', { ...large, sessionId: 'other' }, undefined],
  ])('leads nowhere if the other session is %s', async (_, one, computer) => {
    sessions.delete(keyText(large));
    add(one, computer, files);
    expect(await find(one)).toBeDefined();
    expect(await find(key)).toBeUndefined();
  });

  it('leads nowhere if its own computer is unknown', async () => {
    for (const one of [key, large]) add(one, undefined, one === key ? ['src/basket.ts'] : files);
    expect(await find(large)).toBeDefined();
    expect(await find(key)).toBeUndefined();
  });

  it.each([
    ['its own', key],
    ["the other session's", large],
  ])('leads to the file once %s computer becomes known', async (_, late) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const session = sessions.get(keyText(late)) ?? expect.unreachable();
    sessions.set(keyText(late), { ...session, computer: undefined });
    expect(await find(large)).toBeDefined();
    expect(await find(key)).toBeUndefined();
    const fired: unknown[] = [];
    agentFiles.onDidChange((one) => fired.push(one));
    sessions.set(keyText(late), session);
    changes.fire({ type: 'session', key: late });
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.poll(() => fired).toEqual([key]);
    expect(await find(key)).toBeDefined();
  });

  it('leads to the file in the next window, until the cache or the other session is removed', async () => {
    expect(await find(large)).toBeDefined();
    openWindow();
    expect(await find(key)).toBeDefined();
    sessions.delete(keyText(large));
    openWindow();
    expect(await find(key)).toBeUndefined();
    add(large, 'build-7', files);
    disk = new MemoryRecordStore();
    openWindow();
    expect(await find(key)).toBeUndefined();
  });

  it.each<[string, () => void]>([
    [
      'the other session is removed',
      () => {
        sessions.delete(keyText(large));
        samples.forgetSession(large);
      },
    ],
    [
      'the cache is cleared',
      () => {
        isKept = false;
        samples.forget();
      },
    ],
  ])('leads nowhere in the same window after %s', async (_, forget) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    expect(await find(large)).toBeDefined();
    openWindow();
    expect(await find(key)).toBeDefined();
    const fired: unknown[] = [];
    agentFiles.onDidChange((one) => fired.push(one));
    forget();
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => fired).toEqual([key]);
    expect(await find(key)).toBeUndefined();
  });

  it('still leads to the file after the cache is cleared while the other session is open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    isKept = false;
    expect(await find(key)).toBeUndefined();
    expect(await find(large)).toBeDefined();
    await vi.advanceTimersByTimeAsync(10_000);
    for (const one of [key, large]) expect(await find(one)).toBeDefined();
    const fired: unknown[] = [];
    agentFiles.onDidChange((one) => fired.push(one));
    samples.forget();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await find(key)).toBeDefined();
    expect(fired).toEqual([]);
  });

  it('leaves nothing on disk if nothing may be cached', async () => {
    isKept = false;
    expect(await find(large)).toBeDefined();
    expect(await find(key)).toBeDefined();
    isKept = true;
    openWindow();
    expect(await find(key)).toBeUndefined();
  });

  it('leads nowhere when the file that shows the folder is gone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    expect(await find(large)).toBeDefined();
    expect(await find(key)).toBeDefined();
    await rm(join(outer, 'src/basket.ts'));
    fileEvents.fire(Uri.file(join(outer, 'src/basket.ts')));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await find(key)).toBeUndefined();
  });

  it('is looked up with the samples of 100 sessions at most', async () => {
    const read = vi.spyOn(disk, 'read');
    for (let index = 0; index < 1_000; index += 1) add({ ...large, sessionId: `s${index}` }, 'build-7', files);
    expect(await find(key)).toBeUndefined();
    expect(read.mock.calls.filter(([name]) => name.endsWith('/paths')).length).toBe(101);
  });
});

describe('a search for a file in all sessions', () => {
  const absolute = () => Uri.file(join(outer, 'src/pay/card.ts')) as unknown as vscode.Uri;
  const found = async () => {
    const records = [...sessions.values()].map(({ key: one, headers }) => {
      const base = recordOf();
      return { ...base, listEntry: { ...base.listEntry, key: one }, headers };
    });
    const headersOf = (one: SessionKey) => Promise.resolve(sessions.get(keyText(one))?.headers ?? []);
    const services = { store: { records }, messages: { headers: headersOf }, agentFiles, t } as unknown as Services;
    const file = WorkspaceFile.of(absolute()) ?? expect.unreachable();
    const search = searchedSessions({ ...services, agentFiles }, file, new AbortController().signal, () => undefined);
    const names: string[] = [];
    for await (const { record, matcher } of search) {
      if (matcher.matches(`${root}/src/pay/card.ts`)) names.push(record.listEntry.key.sessionId);
    }
    return names;
  };

  it('finds the same the first time as later, also if the session that shows the folder comes last', async () => {
    sessions.delete(keyText(large));
    const other = files.filter((path) => path !== 'src/pay/card.ts');
    add(key, 'build-7', ['src/pay/card.ts', 'package.json']);
    add(large, 'build-7', other);
    expect(await found()).toEqual([key.sessionId]);
    expect(await found()).toEqual([key.sessionId]);
  });
});

describe('the samples of a window', () => {
  it('are gone when they are forgotten and their files are removed', async () => {
    const paths = ['/r/src/basket.ts'];
    expect(await samples.save(large, 'build-7', paths)).toBe(true);
    expect(await samples.save(large, 'build-7', paths)).toBe(false);
    expect(await samples.read([large], 'build-7')).toEqual([paths]);
    expect(await samples.read([large], 'build-8')).toEqual([]);
    samples.forgetSession(large);
    expect(await samples.read([large], 'build-7')).toEqual([paths]);
    isKept = false;
    await samples.save(large, 'build-9', paths);
    samples.forgetSession(large);
    expect(await samples.read([large], 'build-9')).toEqual([]);
    await samples.save(large, 'build-9', paths);
    samples.forget();
    expect(await samples.read([large], 'build-9')).toEqual([]);
  });
});
