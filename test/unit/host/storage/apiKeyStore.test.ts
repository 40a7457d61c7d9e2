import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiKeyStore, KeyNotStored } from '../../../../src/host/storage/apiKeyStore.ts';
import { KeyRevocations } from '../../../../src/host/storage/keyRevocations.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { type Log, silentLog } from '../../../../src/shared/log.ts';

const work = 'https://work.test';
const lab = 'https://lab.test';

/** SecretStorage in memory. If `isForgetful` is false, it keeps deleted secrets, as SecretStorage in a browser can. */
class MemorySecrets implements vscode.SecretStorage {
  readonly values = new Map<string, string>();
  readonly #changes = new Emitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changes.event;
  isForgetful = true;
  failure: Error | undefined;
  /** The number of secrets that were read. */
  readCount = 0;

  keys(): Promise<string[]> {
    return Promise.resolve([...this.values.keys()]);
  }

  get(name: string): Promise<string | undefined> {
    this.readCount += 1;
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(this.values.get(name));
  }

  store(name: string, value: string): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.values.set(name, value);
    return Promise.resolve();
  }

  delete(name: string): Promise<void> {
    if (this.isForgetful) this.values.delete(name);
    return Promise.resolve();
  }

  changed(key: string): void {
    this.#changes.fire({ key });
  }
}

let folder: string;
let secrets: MemorySecrets;
let warnings: string[];
let keys: ApiKeyStore;
let opened: { dispose(): void }[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-keys-'));
  secrets = new MemorySecrets();
  warnings = [];
  opened = [];
  keys = await openWindow();
});
afterEach(async () => {
  for (const one of opened) one.dispose();
  await rm(folder, { recursive: true });
});

/** Opens a window: an `ApiKeyStore` on the secrets and the folder that all windows share. */
async function openWindow(seen = new Set<string>()): Promise<ApiKeyStore> {
  const log: Log = { ...silentLog, warn: (line) => void warnings.push(line) };
  const revocations = new KeyRevocations(folder, log);
  await revocations.open();
  const store = new ApiKeyStore(secrets, revocations, seen, log);
  opened.push(store, revocations);
  return store;
}

it('keeps one key for each origin, and never reads the key of another', async () => {
  await keys.store(work, 'key of work');
  expect(await keys.read(lab)).toBeUndefined();
  await keys.store(lab, 'key of lab');
  expect([await keys.read(work), await keys.read(lab)]).toEqual(['key of work', 'key of lab']);
  await keys.remove(lab);
  expect([await keys.read(work), await keys.read(lab)]).toEqual(['key of work', undefined]);
});

it('shares keys between windows', async () => {
  await keys.store(work, 'key of work');
  expect(await (await openWindow()).read(work)).toBe('key of work');
});

it('reads secret storage once for many requests, because VS Code decrypts the secret in another process', async () => {
  await keys.store(work, 'key of work');
  const other = await openWindow();
  const countBefore = secrets.readCount;
  for (let request = 0; request < 5; request += 1) {
    expect([await keys.read(work), await other.read(work)]).toEqual(['key of work', 'key of work']);
  }
  expect(secrets.readCount - countBefore).toBe(1);
});

it('reads a key that another window stored at the next request, even if secret storage reports no change', async () => {
  await keys.store(work, 'first key');
  const other = await openWindow();
  expect(await other.read(work)).toBe('first key');
  await keys.store(work, 'second key');
  expect(await other.read(work)).toBe('second key');
});

it('reads a key again after secret storage has reported a change', async () => {
  await keys.store(work, 'first key');
  const [name = ''] = await secrets.keys();
  secrets.values.set(name, JSON.stringify({ version: 1, epoch: 0, key: 'second key' }));
  expect(await keys.read(work)).toBe('first key');
  secrets.changed(name);
  expect(await keys.read(work)).toBe('second key');
});

it('never keeps using a key that another window removes or replaces while it is being read (R11)', async () => {
  await keys.store(work, 'old key');
  const oldText = [...secrets.values.values()][0];
  const readWhile = async (change: () => Promise<void>): Promise<string | undefined> => {
    let isChanged = false;
    vi.spyOn(secrets, 'get').mockImplementationOnce(async () => {
      await change();
      isChanged = true;
      return oldText;
    });
    const key = await other.read(work);
    expect(isChanged).toBe(true);
    return key;
  };
  const other = await openWindow();
  await readWhile(() => keys.store(work, 'new key'));
  expect(await other.read(work)).toBe('new key');
  secrets.changed('lineside.key');
  expect(await readWhile(() => keys.remove(work))).toBeUndefined();
  expect(await other.read(work)).toBeUndefined();
});

