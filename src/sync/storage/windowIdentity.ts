import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import { isAlive } from './atomicFile.ts';

/** Names a running window to the other windows on the same folder. */
export const windowIdentitySchema = z.object({
  windowId: z.string(),
  host: z.string(),
  pid: z.number(),
  /** Unix ms: a process id is given again, most often in containers. */
  processStartedAt: z.number(),
});
export type WindowIdentity = z.output<typeof windowIdentitySchema>;

/** A new window in this process. */
export function newWindowIdentity(): WindowIdentity {
  return {
    windowId: randomUUID(),
    host: hostname(),
    pid: process.pid,
    processStartedAt: Math.floor(performance.timeOrigin),
  };
}

/** Whether a window surely ended: its process ran on this machine and does not any more. */
export function hasSurelyEnded({ host, pid, processStartedAt }: WindowIdentity): boolean {
  if (host !== hostname()) return false;
  return pid === process.pid ? processStartedAt !== Math.floor(performance.timeOrigin) : !isAlive(pid);
}
