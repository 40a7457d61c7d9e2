import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../install/cache.ts';

const removal = { recursive: true, force: true, maxRetries: 5 } as const;

/**
 * Creates the temporary folder of one run of `npm start`. Its name contains the ID of this process. Every process of
 * the run has the name in its command line, so that {@link removeLeftovers} finds the process.
 */
export function createStartFolder(parent = tmpdir()): Promise<string> {
  return mkdtemp(join(parent, `lineside-start-${process.pid}-`));
}

/**
 * Ends the processes and deletes the folders of runs whose own process was killed before it could clean up. Resolves to
 * the number of these runs. What belongs to another user stays.
 */
export async function removeLeftovers(parent = tmpdir()): Promise<number> {
  const abandoned = (await readdir(parent)).filter((name) => {
    const [, processId] = /^lineside-start-(\d+)-/.exec(name) ?? [];
    return processId !== undefined && !isRunning(Number(processId));
  });
  for (const name of abandoned) {
    for (const processId of processesNaming(name)) endProcess(processId);
    await rm(join(parent, name), removal).catch(() => undefined);
  }
  return abandoned.length;
}

/** The IDs of the processes that have `text` in their command line. Empty where there is no `ps`, as on Windows. */
function processesNaming(text: string): number[] {
  const { stdout, error } = spawnSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' });
  if (error) return [];
  const lines = stdout.split('\n').filter((line) => line.includes(text));
  return lines.map((line) => Number.parseInt(line, 10));
}

function endProcess(processId: number): void {
  try {
    process.kill(processId, 'SIGTERM');
  } catch {
    // The process has ended already, or belongs to another user.
  }
}
