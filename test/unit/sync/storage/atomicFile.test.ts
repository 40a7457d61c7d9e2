import { spawnSync } from 'node:child_process';
import { mkdir, open, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import {
  createFile,
  errorCode,
  isAlive,
  overwriteFile,
  sweepTemporaryFiles,
  syncFolder,
  undefinedIfMissing,
  watchFolder,
  writeAtomically,
} from '../../../../src/sync/storage/atomicFile.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { until } from '../../../fakes/until.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const bytes = (text: string): Uint8Array[] => [Buffer.from(text)];
const failure = (code: string): Error => Object.assign(new Error(code), { code });

describe('an atomic write', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let clock: FakeClock;
  const file = (): string => join(folder.path, 'a.json');

  beforeEach(async () => {
    folder = await temporaryFolder();
    clock = new FakeClock();
  });
  afterEach(() => folder.remove());

  // On Windows, renaming fails with any of these while a virus scanner or another window holds the file open.
  it.each(['EPERM', 'EBUSY', 'EACCES'])('waits while the file is held (%s), with growing pauses', async (code) => {
    const startMs = clock.now();
    const waits: number[] = [];
    const renameFile = async (from: string, to: string): Promise<void> => {
      waits.push(clock.now() - startMs);
      if (waits.length <= 4) throw failure(code);
      await rename(from, to);
    };
    const written = writeAtomically(file(), bytes('new'), { clock, renameFile });
    for (let retries = 0; retries < 4; retries++) await until(() => clock.advanceToNext());
    await written;
    expect(waits).toEqual([0, 10, 30, 80, 180]);
    expect(await readFile(file(), 'utf8')).toBe('new');
    expect(await readdir(folder.path)).toEqual(['a.json']);
  });

  it('rejects if the file is held for too long, and keeps the old content', async () => {
    await writeAtomically(file(), bytes('old'), { clock });
    let attempts = 0;
    const renameFile = (): Promise<void> => {
      attempts++;
      return Promise.reject(failure('EPERM'));
    };
    const written = writeAtomically(file(), bytes('new'), { clock, renameFile });
    const rejected = expect(written).rejects.toThrow('EPERM');
    for (let retries = 0; retries < 7; retries++) await until(() => clock.advanceToNext());
    await rejected;
    expect(attempts).toBe(8);
    expect(await readFile(file(), 'utf8')).toBe('old');
    expect(await readdir(folder.path)).toEqual(['a.json']);
  });

  it.each(['ENOSPC', 'EROFS', 'EXDEV'])('does not retry after an error that a retry cannot fix (%s)', async (code) => {
    const written = writeAtomically(file(), bytes('new'), { clock, renameFile: () => Promise.reject(failure(code)) });
    await expect(written).rejects.toThrow(code);
    expect(clock.pendingTimers).toBe(0);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('keeps the name of the temporary file valid on Windows, next to its target', async () => {
    let temporary = '';
    const renameFile = async (from: string, to: string): Promise<void> => {
      temporary = from;
      await rename(from, to);
    };
    await writeAtomically(file(), bytes('new'), { clock, renameFile });
    expect(temporary.startsWith(`${file()}.`)).toBe(true);
    expect(temporary.slice(folder.path.length + 1)).toMatch(/^[\w.-]{1,80}$/);
  });

  it('replaces a file that another process has open for reading', async () => {
    await writeAtomically(file(), bytes('old'), { clock });
    const reader = await open(file(), 'r');
    await writeAtomically(file(), bytes('new'), { clock });
    await reader.close();
    expect(await readFile(file(), 'utf8')).toBe('new');
  });

  it.skipIf(process.platform === 'win32')('lets only the user read the file and its new folders', async () => {
    const before = process.umask(0);
    try {
      const nested = join(folder.path, 'b', 'c.json');
      await writeAtomically(nested, bytes('x'), { clock });
      await createFile(join(folder.path, 'd', 'e.json'), 'x');
      const modes = await Promise.all(
        [nested, join(folder.path, 'b'), join(folder.path, 'd', 'e.json'), join(folder.path, 'd')].map(
          async (path) => (await stat(path)).mode & 0o777,
        ),
      );
      expect(modes).toEqual([0o600, 0o700, 0o600, 0o700]);
    } finally {
      process.umask(before);
    }
  });

  it('writes the bytes that it is given, without changing line endings', async () => {
    const text = 'one\r\ntwo\nthree\r';
    await writeAtomically(file(), bytes(text), { clock });
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  it('does not fail if folders cannot be synced, or are missing', async () => {
    await expect(syncFolder(join(folder.path, 'missing'))).resolves.toBeUndefined();
    await mkdir(join(folder.path, 'b'));
    await expect(syncFolder(join(folder.path, 'b'))).resolves.toBeUndefined();
  });

  it('fails if the folder to sync is below a file', async () => {
    await writeFile(file(), '');
    await expect(syncFolder(join(file(), 'b'))).rejects.toThrow('ENOTDIR');
  });

  it('creates a file once, and overwrites only one that exists', async () => {
    expect(await overwriteFile(file(), 'none')).toBe(false);
    expect(await createFile(file(), 'first')).toBe(true);
    expect(await createFile(file(), 'second')).toBe(false);
    expect(await overwriteFile(file(), 'third')).toBe(true);
    expect(await readFile(file(), 'utf8')).toBe('third');
    await writeFile(file(), '');
  });
});

describe('temporary files', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  const id = '01234567-89ab-4cde-8f01-23456789abcd';

  it('of a running process are removed when they are more than an hour old', async () => {
    const clock = new FakeClock();
    await mkdir(join(folder.path, 'b', 'c'), { recursive: true });
    const path = join(folder.path, 'b', 'c', `a.json.${process.ppid}-${id}.tmp`);
    await writeFile(path, '');
    await utimes(path, clock.now() / 1000, clock.now() / 1000);
    clock.jump(3_600_000);
    expect(await sweepTemporaryFiles(folder.path, clock)).toBe(0);
    clock.jump(1);
    expect(await sweepTemporaryFiles(folder.path, clock)).toBe(1);
    expect(await readdir(join(folder.path, 'b', 'c'))).toEqual([]);
  });

  it('are distinguished from other files and folders by their names', async () => {
    const endedPid = spawnSync(process.execPath, ['-e', '']).pid;
    const kept = [`a.json.${endedPid}-${id}.tmp.bak`, `a.json.${id}.tmp`, `a.json.${endedPid}-0.tmp`, 'a.json'];
    for (const name of kept) await writeFile(join(folder.path, name), '');
    await mkdir(join(folder.path, `folder.${endedPid}-${id}.tmp`));
    await writeFile(join(folder.path, `a.json.${endedPid}-${id}.tmp`), '');
    await writeFile(join(folder.path, `b.json.${endedPid}-${id}.tmp`), '');
    expect(await sweepTemporaryFiles(folder.path, new FakeClock())).toBe(2);
    expect((await readdir(folder.path)).sort()).toEqual([...kept, `folder.${endedPid}-${id}.tmp`].sort());
  });
});

describe('a watched folder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('is created for the user only, and reports the names of changed files until it is disposed', async () => {
    const path = join(folder.path, 'a', 'b');
    const names: (string | undefined)[] = [];
    const watcher = watchFolder(path, (name) => names.push(name), silentLog);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o700);
    await writeFile(join(path, 'one'), '');
    await until(() => names.includes('one'), 'the name');
    watcher.dispose();
    await writeFile(join(path, 'two'), '');
    for (let turn = 0; turn < 20; turn++) await stat(path);
    expect(names).not.toContain('two');
  });

  it('is ignored if it cannot be created', async () => {
    await writeFile(join(folder.path, 'a'), '');
    const watcher = watchFolder(join(folder.path, 'a', 'b'), () => undefined, silentLog);
    expect(() => {
      watcher.dispose();
    }).not.toThrow();
  });
});

