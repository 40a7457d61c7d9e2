import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import { isAlive } from './atomicFile.ts';

/** Identifies a running window to the other windows that use the same folder. */
export const windowIdentitySchema = z.object({
  windowId: z.string(),
  host: z.string(),
  pid: z.number(),
  /** Unix ms. Distinguishes processes with the same ID, because IDs are often reused in containers. */
  processStartedAt: z.number(),
});
export type WindowIdentity = z.output<typeof windowIdentitySchema>;

/** A new identity in this process. Parts of one window that call this separately have different identities. */
export function newWindowIdentity(): WindowIdentity {
  return {
    windowId: randomUUID(),
    host: hostname(),
    pid: process.pid,
    processStartedAt: Math.floor(performance.timeOrigin),
  };
}

/** Whether a window has definitely ended: its process ran on this machine and no longer exists. */
export function hasSurelyEnded({ host, pid, processStartedAt }: WindowIdentity): boolean {
  if (host !== hostname()) return false;
  return pid === process.pid ? processStartedAt !== Math.floor(performance.timeOrigin) : !isAlive(pid);
}
