import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** The repository's root folder. */
export const repositoryFolder = join(import.meta.dirname, '..', '..', '..');

/** The cache of downloaded editors, which Git ignores. */
export const cacheFolder = join(repositoryFolder, '.vscode-test');

/**
 * Resolves to the path of the folder `name` in the cache. If the folder doesn't exist yet, calls `fill` with a
 * temporary folder and then renames that folder, so that an interrupted run never leaves an incomplete folder with this
 * name. If another process is filling the folder, waits for that process.
 */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder, name);
  await mkdir(cacheFolder, { recursive: true });
  await sweepUnfinished();
  while (!existsSync(folder) && (await isBeingFilled(name))) await setTimeout(500);
  if (existsSync(folder)) return folder;
  const unfinished = await mkdtemp(join(cacheFolder, `unfinished-${process.pid}-${name}-`));
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

/**
 * Deletes unfinished folders. The name of each contains the ID of the process that fills it; if that process has ended,
 * the folder is obsolete.
 */
async function sweepUnfinished(): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const [, processId] = /^unfinished-(\d+)-/.exec(name) ?? [];
    if (processId && !isRunning(Number(processId))) await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
}

/** Whether a running process is filling the folder `name`. */
async function isBeingFilled(name: string): Promise<boolean> {
  const owners = (await readdir(cacheFolder)).map((entry) => /^unfinished-(\d+)-(.*)-\w+$/.exec(entry));
  return owners.some((owner) => owner?.[2] === name && isRunning(Number(owner[1])));
}

/** Whether a process with this ID exists. */
export function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // A process that belongs to another user is also running.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
