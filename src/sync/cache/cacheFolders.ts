import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, undefinedIfMissing } from '../storage/atomicFile.ts';

/** The disk usage of one session's cache. */
interface FolderSize {
  readonly name: string;
  readonly sizeBytes: number;
  /** The time when the session was last opened or written, Unix ms. */
  readonly usedMs: number;
}

/** Measures the folders in `folder`; empty if the folder does not exist. */
export async function measureFolders(folder: string): Promise<FolderSize[]> {
  const sizes: FolderSize[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const own = await undefinedIfMissing(stat(path));
    if (!own) continue;
    let usedMs = own.mtimeMs;
    let sizeBytes = 0;
    for (const fileName of await namesIn(path)) {
      const file = await undefinedIfMissing(stat(join(path, fileName)));
      sizeBytes += file?.size ?? 0;
      usedMs = Math.max(usedMs, file?.mtimeMs ?? 0);
    }
    sizes.push({ name, sizeBytes, usedMs });
  }
  return sizes;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await undefinedIfMissing(readdir(folder))) ?? [];
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
