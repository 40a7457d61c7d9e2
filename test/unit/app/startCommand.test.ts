import { expect, it, vi } from 'vitest';
import type { KeyRevocations } from '../../../src/host/storage/keyRevocations.ts';
import { createStartup } from '../../../src/app/startup.ts';
import type { SyncEngine } from '../../../src/sync/syncEngine.ts';

vi.mock('vscode', () => ({}));

it('a start that failed is tried again by the next who looks, one that went well is not', async () => {
  const open = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('the disk is full')).mockResolvedValue();
  const start = vi.fn<() => Promise<void>>().mockResolvedValue();
  const parts = [{ start } as unknown as SyncEngine, { open } as unknown as KeyRevocations] as const;
  const { wake } = createStartup(...parts, undefined, (message) => message);
  await expect(Promise.all([wake(), wake()])).rejects.toThrow('the disk is full');
  expect(open).toHaveBeenCalledTimes(1);
  await Promise.all([wake(), wake()]);
  await wake();
  expect(open).toHaveBeenCalledTimes(2);
  expect(start).toHaveBeenCalledTimes(1);
});
