import { expect, it, vi } from 'vitest';
import { translator } from '../../../src/shared/translate.ts';
import { WindowLifecycle } from '../../../src/app/windowLifecycle.ts';
import type { KeyRevocations } from '../../../src/host/storage/keyRevocations.ts';
import type { SyncEngine } from '../../../src/sync/syncEngine.ts';

vi.mock('vscode', () => ({}));

it('retries a failed start on the next call, and starts only once', async () => {
  const open = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('the disk is full')).mockResolvedValue();
  const start = vi.fn<() => Promise<void>>().mockResolvedValue();
  const lifecycle = new WindowLifecycle({
    sync: { start } as unknown as SyncEngine,
    revocations: { open } as unknown as KeyRevocations,
    developmentService: undefined,
    dataFolder: '',
    syncedList: { read: () => undefined, write: () => Promise.resolve() },
    t: translator('en'),
  });
  await expect(Promise.all([lifecycle.ensureStarted(), lifecycle.ensureStarted()])).rejects.toThrow('the disk is full');
  expect(open).toHaveBeenCalledTimes(1);
  await Promise.all([lifecycle.ensureStarted(), lifecycle.ensureStarted()]);
  await lifecycle.ensureStarted();
  expect(open).toHaveBeenCalledTimes(2);
  expect(start).toHaveBeenCalledTimes(1);
});
