import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { SourceRuns } from '../../../../src/sync/sessionList/sourceRuns.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

it('lets exactly one of several windows run the command each time, and keeps one file', async () => {
  const open = async () => new SourceRuns(await openDisk(folder.path, silentLog));
  const windows = await Promise.all([open(), open(), open()]);
  for (const dueAt of [300_000, 600_000]) {
    const claims = await Promise.all(windows.map((window) => window.claim(dueAt)));
    expect(claims.filter((isMine) => isMine)).toHaveLength(1);
  }
  expect(await readdir(join(folder.path, 'source'))).toEqual(['600000']);
});

it('lets no window that is late run the command, and keeps the later claim', async () => {
  const [early, late] = await Promise.all(
    [1, 2].map(async () => new SourceRuns(await openDisk(folder.path, silentLog))),
  );
  expect(await early?.claim(600_000)).toBe(true);
  expect(await late?.claim(300_000)).toBe(false);
  expect(await late?.claim(600_000)).toBe(false);
  expect(await readdir(join(folder.path, 'source'))).toEqual(['600000']);
});

it('ignores and removes claims of a time when the clock was wrong', async () => {
  const runs = new SourceRuns(await openDisk(folder.path, silentLog));
  expect(await runs.claim(100_000_000_000)).toBe(true);
  expect(await runs.claim(300_000)).toBe(true);
  expect(await readdir(join(folder.path, 'source'))).toEqual(['300000']);
});

it('lets no window run the command if nothing can be written', async () => {
  const disk = await openDisk(folder.path, silentLog);
  const broken = new SourceRuns({ ...disk, create: () => Promise.reject(new Error('disk full')) });
  expect(await broken.claim(1)).toBe(false);
});
