import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
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
  const unfinished = await mkdtemp(join(cacheFolder, `unfinished-${process.pid}-`));
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

/** An unfinished folder carries the id of the process that fills it: without that process it is rubbish. */
async function sweepUnfinished(): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const [, processId] = /^unfinished-(\d+)-/.exec(name) ?? [];
    if (processId && !isRunning(Number(processId))) await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // A process of somebody else is running all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
