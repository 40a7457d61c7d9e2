import { mkdirSync, watch } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { errorCode } from './atomicFile.ts';

const folderMode = 0o700;

/** Makes a file that must not be there yet, readable by the user only. Resolves to whether this call made it. */
export async function createFile(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Writes over the beginning of a file. Resolves to whether there was one; none is made. */
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

/** Calls `listener` with the name of a file that may have changed, as far as the system tells. */
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
