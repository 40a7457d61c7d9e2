import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { silentLog } from '../../../../src/shared/log.ts';
import { MemoryWindows } from '../../../../src/sync/storage/memoryWindows.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const anyFormat = { version: 1, schema: z.looseObject({}) };

describe('windows that keep records in memory', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const clock = new FakeClock();
  const open = async () => new MemoryWindows(await openDisk(folder.path, silentLog), clock);
  const marks = () => readdir(join(folder.path, 'memoryWindows'));

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('are known to other windows until they close', async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    expect(await third.isAnyRunning()).toBe(false);
    await first.mark();
    await first.mark();
    await second.mark();
    expect(await marks()).toHaveLength(2);
    await first.unmark();
    expect(await third.isAnyRunning()).toBe(true);
    await second.unmark();
    expect(await third.isAnyRunning()).toBe(false);
  });

  it.each([
    ['crashed', { host: hostname(), processStartedAt: 1 }],
    ['were on another computer a long time ago', { host: 'another', since: 1 }],
  ])('are forgotten if they %s', async (_what, part) => {
    const disk = await openDisk(folder.path, silentLog);
    const mark = { windowId: 'w', pid: process.pid, processStartedAt: 1, since: clock.now(), ...part };
    await disk.write('memoryWindows/w.json', anyFormat, mark);
    expect(await (await open()).isAnyRunning()).toBe(false);
    expect(await marks()).toEqual([]);
  });

  it('are known if their process ran on another computer', async () => {
    const disk = await openDisk(folder.path, silentLog);
    const mark = { windowId: 'w', host: 'another', pid: 1, processStartedAt: 1, since: clock.now() };
    await disk.write('memoryWindows/w.json', anyFormat, mark);
    expect(await (await open()).isAnyRunning()).toBe(true);
  });

  it('are known if a newer version wrote their mark, and forgotten if it is damaged', async () => {
    const disk = await openDisk(folder.path, silentLog);
    await disk.write('memoryWindows/w.json', { ...anyFormat, version: 2 }, { windowId: 'w' });
    expect(await (await open()).isAnyRunning()).toBe(true);
    await disk.remove('memoryWindows/w.json');
    await disk.create('memoryWindows/x.json', 'damaged');
    expect(await (await open()).isAnyRunning()).toBe(false);
    expect(await marks()).toEqual([]);
  });

  it('are marked at the next attempt if the first one failed', async () => {
    const disk = await openDisk(folder.path, silentLog);
    const window = new MemoryWindows(disk, clock);
    vi.spyOn(disk, 'write').mockRejectedValueOnce(new Error('disk full'));
    await expect(window.mark()).rejects.toThrow('disk full');
    await window.mark();
    expect(await marks()).toHaveLength(1);
  });
});
