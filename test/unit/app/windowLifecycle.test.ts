import { expect, it, vi } from 'vitest';
import { translator } from '../../../src/shared/translate.ts';
import { WindowLifecycle } from '../../../src/app/windowLifecycle.ts';
import type { KeyRevocations } from '../../../src/host/storage/keyRevocations.ts';
import { Store } from '../../../src/state/store/store.ts';
import type { SyncEngine } from '../../../src/sync/syncEngine.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';

vi.mock('vscode', () => ({}));

function lifecycleOf(store: Store, open: () => Promise<void>, start: () => Promise<void>): WindowLifecycle {
  return new WindowLifecycle({
    sync: { start } as unknown as SyncEngine,
    store,
    revocations: { open } as unknown as KeyRevocations,
    developmentService: undefined,
    dataFolder: '',
    syncedList: { read: () => undefined, write: () => Promise.resolve() },
    t: translator('en'),
  });
}

it('retries a failed start on the next call, and starts only once', async () => {
  const open = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('the disk is full')).mockResolvedValue();
  const start = vi.fn<() => Promise<void>>().mockResolvedValue();
  const lifecycle = lifecycleOf(new Store(memoryBodies()), open, start);
  await expect(Promise.all([lifecycle.ensureStarted(), lifecycle.ensureStarted()])).rejects.toThrow('the disk is full');
  expect(open).toHaveBeenCalledTimes(1);
  await Promise.all([lifecycle.ensureStarted(), lifecycle.ensureStarted()]);
  await lifecycle.ensureStarted();
  expect(open).toHaveBeenCalledTimes(2);
  expect(start).toHaveBeenCalledTimes(1);
});

it('waits for a session only until it is in the list, and otherwise until the window has started', async () => {
  const store = new Store(memoryBodies());
  const origin = 'https://sessions.example';
  let finish = (): void => undefined;
  const start = () => new Promise<void>((resolve) => (finish = resolve));
  const lifecycle = lifecycleOf(store, () => Promise.resolve(), start);
  const ended: string[] = [];
  const waits = ['listed', 'unknown'].map((id) => lifecycle.ensureListed(id).then(() => ended.push(id)));
  store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
  store.addSession({ key: { origin, sessionId: 'listed' }, addedAt: 1 });
  await waits[0];
  expect(ended).toEqual(['listed']);
  await lifecycle.ensureListed('listed');
  finish();
  await Promise.all(waits);
  expect(ended).toEqual(['listed', 'unknown']);
});
