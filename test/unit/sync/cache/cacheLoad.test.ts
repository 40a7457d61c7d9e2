import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const child = join(import.meta.dirname, 'cacheLoadChild.ts');
const run = promisify(execFile);

async function usedMB(folder: string, task: 'fill' | 'open', count: number, length: number): Promise<number> {
  const { stdout } = await run(process.execPath, ['--expose-gc', child, folder, task, String(count), String(length)]);
  return Number(stdout);
}

it('caches and restores 10,000 messages of 20,000 two-byte characters in little memory (R38)', async () => {
  const { path, remove } = await temporaryFolder();
  // All bodies together take 400 MB.
  expect(await usedMB(path, 'fill', 10_000, 20_000)).toBeLessThan(100);
  expect(await usedMB(path, 'open', 10_000, 20_000)).toBeLessThan(100);
  await remove();
});

it('uses little memory for a conversation of 12 MB (R38)', async () => {
  const { path, remove } = await temporaryFolder();
  expect(await usedMB(path, 'fill', 10_000, 600)).toBeLessThan(60);
  expect(await usedMB(path, 'open', 10_000, 600)).toBeLessThan(60);
  await remove();
});
