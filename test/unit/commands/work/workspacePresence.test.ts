import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { AgentFiles } from '../../../../src/commands/work/agentFiles.ts';
import { ChangeFiles } from '../../../../src/commands/work/changeFiles.ts';
import { WorkspacePresence } from '../../../../src/commands/work/workspacePresence.ts';
import { WorkspaceChanges } from '../../../../src/host/editors/workspaceChanges.ts';
import { WorkspaceFiles } from '../../../../src/host/files/workspaceFiles.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import type { Store, StoreChange } from '../../../../src/state/store/store.ts';
import { CachePolicy } from '../../../../src/sync/cache/cachePolicy.ts';
import type { MessageCache } from '../../../../src/sync/cache/messageCache.ts';
import { PathSamples } from '../../../../src/sync/cache/pathSamples.ts';
import { PathMappings } from '../../../../src/sync/pathMappings.ts';
import { MemoryRecordStore } from '../../../../src/sync/storage/memoryRecordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { fileEvents, installed, saveEvents, trustEvents, Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { key, recordOf, t } from '../../state/samples.ts';
import { resultMarks, toolHeader } from '../../state/work/toolHeaders.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const root = '/home/agent/work/shop';
const edits = [
  ['src/basket.ts', 'let total = one;', 'const total = one + two;'],
  ['src/pay/card.ts', 'oldCard(amount);', 'newCard(amount);'],
  ['src/pay/cash.ts', 'oldCash(amount);', 'newCash(amount);'],
  ['src/late.ts', 'oldLate(amount);', 'newLate(amount);'],
] as const;

let outer: string;
let headers: MessageHeader[];
let bodies: Map<string, Message>;
let readCount: number;
/** The objects with the places of messages on disk that were passed to `bodies`. */
let placesRead: Set<object>;
let gitChanges: Emitter<void>;
let presence: WorkspacePresence;
let changeFiles: ChangeFiles;
let disposables: { dispose(): void }[];

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(outer, path)), { recursive: true });
  await writeFile(join(outer, path), text);
}

beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'lineside-presence-')));
  for (const [path, oldText] of edits.slice(0, 3)) await write(`shop/${path}`, `// start\n${oldText}\n`);
  workspace.workspaceFolders = [{ uri: Uri.file(join(outer, 'shop')), name: 'shop' }];
  headers = [];
  bodies = new Map();
  readCount = 0;
  for (const [index, [path, old_string, new_string]] of edits.entries()) {
    const input = { file_path: `${root}/${path}`, old_string, new_string };
    headers.push(toolHeader(`m${index}`, ['Edit', input]), resultMarks(`r${index}`, `m${index}`, 'Done'));
    const content = [{ type: 'tool_use', toolUseId: `m${index}`, name: 'Edit', input }];
    bodies.set(`m${index}`, { id: `m${index}`, content } as unknown as Message);
  }
  const changes = new Emitter<StoreChange>();
  const record = () => ({ ...recordOf(), headers });
  const store = { record, recordsOf: () => [record()], onDidChange: changes.event } as unknown as Store;
  placesRead = new Set();
  const messages = {
    places: () => ({}),
    *bodies(_: unknown, messageIds: readonly string[], places: object) {
      placesRead.add(places);
      readCount += messageIds.length;
      yield messageIds.flatMap((messageId) => bodies.get(messageId) ?? []);
    },
  };
  gitChanges = new Emitter();
  const workspaceFiles = new WorkspaceFiles();
  const records = new RecordStores(new MemoryRecordStore());
  const mappings = new PathMappings(records, silentLog);
  const samples = new PathSamples(records, new CachePolicy(records, () => true), silentLog);
  const agentFiles = new AgentFiles(store, workspaceFiles, mappings, samples, t);
  const workspaceChanges = new WorkspaceChanges();
  const services = { store, agentFiles, messages, workspaceChanges };
  changeFiles = new ChangeFiles(services as unknown as ConstructorParameters<typeof ChangeFiles>[0]);
  presence = new WorkspacePresence({
    ...{ store, agentFiles, changeFiles, workspaceChanges },
    messages: messages as unknown as MessageCache,
  });
  disposables = [presence, changeFiles, workspaceChanges, agentFiles, workspaceFiles];
});
afterEach(async () => {
  for (const item of disposables) item.dispose();
  installed.clear();
  workspace.isTrusted = true;
  vi.useRealTimers();
  vi.restoreAllMocks();
  await rm(outer, { recursive: true });
});

/** Resolves when `presence` reports the next change. */
const changed = () => new Promise((resolve) => presence.onDidChange(resolve));

