import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { LeaseFiles, type ReleaseRequest } from '../../../../src/sync/lease/leaseFiles.ts';
import { QueueOwnership } from '../../../../src/sync/lease/queueOwnership.ts';
import { SessionLease } from '../../../../src/sync/lease/sessionLease.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { newWindowIdentity } from '../../../../src/sync/storage/windowIdentity.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { until } from '../../../fakes/until.ts';
import { CountingDisk, keyOf, temporaryFolder } from '../outbox/outboxRig.ts';

describe('the ownership of a queue (R35)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let clock: FakeClock;
  let disk: CountingDisk;
  const opened: QueueOwnership[] = [];
  const open = (reload: () => Promise<void> = () => Promise.resolve()) => {
    const lease = new SessionLease(new LeaseFiles(disk, newWindowIdentity(), keyOf('s1')), clock, silentLog);
    const queue = new QueueOwnership(lease, { reload }, clock, silentLog);
    opened.push(queue);
    const changes: (readonly ReleaseRequest[])[] = [];
    queue.onDidChange((requests) => changes.push(requests));
    return { lease, queue, changes };
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
    clock = new FakeClock();
    disk = new CountingDisk(await openDisk(folder.path, silentLog));
  });
  afterEach(async () => {
    for (const queue of opened.splice(0)) {
      queue.close(Promise.resolve());
      await queue.released();
    }
    await disk.idle();
    await folder.remove();
  });

  it('begins when the files have been read, and belongs to one window only', async () => {
    let isRead: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (isRead = resolve));
    const { queue, lease } = open(() => reading);
    const owning = queue.own();
    await until(() => lease.isHeld);
    expect(queue.current).toBeUndefined();
    const other = open().queue;
    expect([await other.own(), other.isElsewhere]).toEqual([undefined, true]);
    isRead();
    const ownership = await owning;
    expect(queue.current).toBe(ownership);
    expect([ownership?.isCurrent, await ownership?.confirm()]).toEqual([true, true]);
  });

  it('is lost if its window was suspended', async () => {
    const { queue } = open();
    const ownership = (await queue.own())!;
    let isCurrentWhenLost: boolean | undefined;
    ownership.lost.addEventListener('abort', () => (isCurrentWhenLost = queue.current !== undefined));
    clock.jump(11_000);
    expect(await ownership.confirm()).toBe(false);
    expect([ownership.lost.aborted, ownership.isCurrent, isCurrentWhenLost]).toEqual([true, false, false]);
  });

  it('is not lost if its window releases the queue, but ends for good', async () => {
    const { queue } = open();
    const first = (await queue.own())!;
    await queue.release();
    const second = (await queue.own())!;
    expect([first.lost.aborted, first.isCurrent, await first.confirm()]).toEqual([false, false, false]);
    expect([queue.current, await second.confirm()]).toEqual([second, true]);
  });

  it('is not confirmed if it ends meanwhile', async () => {
    const { queue } = open();
    const ownership = (await queue.own())!;
    const confirming = ownership.confirm();
    void queue.release();
    expect(await confirming).toBe(false);
  });

  it('is not confirmed if its window closes meanwhile, although the lease is still held', async () => {
    const { queue, lease } = open();
    const ownership = (await queue.own())!;
    const confirming = ownership.confirm();
    let save: () => void = () => undefined;
    queue.close(new Promise((resolve) => (save = resolve)));
    const result = [await confirming, lease.isHeld];
    save();
    expect(result).toEqual([false, true]);
  });

  it('is acquired again if the lease is lost while the files are read', async () => {
    let reads = 0;
    const { queue, lease } = open(async () => {
      reads++;
      if (reads > 1) return;
      clock.jump(11_000);
      await lease.confirm();
    });
    const ownership = await queue.own();
    expect([reads, ownership?.isCurrent, ownership?.lost.aborted]).toEqual([2, true, false]);
  });

  it('does not begin if the files can’t be read; the next attempt is due 5 s later', async () => {
    const { queue, lease, changes } = open(() => Promise.reject(new Error('broken')));
    expect([await queue.own(), lease.isHeld, queue.isBackingOff]).toEqual([undefined, false, true]);
    clock.advance(5_000);
    expect([queue.isBackingOff, changes]).toEqual([false, [[]]]);
  });

  it('is not waited for if it was acquired while the request was being written', async () => {
    const { queue } = open();
    const create = disk.create.bind(disk);
    disk.create = async (name, text) => {
      if (name.includes('-ask-')) await queue.own();
      return create(name, text);
    };
    await queue.request({});
    expect(queue.current?.isCurrent).toBe(true);
  });

  it('is yielded to a window that requests it, which can try again after 2 s', async () => {
    const { queue, lease, changes } = open();
    const other = open();
    const ownership = (await queue.own())!;
    await other.queue.own();
    const requesting = other.queue.request({ cancelEntryId: 'entry' });
    await until(() => disk.created.some((name) => name.includes('-ask-')));
    lease.handleFileChange(undefined);
    await until(() => queue.isWanted);
    expect(changes).toEqual([[{ cancelEntryId: 'entry' }]]);
    await queue.yield();
    expect([ownership.lost.aborted, queue.current, queue.isWanted, queue.isBackingOff]).toEqual([
      false,
      undefined,
      false,
      true,
    ]);
    expect(await other.queue.own()).toBeDefined();
    await requesting;
  });

  it('is not waited for longer than 15 s', async () => {
    const { queue } = open();
    await queue.own();
    const other = open().queue;
    const requesting = other.request({});
    await until(() => disk.created.some((name) => name.includes('-ask-')));
    await disk.idle();
    clock.advance(15_000);
    await requesting;
    expect(other.current).toBeUndefined();
  });

  it('ends when it is closed, but the lease is held until everything is saved (R45)', async () => {
    const { queue, lease } = open();
    const ownership = (await queue.own())!;
    let save: () => void = () => undefined;
    queue.close(new Promise((resolve) => (save = resolve)));
    await disk.idle();
    expect([queue.current, ownership.isCurrent, ownership.lost.aborted, lease.isHeld]).toEqual([
      undefined,
      false,
      false,
      true,
    ]);
    save();
    await queue.released();
    expect([lease.isHeld, clock.pendingTimers]).toEqual([false, 0]);
    expect(await open().queue.own()).toBeDefined();
  });

  it('does not begin if its window closes while the files are read', async () => {
    let save: () => void = () => undefined;
    const { queue, lease } = open(() => {
      queue.close(new Promise((resolve) => (save = resolve)));
      return Promise.resolve();
    });
    const ownership = await queue.own();
    save();
    await queue.released();
    expect([ownership, queue.current]).toEqual([undefined, undefined]);
    expect(lease.isHeld).toBe(false);
  });
});
