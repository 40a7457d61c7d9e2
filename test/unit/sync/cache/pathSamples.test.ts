import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { key } from '../history/historyRig.ts';
import { cacheFiles, CacheWindow } from './cacheRig.ts';

const paths = ['/r/src/basket.ts'];
let folder: string;
let window: CacheWindow;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-paths-'));
  window = await CacheWindow.open(folder);
  await window.cache.paths.save(key, 'build-7', paths);
  expect(await window.cache.paths.read([key], 'build-7')).toEqual([paths]);
  expect((await cacheFiles(folder)).size).toBe(1);
});
afterEach(async () => {
  await window.close();
  await rm(folder, { recursive: true });
});

it('the sample of a session is gone after the cache is cleared', async () => {
  await window.cache.clear();
  expect(await window.cache.paths.read([key], 'build-7')).toEqual([]);
});

it('the sample of a session is gone after the session is removed', async () => {
  window.store.removeSession(key);
  await vi.waitFor(async () => expect((await cacheFiles(folder)).size).toBe(0));
  expect(await window.cache.paths.read([key], 'build-7')).toEqual([]);
});
