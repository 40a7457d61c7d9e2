import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The repository's root folder. */
export const repositoryFolder = join(import.meta.dirname, '..', '..');

/** Where downloaded editors are kept between runs; git ignores it. */
export const cacheFolder = join(repositoryFolder, '.vscode-test');

/**
 * The folder `name` in the cache, filled by `fill` if it is not there yet. It is filled under another name and then
 * renamed, so an interrupted run never leaves a half-filled folder that counts; of two runs at once the first wins.
 */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  await sweepUnfinished();
  const unfinished = await mkdtemp(join(cacheFolder, `unfinished-${name}-`));
  try {
    await fill(unfinished);
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** An hour-old unfinished folder belongs to a run that was killed. */
async function sweepUnfinished(): Promise<void> {
  const oldestMs = Date.now() - 60 * 60 * 1000;
  for (const name of await readdir(cacheFolder)) {
    const folder = join(cacheFolder, name);
    if (name.startsWith('unfinished-') && (await stat(folder)).mtimeMs < oldestMs) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
