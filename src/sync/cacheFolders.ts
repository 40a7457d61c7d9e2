import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './atomicFile.ts';

/** What the cache of one session takes on disk. */
export interface FolderSize {
  readonly name: string;
  readonly sizeBytes: number;
  /** When the session was last opened or written, Unix ms. */
  readonly usedMs: number;
}

/** The folders in `folder` with what is in them; none where there is no such folder. */
export async function measureFolders(folder: string): Promise<FolderSize[]> {
  const sizes: FolderSize[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    let usedMs = (await stat(path)).mtimeMs;
    let sizeBytes = 0;
    for (const fileName of await namesIn(path)) {
      const { size, mtimeMs } = await stat(join(path, fileName));
      sizeBytes += size;
      usedMs = Math.max(usedMs, mtimeMs);
    }
    sizes.push({ name, sizeBytes, usedMs });
  }
  return sizes;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
