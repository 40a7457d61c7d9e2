import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** The repository's root folder. */
export const repositoryFolder = join(import.meta.dirname, '..', '..', '..');

/** Where downloaded editors are kept between runs; git ignores it. */
export const cacheFolder = join(repositoryFolder, '.vscode-test');

/**
 * The folder `name` in the cache, filled by `fill` if it is not there yet. It is filled under another name and then
 * renamed, so an interrupted run never leaves a half-filled folder that counts. While somebody else is at it, it waits.
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

/** An unfinished folder carries the id of the process that fills it: without that process it is rubbish. */
async function sweepUnfinished(): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const [, processId] = /^unfinished-(\d+)-/.exec(name) ?? [];
    if (processId && !isRunning(Number(processId))) await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
}

/** Whether a process that still runs is filling the folder `name`. */
async function isBeingFilled(name: string): Promise<boolean> {
  const owners = (await readdir(cacheFolder)).map((entry) => /^unfinished-(\d+)-(.*)-\w+$/.exec(entry));
  return owners.some((owner) => owner?.[2] === name && isRunning(Number(owner[1])));
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // A process of somebody else is running all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
