import { spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { LeaseFiles } from '../../../../src/sync/lease/leaseFiles.ts';
import { sessionHash } from '../../../../src/sync/storage/recordNames.ts';
import { SessionLease } from '../../../../src/sync/lease/sessionLease.ts';
import { type WindowIdentity, hasSurelyEnded, newWindowIdentity } from '../../../../src/sync/storage/windowIdentity.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { until } from '../../../fakes/until.ts';
import { CountingDisk, keyOf, temporaryFolder } from '../outbox/outboxRig.ts';

/** Returns the identity of a window on this machine whose process has ended. */
function endedWindow(): WindowIdentity {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  return { ...newWindowIdentity(), pid };
}

describe('the lease of a session (R35)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let clock: FakeClock;
  let disk: CountingDisk;
  const leases: SessionLease[] = [];
  const open = (window = newWindowIdentity()) => {
    const events: string[] = [];
    const lease = new SessionLease(new LeaseFiles(disk, window, keyOf('s1')), clock, silentLog);
    lease.onDidChange(({ kind }) => events.push(kind));
    leases.push(lease);
    return { lease, events };
  };
  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 5_000) {
      clock.advance(5_000);
      await disk.idle();
    }
  };
  const files = () => readdir(join(folder.path, 'leases'));

  beforeEach(async () => {
    folder = await temporaryFolder();
    clock = new FakeClock();
    disk = new CountingDisk(await openDisk(folder.path, silentLog));
  });
  afterEach(async () => {
    for (const lease of leases.splice(0)) lease.dispose();
    await disk.idle();
    await folder.remove();
  });

  it('is acquired by one of many windows that try at the same time', async () => {
    const windows = Array.from({ length: 12 }, () => open().lease);
    const taken = await Promise.all(windows.map((lease) => lease.acquire()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(windows.map(({ isHeld }) => isHeld)).toEqual(taken);
    expect(windows.map(({ isHeldElsewhere }) => isHeldElsewhere)).toEqual(taken.map((isTaken) => !isTaken));
  });

  it('is not valid once the file of a later lease exists, even before its own file is removed', async () => {
    const leaseFiles = new LeaseFiles(disk, newWindowIdentity(), keyOf('s1'));
    const held = (await leaseFiles.acquire(undefined))!;
    expect(await leaseFiles.isValid(held)).toBe(true);
    await disk.create(held.name.replace(/\d+$/, String(held.epoch + 1)), '{');
    expect(await leaseFiles.isValid(held)).toBe(false);
  });

  it('is available to the next window after it is released', async () => {
    const { lease: one } = open();
    const { lease: two } = open();
    expect([await one.acquire(), await two.acquire()]).toEqual([true, false]);
    await one.release();
    expect([await one.confirm(), await two.acquire(), await two.confirm()]).toEqual([false, true, true]);
    expect(await files()).toHaveLength(1);
  });

  it('stays valid if the window that released it was about to write a heartbeat', async () => {
    const { lease: one } = open();
    const { lease: two } = open();
    await one.acquire();
    let beat: () => void = () => undefined;
    const reading = vi.spyOn(disk, 'readText').mockImplementationOnce(async (name) => {
      const text = await disk.readText(name);
      await new Promise<void>((resolve) => (beat = resolve));
      return text;
    });
    clock.advance(5_000);
    await until(() => reading.mock.calls.length > 1);
    await one.release();
    expect(await two.acquire()).toBe(true);
    beat();
    await disk.idle();
    expect(await two.confirm()).toBe(true);
  });

  it('cannot be acquired from a window with a heartbeat, no matter how long that window holds it', async () => {
    const { lease: one } = open();
    const { lease: two, events } = open();
    await one.acquire();
    await two.acquire();
    for (let look = 0; look < 12; look++) {
      await pass(10_000);
      expect(await two.acquire()).toBe(false);
    }
    expect(events).toContain('available');
    expect(await one.confirm()).toBe(true);
  });

  it('is acquired immediately from a window whose process has ended, by one window only', async () => {
    const { lease: dead } = open(endedWindow());
    await dead.acquire();
    const heirs = Array.from({ length: 8 }, () => open().lease);
    const taken = await Promise.all(heirs.map((lease) => lease.acquire()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await dead.confirm()).toBe(false);
    expect((await files()).filter((name) => name.includes('-epoch-2'))).toHaveLength(1);
  });

  it('is lost after a heartbeat gap of more than 10 s, but not after a shorter one', async () => {
    const { lease, events } = open();
    await lease.acquire();
    clock.jump(9_000);
    expect(await lease.confirm()).toBe(true);
    clock.jump(2_000);
    expect(await lease.confirm()).toBe(false);
    expect([lease.isHeld, events]).toEqual([false, ['lost']]);
    // No other window has acquired the lease in the meantime, so the same window can acquire it again.
    expect(await lease.acquire()).toBe(true);
  });

  it('is lost if its timer fires late', async () => {
    const { lease, events } = open();
    await lease.acquire();
    clock.jump(60_000);
    clock.advance(1);
    await until(() => events.join() === 'lost');
  });

  it('is lost if its file is invalid', async () => {
    const { lease } = open();
    await lease.acquire();
    const [name = ''] = await files();
    await writeFile(join(folder.path, 'leases', name), '{');
    expect(await lease.confirm()).toBe(false);
  });

  it('leaves the requests of other windows to the next holder when it is lost', async () => {
    const { lease, events } = open();
    await lease.acquire();
    const [name = ''] = await files();
    await writeFile(join(folder.path, 'leases', name), '{');
    const other = new LeaseFiles(disk, newWindowIdentity(), keyOf('s1'));
    await other.requestRelease({});
    await pass(5_000);
    expect([lease.isHeld, events]).toEqual([false, ['lost']]);
    const next = new LeaseFiles(disk, newWindowIdentity(), keyOf('s1'));
    expect(await next.takeRequests()).toHaveLength(1);
  });

  it('cannot be acquired while another window is writing the file, unless that takes too long', async () => {
    await disk.create(`leases/${sessionHash(keyOf('s1'))}-epoch-7`, '');
    const { lease } = open();
    const tries: boolean[] = [];
    for (let look = 0; look <= 6; look++) {
      tries.push(await lease.acquire());
      await pass(5_000);
    }
    expect(tries).toEqual([false, false, false, false, false, false, true]);
    expect((await files()).map((name) => name.split('-epoch-')[1])).toEqual(['8']);
  });

  it('is acquired from a silent holder even if this window keeps trying between checks', async () => {
    await disk.create(`leases/${sessionHash(keyOf('s1'))}-epoch-7`, '');
    const { lease } = open();
    for (let passedMs = 0; passedMs < 29_000; passedMs += 1_000) {
      expect(await lease.acquire()).toBe(false);
      clock.advance(1_000);
      await disk.idle();
    }
    clock.advance(6_000);
    await disk.idle();
    expect(await lease.acquire()).toBe(true);
  });

  it('counts the silence of its holder again from the start after this window stopped waiting', async () => {
    await disk.create(`leases/${sessionHash(keyOf('s1'))}-epoch-7`, '');
    const { lease } = open();
    const tries: boolean[] = [];
    const tryTimes = async (count: number) => {
      for (let look = 0; look < count; look++) {
        tries.push(await lease.acquire());
        await pass(5_000);
      }
    };
    await tryTimes(5);
    expect(lease.isHeldElsewhere).toBe(true);
    lease.stopWaiting();
    expect([lease.isHeldElsewhere, clock.pendingTimers]).toEqual([false, 0]);
    await tryTimes(7);
    expect(tries).toEqual([...Array.from({ length: 11 }, () => false), true]);
  });

  it('counts the silence of a new holder from the start after this window held the lease', async () => {
    const name = `leases/${sessionHash(keyOf('s1'))}-epoch-1`;
    await disk.create(name, '');
    const { lease } = open();
    for (let look = 0; look < 6; look++) {
      expect(await lease.acquire()).toBe(false);
      await pass(5_000);
    }
    expect(await lease.acquire()).toBe(true);
    await lease.release();
    await disk.create(name, '');
    expect(await lease.acquire()).toBe(false);
  });

  it('changes on disk with its first heartbeat', async () => {
    const leaseFiles = new LeaseFiles(disk, newWindowIdentity(), keyOf('s1'));
    const held = (await leaseFiles.acquire(undefined))!;
    const before = await leaseFiles.current();
    await leaseFiles.writeHeartbeat(held, 1);
    const after = await leaseFiles.current();
    expect([after?.epoch, after?.window]).toEqual([before?.epoch, before?.window]);
    expect(after?.signature).not.toBe(before?.signature);
  });

  it('is held after a heartbeat gap of exactly 10 s', async () => {
    const { lease } = open();
    await lease.acquire();
    clock.jump(10_000);
    expect(await lease.confirm()).toBe(true);
    clock.jump(1);
    expect(await lease.confirm()).toBe(false);
  });

  it('is kept when this window stops waiting', async () => {
    const { lease } = open();
    await lease.acquire();
    lease.stopWaiting();
    expect([lease.isHeld, clock.pendingTimers]).toEqual([true, 1]);
  });

  it('stays the same when it is acquired again', async () => {
    const { lease } = open();
    expect(lease.isHeldElsewhere).toBe(false);
    expect(await lease.acquire()).toBe(true);
    const before = await files();
    expect([await lease.acquire(), await files()]).toEqual([true, before]);
  });

  it('is acquired again only after its release has ended', async () => {
    const { lease } = open();
    await lease.acquire();
    const before = await files();
    void lease.release();
    expect([lease.isHeld, clock.pendingTimers]).toEqual([false, 0]);
    expect([await lease.acquire(), await files()]).toEqual([true, before]);
  });

  it('is not acquired by a window that closes meanwhile, or that has closed', async () => {
    const { lease, events } = open();
    const acquiring = lease.acquire();
    lease.stop();
    expect([await acquiring, lease.isHeld, await files()]).toEqual([false, false, []]);
    expect(clock.pendingTimers).toBe(0);
    const { lease: closed } = open();
    closed.dispose();
    expect([await closed.acquire(), await files(), clock.pendingTimers]).toEqual([false, [], 0]);
    lease.handleFileChange(undefined);
    expect(events).toEqual([]);
  });

  it('is not acquired by a window that closes meanwhile, even if its file can’t be removed', async () => {
    const { lease } = open();
    disk.remove = () => Promise.reject(new Error('broken'));
    const acquiring = lease.acquire();
    lease.stop();
    expect([await acquiring, lease.isHeld, clock.pendingTimers]).toEqual([false, false, 0]);
  });

  it('is not acquired if the disk fails', async () => {
    const { lease } = open();
    disk.create = () => Promise.reject(new Error('full'));
    expect([await lease.acquire(), lease.isHeld, lease.isHeldElsewhere]).toEqual([false, false, true]);
  });

  it('is lost if it can’t be confirmed because the disk fails', async () => {
    const { lease, events } = open();
    await lease.acquire();
    disk.names = () => Promise.reject(new Error('broken'));
    expect([await lease.confirm(), lease.isHeld, events]).toEqual([false, false, ['lost']]);
  });

  it('is not confirmed, and not lost, if it isn’t held or is released meanwhile', async () => {
    const { lease, events } = open();
    expect(await lease.confirm()).toBe(false);
    await lease.acquire();
    const readText = disk.readText.bind(disk);
    disk.readText = async (name) => {
      const text = await readText(name);
      disk.readText = readText;
      void lease.release();
      return text;
    };
    expect(await lease.confirm()).toBe(false);
    expect(events).toEqual([]);
  });

  it('is waited for until this window stops waiting', async () => {
    const { lease: one } = open();
    const { lease: two } = open();
    await one.acquire();
    await two.acquire();
    expect(clock.pendingTimers).toBe(2);
    two.stopWaiting();
    expect(clock.pendingTimers).toBe(1);
  });

  it('may be available when a file of its session changes, and not when another file changes', () => {
    const { lease, events } = open();
    lease.handleFileChange(`leases/${sessionHash(keyOf('s2'))}-epoch-1`);
    expect(events).toEqual([]);
    lease.handleFileChange(`leases/${sessionHash(keyOf('s1'))}-epoch-1`);
    expect(events).toEqual(['available']);
    lease.handleFileChange(undefined);
    expect(events).toEqual(['available', 'available']);
    lease.stop();
    lease.handleFileChange(undefined);
    expect(events).toHaveLength(2);
  });

  it('is requested by other windows until they withdraw the request', async () => {
    const { lease: one, events } = open();
    const { lease: two } = open();
    await one.acquire();
    const before = await files();
    await two.withdrawRequest(await two.requestRelease({}));
    expect(await files()).toEqual(before);
    one.handleFileChange(undefined);
    await disk.idle();
    expect(events).toEqual([]);
    await two.requestRelease({});
    one.handleFileChange(undefined);
    await until(() => events.join() === 'requested');
    expect(await files()).toEqual(before);
  });

  it('is not requested by the window that acquired it after its request', async () => {
    const { lease, events } = open();
    const request = await lease.requestRelease({});
    await lease.acquire();
    lease.handleFileChange(undefined);
    await disk.idle();
    expect(events).toEqual([]);
    await lease.withdrawRequest(request);
    expect(await files()).toHaveLength(1);
  });

  it('leaves no timer and no file behind', async () => {
    const { lease } = open();
    await lease.acquire();
    lease.dispose();
    await disk.idle();
    expect([clock.pendingTimers, await files()]).toEqual([0, []]);
  });
});

describe('the check for an ended window', () => {
  it('works for processes on this machine, even if a process ID was reused', () => {
    const own = newWindowIdentity();
    expect(hasSurelyEnded(own)).toBe(false);
    expect(hasSurelyEnded({ ...own, processStartedAt: own.processStartedAt - 1 })).toBe(true);
    expect(hasSurelyEnded({ ...own, pid: process.ppid })).toBe(false);
    expect(hasSurelyEnded(endedWindow())).toBe(true);
    expect(hasSurelyEnded({ ...endedWindow(), host: 'elsewhere' })).toBe(false);
  });
});