it("stores a key even if other windows can't be told, and logs why", async () => {
  vi.spyOn(KeyRevocations.prototype, 'keyStored').mockRejectedValueOnce(new Error('disk is full'));
  await keys.store(work, 'key');
  expect(await keys.read(work)).toBe('key');
  expect(warnings).toEqual([expect.stringContaining('disk is full')]);
});

it('never reads a removed key again, even if secret storage still returns it (R11)', async () => {
  const other = await openWindow();
  await keys.store(work, 'old key');
  expect(await other.read(work)).toBe('old key');
  secrets.isForgetful = false;
  await keys.remove(work);
  expect(secrets.values.size).toBe(1);
  for (const store of [keys, other, await openWindow()]) expect(await store.read(work)).toBeUndefined();
  await keys.store(work, 'new key');
  for (const store of [keys, other, await openWindow()]) expect(await store.read(work)).toBe('new key');
});

it('deletes the secret of a removed key, so that it is not left on disk', async () => {
  await keys.store(work, 'old key');
  await keys.remove(work);
  expect([...secrets.values]).toEqual([]);
});

it('revokes all keys if the record of removals is unreadable, until the next key is stored (R11)', async () => {
  await keys.store(work, 'old key');
  await keys.remove(work);
  await keys.store(work, 'key');
  const name = (await readdir(folder)).find((file) => file.endsWith('.json')) ?? '';
  for (const damage of ['', 'x', '{"version":1,"epoch":-1}', '{"version":2,"epoch":0}', '{"version":1,"epoch":0.5}']) {
    await writeFile(join(folder, name), damage);
    expect(await keys.read(work), damage).toBeUndefined();
  }
  await keys.store(work, 'next key');
  expect(await keys.read(work)).toBe('next key');
  await keys.remove(work);
  expect(await keys.read(work)).toBeUndefined();
});

it('has no key while secret storage fails, and reports it without the key (R10)', async () => {
  await keys.store(work, 'secret-1');
  secrets.failure = new Error('keyring is locked');
  expect(await (await openWindow()).read(work)).toBeUndefined();
  await expect(keys.store(work, 'secret-2')).rejects.toThrow(KeyNotStored);
  await expect(keys.store(work, 'secret-2')).rejects.toThrow('keyring is locked');
  expect(warnings).toEqual([expect.stringContaining('keyring is locked')]);
  secrets.failure = undefined;
  expect(await keys.read(work)).toBe('secret-1');
});

it('reports a key that was stored but reads back differently', async () => {
  secrets.store = () => Promise.resolve();
  await expect(keys.store(work, 'secret-1')).rejects.toThrow(KeyNotStored);
});

it('ignores an entry with an unknown format, without logging it', async () => {
  await keys.store(work, 'secret-1');
  const [name = ''] = await secrets.keys();
  for (const text of ['secret-1', '{"version":2,"epoch":0,"key":"secret-1"}', '{"version":1,"key":"secret-1"}']) {
    secrets.values.set(name, text);
    secrets.changed(name);
    expect(await keys.read(work), text).toBeUndefined();
  }
  expect(warnings).toHaveLength(3);
  expect(warnings.join()).not.toContain('secret-1');
});

it('removes all keys, but no secret of anything else', async () => {
  await keys.store(work, 'a');
  await keys.store(lab, 'b');
  secrets.values.set('another entry', 'c');
  await keys.removeAll();
  expect([...secrets.values]).toEqual([['another entry', 'c']]);
  expect([await keys.read(work), await keys.read(lab)]).toEqual([undefined, undefined]);
});

it('remembers every key that it read or stored, so that the log can redact it (R37)', async () => {
  await keys.store(work, 'stored');
  await keys.remove(work);
  expect(keys.seen).toEqual(['stored']);
  await keys.store(work, 'later');
  const other = await openWindow();
  await other.read(work);
  expect(other.seen).toEqual(['later']);
  expect(keys.seen).toEqual(['stored', 'later']);
});

it('reports changes of this window and of secret storage until it is disposed', async () => {
  let count = 0;
  keys.onDidChange(() => (count += 1));
  await keys.store(work, 'a');
  expect(count).toBeGreaterThan(0);
  const afterStore = count;
  secrets.changed('lineside.key');
  expect(count).toBeGreaterThan(afterStore);
  const afterChange = count;
  await keys.remove(work);
  expect(count).toBeGreaterThan(afterChange);
  keys.dispose();
  const afterDispose = count;
  secrets.changed('lineside.key');
  expect(count).toBe(afterDispose);
});
