import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    for (const updatedAt of [1, 2]) {
      const claims = await Promise.all(windows.map((window) => window.claim(key, updatedAt)));
      expect(claims.filter((isMine) => isMine)).toHaveLength(1);
    }
    expect(await windows[0].claim({ ...key, sessionId: 'other' }, 2)).toBe(true);
    expect(await readdir(join(folder.path, 'notices'))).toHaveLength(2);
  });

  it('let every window notify the user if nothing can be written', async () => {
    const claims = await open();
    await folder.remove();
    const disk = await openDisk(folder.path, silentLog);
    const broken = new NotificationClaims({ ...disk, create: () => Promise.reject(new Error('disk full')) });
    expect(await broken.claim(key, 1)).toBe(true);
    expect(await claims.claim(key, 1)).toBe(true);
  });
});
