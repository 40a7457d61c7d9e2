import { expect, it } from 'vitest';
import { type Disposable, onDispose } from '../../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { MemoryRecordStore } from '../../../../src/sync/storage/memoryRecordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { newWindowIdentity } from '../../../../src/sync/storage/windowIdentity.ts';
import { TailClaims } from '../../../../src/sync/tails/tailClaims.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { key } from '../../state/samples.ts';

class WatchedStore extends MemoryRecordStore {
  watchers = 0;

  override watch(): Disposable {
    this.watchers++;
    return onDispose(() => this.watchers--);
  }
}

function openWindows() {
  const [store, clock] = [new WatchedStore(), new FakeClock()];
  const open = () => new TailClaims(new RecordStores(store), newWindowIdentity(), clock, silentLog, () => undefined);
  return { store, clock, holder: open(), waiting: open() };
}

it('one window has the claim, and the other one waits for it', async () => {
  const { store, clock, holder, waiting } = openWindows();
  expect(await holder.claim(key, 3)).toBe(true);
  expect(await waiting.claim(key, 3)).toBe(false);
  expect(store.watchers).toBe(1);
  holder.release(key);
  await holder.released();
  expect(await waiting.claim(key, 3)).toBe(true);
  waiting.dispose();
  await waiting.released();
  expect([store.watchers, clock.pendingTimers, await store.names('leases')]).toEqual([0, 0, []]);
});

it.each<[string, (claims: TailClaims) => void]>([
  ['released', (claims) => claims.release(key)],
  ['disposed', (claims) => claims.dispose()],
])('nothing stays of a claim that is %s while it is requested', async (_, end) => {
  for (const isHeldElsewhere of [true, false]) {
    const { store, clock, holder, waiting } = openWindows();
    if (isHeldElsewhere) await holder.claim(key, 3);
    const claiming = waiting.claim(key, 3);
    end(waiting);
    expect(await claiming).toBe(false);
    await waiting.released();
    expect(store.watchers).toBe(0);
    holder.dispose();
    await holder.released();
    expect([clock.pendingTimers, await store.names('leases')]).toEqual([0, []]);
  }
});

it('nothing is claimed after the end', async () => {
  const { store, clock, waiting } = openWindows();
  waiting.dispose();
  expect(await waiting.claim(key, 3)).toBe(false);
  expect([store.watchers, clock.pendingTimers, await store.names('leases')]).toEqual([0, 0, []]);
});
