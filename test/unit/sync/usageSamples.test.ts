import * as z from 'zod/mini';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/shared/log.ts';
import { Store } from '../../../src/state/store/store.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';
import { openDisk } from '../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../src/sync/storage/recordStores.ts';
import { UsageSamples } from '../../../src/sync/usageSamples.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { keyOf, temporaryFolder } from './outbox/outboxRig.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function openFolder() {
  const folder = await temporaryFolder();
  ends.push(() => folder.remove());
  const clock = new FakeClock(1_000);
  const disk = await openDisk(folder.path, silentLog, clock);
  const key = keyOf('s1');
  /** Opens a window that reads the session and collects samples. */
  const openWindow = (isTemporary = false) => {
    const store = new Store(memoryBodies());
    const records = new RecordStores(disk);
    if (isTemporary) records.keepInMemory(key.origin);
    const usage = new UsageSamples(records, store, clock, silentLog);
    ends.push(() => usage.dispose());
    store.addSession({ key, addedAt: 1 });
    const read = (status: 'idle' | 'running', inputTokens: number) => {
      clock.advance(10);
      const at = clock.now();
      const sessionSettings = { tokenUsage: { inputTokens } };
      const session = { sessionId: 's1', status, messageCount: 1, createdAt: 1, updatedAt: at, sessionSettings };
      store.takeSession(key, session, at, 1);
    };
    const inputs = async () => (await usage.read(key)).map(({ own }) => own.inputTokens);
    return { usage, read, inputs };
  };
  return { key, disk, clock, openWindow };
}

describe('usage samples', () => {
  it('are added and reported when the usage or status changes', async () => {
    const { openWindow } = await openFolder();
    const { usage, read, inputs } = openWindow();
    let told = 0;
    usage.onDidChange(() => told++);
    for (const tokens of [1, 1, 1, 2, 2]) read('idle', tokens);
    read('running', 2);
    expect(await inputs()).toEqual([1, 2, 2]);
    expect(told).toBe(3);
  });

  it('are available in the next window, including those that two windows add at the same time', async () => {
    const { key, openWindow } = await openFolder();
    const [first, second] = [openWindow(), openWindow()];
    first.read('idle', 1);
    second.read('idle', 2);
    await first.usage.flush();
    await second.usage.flush();
    first.read('idle', 3);
    await first.usage.flush();
    const third = openWindow();
    expect(await third.inputs()).toEqual([1, 2, 3]);
    // The order is that of the service's times.
    expect((await third.usage.read(key)).map(({ at, changedAt }) => changedAt === at)).toEqual([true, true, true]);
  });

  it('are saved at the end of a turn, even if the window is closed without notice', async () => {
    const { openWindow } = await openFolder();
    const { read } = openWindow();
    for (const status of ['idle', 'running', 'idle'] as const) read(status, 1);
    await expect.poll(() => openWindow().inputs()).toEqual([1, 1, 1]);
  });

  it('are not taken from a file that belongs to another session, and replace it', async () => {
    const { openWindow, disk, key } = await openFolder();
    const first = openWindow();
    first.read('idle', 1);
    await first.usage.flush();
    const [name = ''] = await disk.names('usage');
    const other = await disk.read(name, { version: 1, schema: z.any() });
    if (other.kind !== 'record') throw new Error(other.kind);
    await disk.write(name, { version: 1, schema: z.any() }, { ...other.record, key: { ...key, sessionId: 'other' } });
    const second = openWindow();
    expect(await second.inputs()).toEqual([]);
    second.read('idle', 2);
    await second.usage.flush();
    expect(await openWindow().inputs()).toEqual([2]);
  });

  it('of the demo are not saved on disk', async () => {
    const { openWindow, disk } = await openFolder();
    const { usage, read, inputs } = openWindow(true);
    read('idle', 1);
    await usage.flush();
    expect(await inputs()).toEqual([1]);
    expect(await disk.names('usage')).toEqual([]);
  });

  it('are saved if they are flushed after dispose', async () => {
    const { openWindow } = await openFolder();
    const { usage, read } = openWindow();
    read('running', 1);
    usage.dispose();
    await usage.flush();
    expect(await openWindow().inputs()).toEqual([1]);
  });

  it('are saved after a delay, and not after dispose', async () => {
    const { openWindow, disk, clock } = await openFolder();
    const { usage, read } = openWindow();
    read('idle', 1);
    expect(await disk.names('usage')).toEqual([]);
    usage.dispose();
    clock.advance(60_000);
    expect(await disk.names('usage')).toEqual([]);
  });
});
