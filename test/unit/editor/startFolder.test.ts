import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStartFolder, removeLeftovers } from '../../../tools/editor/run/startFolder.ts';

async function temporaryFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'lineside-test-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return parent;
}

test('a killed start is cleaned up: its folder is deleted and its process ended', async () => {
  const parent = await temporaryFolder();
  const { pid } = spawnSync(process.execPath, ['--version']);
  const folder = join(parent, `lineside-start-${pid}-abc`);
  await mkdir(join(folder, 'data'), { recursive: true });
  await writeFile(join(folder, 'data', 'settings.json'), '{}');
  const server = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)', join(folder, 'data')]);
  onTestFinished(() => void server.kill('SIGKILL'));
  const ended = once(server, 'exit');
  await once(server.stdout, 'data');
  expect(await removeLeftovers(parent)).toBe(1);
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(existsSync(folder)).toBe(false);
});

test('a start that is still running, and folders of other programs, stay', async () => {
  const parent = await temporaryFolder();
  const running = await createStartFolder(parent);
  const other = join(parent, 'lineside-workspace-1');
  await mkdir(other);
  expect(await removeLeftovers(parent)).toBe(0);
  expect([running, other].map(existsSync)).toEqual([true, true]);
});
