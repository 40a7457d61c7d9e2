import { randomUUID } from 'node:crypto';
import { mkdirSync, watch } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { Clock } from './clock.ts';

/** Dependencies of file writes; `renameFile` is the system's rename unless a test replaces it. */
export interface FileWriting {
  readonly clock: Clock;
  readonly renameFile?: ((from: string, to: string) => Promise<void>) | undefined;
}

const fileMode = 0o600;
const folderMode = 0o700;
/**
 * The delays between attempts to rename over a file that another program, often a virus scanner, keeps open (Windows).
 */
const renameRetryMs = [10, 20, 50, 100, 200, 400, 800];
const syncRefusals = ['ENOENT', 'EPERM', 'EISDIR', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF'];
/** The minimum age at which a temporary file is removed even if its process seems to be running. */
const strayAfterMs = 3_600_000;
const tempName = /\.(\d+)-[0-9a-f-]{36}\.tmp$/;

/**
 * Writes a whole file so that the old or the new content is always intact, even after a crash: temporary file, fsync,
 * rename, fsync of the folder (R34). Only the user can read the file. When it resolves, the content is on disk. If it
 * rejects, no temporary file is left, and the old content remains. An exception is a failed fsync of the folder: the
 * new content is then in place, but a power failure may undo the rename.
 */
export async function writeAtomically(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  writing: FileWriting,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  const temporaryPath = `${path}.${process.pid}-${randomUUID()}.tmp`;
  try {
    await writeAndSync(temporaryPath, chunks);
    await renameWithRetries(temporaryPath, path, writing);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeAndSync(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', fileMode);
  try {
    for await (const chunk of chunks) await writeWhole(file, chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength;) offset += (await file.write(chunk, offset)).bytesWritten;
}

/**
 * Renames a file. If another program keeps it open (Windows), tries for about 1.6 s. Rejects with the system's error.
 */
export async function renameWithRetries(
  from: string,
  to: string,
  { clock, renameFile = rename }: FileWriting,
): Promise<void> {
  for (const delayMs of renameRetryMs) {
    try {
      await renameFile(from, to);
      return;
    } catch (error) {
      if (!['EPERM', 'EBUSY', 'EACCES'].includes(errorCode(error) ?? '')) throw error;
      await new Promise<void>((resolve) => void clock.after(delayMs, resolve));
    }
  }
  await renameFile(from, to);
}

/**
 * Moves a file. If there already is a file with the new name, that one stays, and the file to move is removed. Does
 * nothing if there is no file to move, because another window may do the same at the same time. Rejects with the
 * system's error.
 */
export async function moveUnlessPresent(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // Some file systems don't support hard links.
    const isPresent = errorCode(error) === 'EEXIST' || (await undefinedIfMissing(stat(to))) !== undefined;
    if (!isPresent) await undefinedIfMissing(rename(from, to));
  }
  await rm(from, { force: true });
}

/**
 * Makes file names in a folder durable, if the folder exists and the system can sync folders (Windows can't). Rejects
 * with other errors of the system.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!syncRefusals.includes(errorCode(error) ?? '')) throw error;
  }
}

/**
 * Removes temporary files that a crash left anywhere under `folder`, but none that a running window may still be
 * writing. Rejects with the system's error.
 * @returns the number of removed files.
 */
export async function sweepTemporaryFiles(folder: string, clock: Clock): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let removed = 0;
  for (const entry of entries) {
    const writerPid = Number(tempName.exec(entry.name)?.[1]);
    if (!entry.isFile() || Number.isNaN(writerPid)) continue;
    const path = join(entry.parentPath, basename(entry.name));
    if (!(await isStray(path, writerPid, clock))) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
}

async function isStray(path: string, writerPid: number, clock: Clock): Promise<boolean> {
  const modifiedMs = await modifiedAt(path);
  // Process IDs are often reused in containers, so a file older than this process belongs to an earlier process.
  if (writerPid === process.pid) return modifiedMs < Date.now() - process.uptime() * 1000;
  return !isAlive(writerPid) || clock.now() - modifiedMs > strayAfterMs;
}

async function modifiedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Whether a process is running on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Resolves like `reading`, or to undefined if the file or folder is missing; another window may remove it at any time.
 */
export async function undefinedIfMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The system's error code, such as ENOENT; undefined if there is none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Creates a file that only the user can read. Resolves to false if the file already exists. If it rejects with the
 * system's error, no file is left.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  let file: FileHandle;
  try {
    file = await open(path, 'wx', fileMode);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    await file.writeFile(text);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

/** Overwrites the beginning of an existing file. Resolves to false if there is no such file. */
export async function overwriteFile(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'r+');
    try {
      await file.write(text, 0);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Calls `listener` with the name of a file that may have changed, or with undefined if the name is unknown, until the
 * result is disposed. Creates the folder if needed. Never throws: if the folder can't be watched, logs that, and never
 * calls `listener`.
 */
export function watchFolder(path: string, listener: (name: string | undefined) => void, log: Log): Disposable {
  try {
    mkdirSync(path, { recursive: true, mode: folderMode });
    const watcher = watch(path, { persistent: false }, (_kind, name) => listener(name ?? undefined));
    watcher.on('error', (error) => {
      log.warn(`disk: a folder is not watched any more: ${reasonOf(error)}`);
      watcher.close();
    });
    return onDispose(() => watcher.close());
  } catch (error) {
    log.warn(`disk: a folder cannot be watched: ${reasonOf(error)}`);
    return onDispose(() => undefined);
  }
}
