import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { NotificationClaims } from '../../../../src/sync/sessionList/notificationClaims.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

describe('notification claims', () => {
  const key = { origin: 'https://a.test', sessionId: 's' };
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const open = async () => new NotificationClaims(await openDisk(folder.path, silentLog));

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('let exactly one of several windows notify the user each time an agent finishes', async () => {
    const windows = await Promise.all([open(), open(), open()]);
    for (const idleAt of [2, 4]) {
      const claims = await Promise.all(windows.map((window) => window.claim(key, idleAt - 1, idleAt)));
      expect(claims.filter((isMine) => isMine)).toHaveLength(1);
    }
    expect(await windows[0].claim({ ...key, sessionId: 'other' }, 3, 4)).toBe(true);
    expect(await readdir(join(folder.path, 'notices'))).toHaveLength(4);
  });

  it('let one window notify the user if the session changed again before the other windows saw it', async () => {
    const [first, second] = [await open(), await open()];
    expect(await first.claim(key, 10, 20)).toBe(true);
    expect(await second.claim(key, 15, 25)).toBe(false);
    expect(await second.claim(key, 30, 40)).toBe(true);
    expect(await first.claim(key, 35, 38)).toBe(false);
    expect(await readdir(join(folder.path, 'notices'))).toHaveLength(2);
  });

  it('let one window notify the user if the status changes without the time of the session', async () => {
    const [first, second] = [await open(), await open()];
    expect(await first.claim(key, 10, 10)).toBe(true);
    expect(await second.claim(key, 10, 15)).toBe(false);
    // The agent may have begun another turn at that time.
    expect(await first.claim(key, 10, 20)).toBe(true);
  });

  it.each([
    ['saw the turn end later', [[15, 25]]],
    ['saw the turn end earlier', [[5, 15]]],
    [
      'claimed two turns',
      [
        [10, 21],
        [30, 40],
      ],
    ],
  ] as const)('let one window notify the user if meanwhile, another one %s', async (_what, turns) => {
    const other = await open();
    const disk = await openDisk(folder.path, silentLog);
    const create = vi.spyOn(disk, 'create').mockImplementationOnce(async (name, text) => {
      for (const [workingAt, idleAt] of turns) expect(await other.claim(key, workingAt, idleAt)).toBe(true);
      return disk.create(name, text);
    });
    expect(await new NotificationClaims(disk).claim(key, 10, 20)).toBe(false);
    expect(create).toHaveBeenCalledTimes(3);
  });

  it('let every window notify the user if nothing can be written', async () => {
    const claims = await open();
    await folder.remove();
    const disk = await openDisk(folder.path, silentLog);
    const broken = new NotificationClaims({ ...disk, create: () => Promise.reject(new Error('disk full')) });
    expect(await broken.claim(key, 1, 2)).toBe(true);
    expect(await claims.claim(key, 1, 2)).toBe(true);
  });
});
