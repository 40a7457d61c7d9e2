import { expect, it, vi } from 'vitest';
import { translator } from '../../../src/shared/translate.ts';
import { WindowLifecycle } from '../../../src/app/windowLifecycle.ts';
import type { DevelopmentService } from '../../../src/host/developmentService.ts';
import type { ApiKeyStore } from '../../../src/host/storage/apiKeyStore.ts';
import type { KeyRevocations } from '../../../src/host/storage/keyRevocations.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { Store } from '../../../src/state/store/store.ts';
import type { SyncEngine } from '../../../src/sync/syncEngine.ts';
import type { Navigation } from '../../../src/views/navigation.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';
import { person, recorded } from '../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../fakes/recordedEditor.ts'));

function lifecycleOf(
  store: Store,
  open: () => Promise<void>,
  start: () => Promise<void>,
  development?: { readonly service: DevelopmentService; readonly sync: object },
): WindowLifecycle {
  return new WindowLifecycle({
    sync: { start, ...development?.sync } as unknown as SyncEngine,
    store,
    revocations: { open } as unknown as KeyRevocations,
    developmentService: development?.service,
    dataFolder: '',
    syncedMemory: { read: () => undefined, write: () => Promise.resolve() },
    keys: { seen: [] } as unknown as ApiKeyStore,
    log: silentLog,
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

it('shows once why a view could not start, and starts again with Retry', async () => {
  recorded.length = 0;
  person.clicks = 'Retry';
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const open = vi.fn<() => Promise<void>>().mockRejectedValueOnce(full).mockRejectedValueOnce(full).mockResolvedValue();
  const start = vi.fn<() => Promise<void>>().mockResolvedValue();
  const lifecycle = lifecycleOf(new Store(memoryBodies()), open, start);
  expect(await Promise.all([lifecycle.start(), lifecycle.start()])).toEqual([false, false]);
  await vi.waitUntil(() => start.mock.calls.length === 1);
  expect(open).toHaveBeenCalledTimes(3);
  expect(recorded.map(({ what }) => what)).toEqual(['error', 'error']);
  expect(recorded[0]?.args[0]).toContain('The disk is full.');
  expect(await lifecycle.start()).toBe(true);
  person.clicks = undefined;
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

it('shows the Sessions view and the first session of a development service', async () => {
  recorded.length = 0;
  const sync = {
    watch: () => ({ dispose: () => undefined }),
    refresh: () => Promise.resolve(),
    runningAtStart: () => Promise.resolve(undefined),
  };
  const service = { baseUrl: 'http://127.0.0.1:1/api', key: 'k', sessionIds: ['a', 'b'] };
  const nothing = () => Promise.resolve();
  const lifecycle = lifecycleOf(new Store(memoryBodies()), nothing, nothing, { service, sync });
  const openConversation = vi.fn<Navigation['openConversation']>().mockResolvedValue();
  await lifecycle.resumeIfNeeded({ openConversation } as unknown as Navigation);
  expect(recorded).toEqual([{ what: 'command', args: ['lineside.sessions.focus'] }]);
  expect(openConversation.mock.calls).toEqual([[{ origin: 'http://127.0.0.1:1', sessionId: 'a' }]]);
});