describe('errors of the system', () => {
  it('have a code', () => {
    expect(errorCode(failure('EIO'))).toBe('EIO');
    for (const other of [new Error('no code'), Object.assign(new Error('a number'), { code: 5 }), { code: 'EIO' }])
      expect(errorCode(other)).toBeUndefined();
  });

  it('are ignored only if a file is missing', async () => {
    expect(await undefinedIfMissing(Promise.resolve('text'))).toBe('text');
    expect(await undefinedIfMissing(Promise.reject<string>(failure('ENOENT')))).toBeUndefined();
    await expect(undefinedIfMissing(Promise.reject<string>(failure('EIO')))).rejects.toThrow('EIO');
  });

  it('show whether a process is running', () => {
    expect(isAlive(process.pid)).toBe(true);
    expect(isAlive(spawnSync(process.execPath, ['-e', '']).pid)).toBe(false);
  });

  it('other than an existing or a missing file reject the creation or the change of a file', async () => {
    const { path, remove } = await temporaryFolder();
    await writeFile(join(path, 'a'), '');
    await expect(overwriteFile(join(path, 'a', 'b'), 'x')).rejects.toThrow('ENOTDIR');
    await expect(createFile(join(path, 'x'.repeat(300)), 'x')).rejects.toThrow('ENAMETOOLONG');
    await remove();
  });
});
