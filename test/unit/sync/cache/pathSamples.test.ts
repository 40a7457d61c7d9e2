import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { key } from '../history/historyRig.ts';
import { cacheFiles, CacheWindow } from './cacheRig.ts';

const paths = ['/r/src/basket.ts'];
const otherPaths = ['/r/src/basket.ts', '/r/src/wallet.ts'];
let folder: string;
let window: CacheWindow;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-paths-'));
  window = await CacheWindow.open(folder);
  await window.cache.pathSamples.save(key, 'build-7', paths);
  expect(await window.cache.pathSamples.read([key], 'build-7')).toEqual([paths]);
  expect((await cacheFiles(folder)).size).toBe(1);
});
afterEach(async () => {
  await window.close();
  await rm(folder, { recursive: true });
});

it('the sample of a session is gone after the cache is cleared', async () => {
  await window.cache.clear();
  expect(await window.cache.pathSamples.read([key], 'build-7')).toEqual([]);
});

it('the sample of a session is gone after the session is removed', async () => {
  window.store.removeSession(key);
  await expect.poll(async () => (await cacheFiles(folder)).size).toBe(0);
  expect(await window.cache.pathSamples.read([key], 'build-7')).toEqual([]);
});

it('the sample of a session is written again after the cache is cleared only if it changes', async () => {
  await window.cache.clear();
  await window.cache.pathSamples.save(key, 'build-7', paths);
  expect(await window.cache.pathSamples.read([key], 'build-7')).toEqual([paths]);
  expect((await cacheFiles(folder)).size).toBe(0);
  await window.cache.clear();
  await window.cache.pathSamples.save(key, 'build-7', paths);
  expect((await cacheFiles(folder)).size).toBe(0);
  await window.cache.pathSamples.save(key, 'build-7', otherPaths);
  expect((await cacheFiles(folder)).size).toBe(1);
});

it('the sample of a session is written again after the session was removed and came back', async () => {
  window.store.removeSession(key);
  await expect.poll(async () => (await cacheFiles(folder)).size).toBe(0);
  window.store.addSession({ key, addedAt: 2 });
  await window.cache.pathSamples.save(key, 'build-7', paths);
  expect((await cacheFiles(folder)).size).toBe(1);
});

it('the sample that another window writes later is read', async () => {
  const other = { ...key, sessionId: 'other' };
  expect(await window.cache.pathSamples.read([other], 'build-7')).toEqual([]);
  const second = await CacheWindow.open(folder);
  await second.cache.pathSamples.save(other, 'build-7', otherPaths);
  expect(await window.cache.pathSamples.read([other], 'build-7')).toEqual([otherPaths]);
  await second.close();
});

describe('a sample whose writing ends after the files were removed', () => {
  let proceed: () => void;
  let saving: Promise<boolean>;

  beforeEach(async () => {
    const write = window.disk.write.bind(window.disk);
    const held = new Promise<void>((resolve) => (proceed = resolve));
    const spy = vi.spyOn(window.disk, 'write').mockImplementation(async (name, format, record) => {
      await held;
      await write(name, format, record);
    });
    saving = window.cache.pathSamples.save(key, 'build-7', otherPaths);
    await expect.poll(() => spy.mock.calls.length).toBe(1);
  });
  afterEach(() => void vi.restoreAllMocks());

  it('is removed if the cache was cleared', async () => {
    await window.cache.clear();
    proceed();
    await saving;
    expect((await cacheFiles(folder)).size).toBe(0);
    expect(await window.cache.pathSamples.read([key], 'build-7')).toEqual([]);
  });

  it('is removed if the session was removed', async () => {
    window.store.removeSession(key);
    await expect.poll(async () => (await cacheFiles(folder)).size).toBe(0);
    proceed();
    await saving;
    expect((await cacheFiles(folder)).size).toBe(0);
    expect(await window.cache.pathSamples.read([key], 'build-7')).toEqual([]);
  });

  it('stays if the session came back with other paths meanwhile', async () => {
    window.store.removeSession(key);
    await expect.poll(async () => (await cacheFiles(folder)).size).toBe(0);
    window.store.addSession({ key, addedAt: 2 });
    const again = window.cache.pathSamples.save(key, 'build-7', paths);
    await expect.poll(() => vi.mocked(window.disk.write).mock.calls.length).toBe(2);
    proceed();
    await Promise.all([saving, again]);
    expect((await cacheFiles(folder)).size).toBe(1);
    expect(await window.cache.pathSamples.read([key], 'build-7')).toEqual([paths]);
  });
});