/** The presence of the files, by their paths, after the next change. */
async function foundOut(): Promise<Readonly<Record<string, string>>> {
  const next = changed();
  presence.known(key);
  await next;
  return shown();
}
const shown = () =>
  Object.fromEntries([...presence.known(key).presences].map(([path, one]) => [path.slice(root.length + 1), one]));

const before = {
  'src/basket.ts': 'absent',
  'src/pay/card.ts': 'absent',
  'src/pay/cash.ts': 'absent',
  'src/late.ts': 'missing',
};

describe('what of the changes of a session is in the workspace (R53)', () => {
  it('is found out when it is asked for, and again after a file was saved', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    expect(presence.known(key).presences.size).toBe(0);
    await changed();
    expect(shown()).toEqual(before);
    await write('shop/src/basket.ts', 'const total = one + two;\n');
    const outdated = changed();
    saveEvents.fire({ uri: Uri.file(join(outer, 'shop/src/basket.ts')) });
    await vi.advanceTimersByTimeAsync(1_000);
    await outdated;
    readCount = 0;
    // `known` returns the earlier presence until the new comparison is done; `current` returns nothing outdated.
    expect(presence.current(key).presences.size).toBe(0);
    const next = changed();
    expect(shown()).toEqual(before);
    await vi.advanceTimersByTimeAsync(2_000);
    await next;
    expect(await foundOut()).toEqual({ ...before, 'src/basket.ts': 'present' });
    expect(presence.current(key)).toEqual(presence.known(key));
    expect(presence.current(key).confirmedCount).toBe(4);
    // Only what has changed is read again.
    expect(readCount).toBe(1);
  });

  it('is asked for again after the Git extension reports a change, and its files are not watched then', async () => {
    const repository = { state: { onDidChange: gitChanges.event } };
    const getAPI = () => ({ repositories: [repository], getRepository: () => repository });
    installed.set('vscode.git', { isActive: true, exports: { enabled: true, getAPI } });
    await foundOut();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const fired: unknown[] = [];
    presence.onDidChange((one) => fired.push(one));
    saveEvents.fire({ uri: Uri.file('/elsewhere/a.ts') });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fired).toEqual([]);
    for (let time = 0; time < 50; time += 1) gitChanges.fire();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fired).toEqual([undefined]);
  });

  it('is asked for again after file watchers report a change if the Git extension has no repository', async () => {
    const getAPI = () => ({ repositories: [], getRepository: () => null });
    installed.set('vscode.git', { isActive: true, exports: { enabled: true, getAPI } });
    await foundOut();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const fired: unknown[] = [];
    presence.onDidChange((one) => fired.push(one));
    fileEvents.fire(Uri.file(join(outer, 'shop/.git/index')));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fired).toEqual([]);
    fileEvents.fire(Uri.file(join(outer, 'shop/src/basket.ts')));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fired).not.toEqual([]);
  });

  it('is compared again after a pause, once, while an agent is running and rows are drawn for each of its messages', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    expect(await foundOut()).toEqual(before);
    const compare = vi.spyOn(presence, 'compare');
    const drawn = vi.spyOn(presence, 'known');
    presence.onDidChange((one) => one && presence.known(one));
    for (let message = 0; message < 20; message += 1) {
      headers = [...headers, resultMarks(`later${message}`, 'none', 'Done')];
      presence.known(key);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(compare).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(compare).toHaveBeenCalledTimes(1);
    await compare.mock.results[0]?.value;
    await vi.advanceTimersByTimeAsync(0);
    expect(presence.current(key).confirmedCount).toBe(4);
    drawn.mockClear();
    // Nothing has changed since, so nothing more is waiting.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(compare).toHaveBeenCalledTimes(1);
    expect(drawn).not.toHaveBeenCalled();
  });

  it('is not compared after the pause if it is not asked for again, because its row was collapsed meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    expect(await foundOut()).toEqual(before);
    const compare = vi.spyOn(presence, 'compare');
    const fired: unknown[] = [];
    presence.onDidChange((one) => fired.push(one));
    headers = [...headers, resultMarks('later', 'none', 'Done')];
    presence.known(key);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fired).toEqual([key]);
    expect(compare).not.toHaveBeenCalled();
    presence.known(key);
    await vi.advanceTimersByTimeAsync(0);
    expect(compare).toHaveBeenCalledTimes(1);
  });

  it('is compared again after a pause, also if the last comparison failed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    presence.onDidChange((one) => one && presence.known(one));
    const compare = vi.spyOn(presence, 'compare').mockRejectedValue(new Error('Invalid string length'));
    for (let message = 0; message < 5; message += 1) {
      headers = [...headers, resultMarks(`later${message}`, 'none', 'Done')];
      presence.known(key);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(compare).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(compare).toHaveBeenCalledTimes(2);
  });

  it('is not compared any more after the window closes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    expect(await foundOut()).toEqual(before);
    const compare = vi.spyOn(presence, 'compare');
    headers = [...headers, resultMarks('later', 'none', 'Done')];
    presence.known(key);
    presence.dispose();
    presence.known(key);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(compare).not.toHaveBeenCalled();
    readCount = 0;
    const { files } = changeFiles.changes({ ...recordOf(), headers }, { first: '', last: 'r3' });
    expect(await presence.compare(key, files)).toEqual(new Map());
    expect(readCount).toBe(0);
  });

  it('recognizes no more calls after the window closes', async () => {
    const input = {
      file_path: `${root}/src/basket.ts`,
      old_string: 'let total = one;',
      new_string: 'const total = two;',
    };
    let recognizedCount = 0;
    for (const messageId of ['first', 'second', 'third']) {
      headers.push(toolHeader(messageId, ['Edit', input]), resultMarks(`result-${messageId}`, messageId, 'Done'));
      const call = {
        type: 'tool_use',
        toolUseId: messageId,
        name: 'Edit',
        get input() {
          recognizedCount += 1;
          presence.dispose();
          return input;
        },
      };
      bodies.set(messageId, { id: messageId, content: [call] } as unknown as Message);
    }
    // By this clock, every step of the work takes longer than a slice.
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (time += 10));
    const { files } = changeFiles.changes({ ...recordOf(), headers }, { first: '', last: 'result-third' });
    const basket = files.filter(({ path }) => path === input.file_path);
    expect(await presence.compare(key, basket)).toEqual(new Map());
    expect(recognizedCount).toBe(1);
  });

  it('is found out by reading once where the messages of all files are', async () => {
    await foundOut();
    expect(readCount).toBe(4);
    expect(placesRead.size).toBe(1);
  });

  it('is unknown for messages that are not on this machine, and for other sessions', async () => {
    bodies.delete('m1');
    expect(Object.keys(await foundOut())).toEqual(['src/basket.ts', 'src/pay/cash.ts', 'src/late.ts']);
    workspace.workspaceFolders = [{ uri: Uri.file(join(outer, 'other')), name: 'other' }];
    const files = changeFiles.changes({ ...recordOf(), headers }, { first: '', last: 'r3' }).files;
    const relative = files.map((file) => ({ ...file, path: file.path.slice(root.length + 1) }));
    expect(await presence.compare(key, relative)).toEqual(new Map());
  });

  it('is unknown for a file whose comparison fails, and known for the others', async () => {
    vi.spyOn(changeFiles, 'cachedChanges').mockRejectedValueOnce(new Error('Invalid string length'));
    expect(Object.keys(await foundOut())).toHaveLength(3);
    const { files } = changeFiles.changes({ ...recordOf(), headers }, { first: '', last: 'r3' });
    expect((await presence.compare(key, files)).size).toBe(4);
  });

  it('is not found out through a symbolic link, and of no path out of the workspace', async () => {
    await write('secret.ts', 'newLate(amount);\n');
    await symlink(join(outer, 'secret.ts'), join(outer, 'shop/src/late.ts'));
    const { files } = changeFiles.changes({ ...recordOf(), headers }, { first: '', last: 'r3' });
    expect([...(await presence.compare(key, files)).values()]).toEqual(['absent', 'absent', 'absent', 'missing']);
    const [file] = files;
    for (const path of ['../secret.ts', `${root}/../../../secret.ts`, join(outer, 'secret.ts'), '\\\\server\\a.ts']) {
      const known = await presence.compare(key, file ? [{ ...file, path }] : []);
      expect(known.get(path) ?? 'missing').toBe('missing');
    }
  });

  it('reads nothing in Restricted Mode, and is asked for again after the user trusts the workspace', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    workspace.isTrusted = false;
    const files = changeFiles.changes({ ...recordOf(), headers }, { first: '', last: 'r3' }).files;
    expect(await presence.compare(key, files)).toEqual(new Map());
    expect(readCount).toBe(0);
    presence.known(key);
    await vi.advanceTimersByTimeAsync(0);
    const next = changed();
    workspace.isTrusted = true;
    trustEvents.fire();
    await next;
    const pauseEnd = foundOut();
    await vi.advanceTimersByTimeAsync(2_000);
    await pauseEnd;
    expect(await foundOut()).toEqual(before);
  });
});
