import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runOnDesktop } from '../../../tools/editor/run/desktopHost.ts';

/**
 * Replaces desktop VS Code, which can't be downloaded everywhere: it records its arguments, and runs the test module as
 * VS Code does, but in plain Node.
 */
const program = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const args = process.argv.slice(2);
appendFileSync(process.env.RECORDED_ARGUMENTS, JSON.stringify(args) + '\\n');
const tests = args.find((arg) => arg.startsWith('--extensionTestsPath='));
if (tests && !process.env.CRASHES) require(tests.slice(tests.indexOf('=') + 1)).run().then(() => process.exit(0));
if (tests && process.env.CRASHES) process.exit(3);
`;

describe.skipIf(process.platform === 'win32')('the runner for desktop VS Code', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lineside-desktop-'));
    process.env['RECORDED_ARGUMENTS'] = file('arguments');
    await mkdir(file('bin'));
    for (const path of ['code', 'bin/code']) {
      await writeFile(file(path), program);
      await chmod(file(path), 0o755);
    }
    await writeFile(
      file('suite.ts'),
      `export const tests = {
        'passes': () => undefined,
        'fails': () => { throw new Error('on purpose'); },
      };`,
    );
  });
  afterEach(async () => {
    delete process.env['RECORDED_ARGUMENTS'];
    delete process.env['CRASHES'];
    await rm(folder, { recursive: true });
  });

  const run = () =>
    runOnDesktop({ executable: file('code'), suite: file('suite.ts'), folder: file('project'), vsix: file('a.vsix') });

  it('installs the package, opens the folder, and reports each test', async () => {
    const results = await run();
    expect(results.map(({ name, failure }) => [name, failure?.split('\n')[0]])).toEqual([
      ['passes', undefined],
      ['fails', 'Error: on purpose'],
    ]);
    const calls = (await readFile(file('arguments'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
    expect(calls).toHaveLength(2);
    expect(calls[0]).toEqual(expect.arrayContaining(['--install-extension', file('a.vsix')]));
    expect(calls[1]?.[0]).toBe(file('project'));
    const isolation = (args: string[] | undefined): string[] =>
      ['--user-data-dir', '--extensions-dir'].map((name) => args?.[args.indexOf(name) + 1] ?? '');
    expect(isolation(calls[1])).toEqual(isolation(calls[0]));
    expect(isolation(calls[1])[0]).toContain(tmpdir());
  });

  it('rejects if VS Code ends before the tests do', async () => {
    process.env['CRASHES'] = '1';
    await expect(run()).rejects.toThrow('VS Code ended before the tests did: Error: Test run failed with code 3');
  });
});
