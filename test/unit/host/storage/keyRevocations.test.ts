import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { KeyRevocations } from '../../../../src/host/storage/keyRevocations.ts';
import { silentLog } from '../../../../src/shared/log.ts';

const origin = 'https://service.test';

vi.mock('node:fs', () => ({
  watch: () => {
    throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' });
  },
}));

it("revokes keys even if the system can't watch more folders", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-epochs-'));
  const warnings: string[] = [];
  const epochs = new KeyRevocations(join(folder, 'epochs'), { ...silentLog, warn: (line) => void warnings.push(line) });
  await epochs.open();
  await epochs.advance(origin);
  expect(await epochs.current(origin)).toEqual({ epoch: 1, revision: undefined });
  expect(warnings).toEqual([expect.stringContaining('limit')]);
  epochs.dispose();
  await rm(folder, { recursive: true });
});
