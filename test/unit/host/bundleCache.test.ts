import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { preloadApp } from '../../../src/host/bundleCache.ts';
import type { Disposable } from '../../../src/shared/lifecycle.ts';

const require = createRequire(import.meta.url);
const source = (name: string) => `
exports.name = '${name}';
exports.here = [__filename, __dirname, require('./part.js')];
globalThis.bundleRuns = (globalThis.bundleRuns ?? 0) + 1;
`;

describe('the bundle of the app', () => {
  let root = '';
  const file = () => join(root, 'dist', 'app.js');
  const compiled = () => join(root, 'storage', 'compiled');

  const preload = () => preloadApp({ extensionPath: root, globalStorageUri: { fsPath: join(root, 'storage') } });

  /** Loads the bundle like a new window, whose `require` doesn't know it. */
  function load(): Disposable {
    Reflect.deleteProperty(require.cache, file());
    return preload();
  }

  /** Lets the time pass after which compiled code is saved, and waits until that is done. */
  async function saved(): Promise<string> {
    await vi.advanceTimersByTimeAsync(5_000);
    const names = () => (existsSync(compiled()) ? readdirSync(compiled()) : []);
    await expect.poll(names).toEqual([expect.stringMatching(/^app-.*\.bin$/)]);
    return join(compiled(), names()[0] ?? '');
  }

  // Otherwise, the engine would find recently compiled code in its own cache, and would read no file.
  beforeAll(() => setFlagsFromString('--no-compilation-cache'));
  afterAll(() => setFlagsFromString('--compilation-cache'));

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    root = realpathSync(mkdtempSync(join(tmpdir(), 'lineside-bundle-')));
    mkdirSync(join(root, 'dist'));
    writeFileSync(file(), source('one'));
    writeFileSync(join(root, 'dist', 'part.js'), "module.exports = 'part';");
  });

  afterEach(() => {
    vi.useRealTimers();
    Reflect.deleteProperty(globalThis, 'bundleRuns');
    Reflect.deleteProperty(require.cache, file());
    rmSync(root, { recursive: true, force: true });
  });

  it('runs once, like a module that is required, also if loading the app is tried again', () => {
    load();
    const first: unknown = require(file());
    expect(first).toEqual({ name: 'one', here: [file(), join(root, 'dist'), 'part'] });
    preload();
    expect(require(file())).toBe(first);
    expect(Reflect.get(globalThis, 'bundleRuns')).toBe(1);
    expect(require.cache[file()]).toMatchObject({ filename: file(), loaded: true });
  });

  it('is saved in compiled form, which later windows use', async () => {
    load();
    const name = await saved();
    const { ino } = statSync(name);
    load();
    expect(vi.getTimerCount()).toBe(0);
    expect(require(file())).toMatchObject({ name: 'one' });
    expect(statSync(name).ino).toBe(ino);
  });

  it('is not saved if the extension ends before', () => {
    load().dispose();
    expect(vi.getTimerCount()).toBe(0);
    expect(existsSync(compiled())).toBe(false);
  });

  it.each([
    ['is damaged', (content: Buffer) => content.with(-9, (content.at(-9) ?? 0) ^ 1)],
    ['is cut off', (content: Buffer) => content.subarray(0, -1)],
    ['is empty', () => Buffer.alloc(0)],
    ['is of another version of the engine', ofOtherEngine],
  ])('is compiled and saved again if the file %s', async (_, change) => {
    load();
    const name = await saved();
    const changed = Buffer.from(change(readFileSync(name)));
    writeFileSync(name, changed);
    load();
    expect(require(file())).toMatchObject({ name: 'one' });
    await saved();
    await expect.poll(() => readFileSync(name).equals(changed)).toBe(false);
    load();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never runs the code of another version with the same length, whose file is removed', async () => {
    load();
    const name = await saved();
    writeFileSync(file(), source('two'));
    load();
    expect(require(file())).toMatchObject({ name: 'two' });
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => existsSync(name)).toBe(false);
    expect(readdirSync(compiled())).toHaveLength(1);
  });

  it('keeps the file of another engine in the same folder for a month', async () => {
    mkdirSync(compiled(), { recursive: true });
    const others = ['app-other-1-2.bin', 'app-other-3-4.bin'].map((name) => join(compiled(), name));
    for (const other of others) writeFileSync(other, 'compiled');
    utimesSync(others[1] ?? '', 0, 0);
    load();
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => others.map((other) => existsSync(other))).toEqual([true, false]);
  });

  it('has the columns of the bundle in its errors', () => {
    writeFileSync(file(), 'exports.stack = new Error().stack;');
    load();
    expect((require(file()) as { stack: string }).stack).toContain(`${file()}:1:17`);
  });

  it('is loaded if nothing can be saved', async () => {
    writeFileSync(join(root, 'storage'), 'not a folder');
    load();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(require(file())).toMatchObject({ name: 'one' });
  });

  it('reports its own errors when it is required', () => {
    writeFileSync(file(), "throw new Error('a fault of the app');");
    load();
    expect(() => require(file()) as unknown).toThrow('a fault of the app');
  });
});

/** The file with another version hash, which the engine checks, and a valid checksum. */
function ofOtherEngine(content: Buffer): Buffer {
  const changed = Buffer.from(content);
  changed.writeUInt32LE((changed.readUInt32LE(8) ^ 1) >>> 0, 8);
  changed.writeUInt32LE(crc32(changed.subarray(4)));
  return changed;
}
