import type * as childProcess from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readProgramOutput } from '../../../src/host/programOutput.ts';
import { until } from '../../fakes/until.ts';
import { temporaryFolder } from '../sync/outbox/outboxRig.ts';

const spawned = vi.hoisted(
  (): { readonly args: readonly unknown[]; readonly child: childProcess.ChildProcess }[] => [],
);
vi.mock('node:child_process', async (original) => {
  const real = await original<typeof childProcess>();
  const spawn = (...args: Parameters<typeof real.spawn>) => {
    const child = real.spawn(...args);
    spawned.push({ args, child });
    return child;
  };
  return { ...real, spawn };
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const never = new AbortController().signal;
const node = process.execPath;
const run = (script: string, signal = never, ...args: readonly string[]) =>
  readProgramOutput(node, ['-e', script, ...args], signal);

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  vi.useRealTimers();
  await folder.remove();
});

it('reads the output of a program in the home folder, without a shell and without input', async () => {
  const script =
    'process.stdin.on("end", () => console.log(JSON.stringify([process.cwd(), ...process.argv.slice(1)]))).resume()';
  const args = ['$(id)', '`id`', '; exit 1', '%PATH%', '"', '*'];
  const output = await run(script, never, ...args);
  expect(output).toEqual({ kind: 'text', text: `${JSON.stringify([homedir(), ...args])}\n` });
});

it('keeps variables of VS Code from the program', async () => {
  vi.stubEnv('ELECTRON_RUN_AS_NODE', '1');
  vi.stubEnv('VSCODE_IPC_HOOK', '/secret');
  const output = await run(
    'console.log(Object.keys(process.env).filter((name) => /ELECTRON|VSCODE/.test(name)).length)',
  );
  vi.unstubAllEnvs();
  expect(output).toEqual({ kind: 'text', text: '0\n' });
});

it('says why a program has no output', async () => {
  expect(await readProgramOutput(join(folder.path, 'absent'), [], never)).toEqual({
    kind: 'notStarted',
    code: 'ENOENT',
  });
  expect(await run('console.error("first\\nnot logged in"); process.exit(3)')).toEqual({
    ...{ kind: 'failed', code: 3, lastLine: 'not logged in' },
  });
  expect(await run('process.stdout.write(Buffer.from([0xff, 0xfe]))')).toEqual({ kind: 'notUtf8' });
});

it.each(['agent.cmd', 'C:\\tools\\agent.BAT', 'agent.cmd. ', 'agent.bat.'])(
  'refuses %s on Windows',
  async (program) => {
    expect(await readProgramOutput(program, [], never, 'win32')).toEqual({ kind: 'batchFile' });
  },
);

it('stops a program that writes without end, on either output', async () => {
  const flood = (stream: string) => `const write = () => process.${stream}.write("x".repeat(65536), write); write()`;
  expect(await run(flood('stdout'))).toEqual({ kind: 'tooLarge' });
  const script = 'process.stderr.write("y\\n".repeat(5_000_000) + "last", () => process.exit(1))';
  expect(await run(script)).toEqual({ kind: 'failed', code: 1, lastLine: 'last' });
});

it('stops a program that hangs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const output = run('setInterval(() => undefined, 1_000)');
  vi.advanceTimersByTime(30_000);
  expect(await output).toEqual({ kind: 'timeout' });
});

it('stops what a program started when the user cancels', async () => {
  const file = join(folder.path, 'pid');
  const abort = new AbortController();
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    require('node:fs').writeFileSync(process.argv[1], String(child.pid));`;
  const output = run(script, abort.signal, file);
  await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
  abort.abort();
  expect(await output).toEqual({ kind: 'aborted' });
  await until(() => !isRunning(Number(readFileSync(file, 'utf8'))));
  expect(await run('', abort.signal)).toEqual({ kind: 'aborted' });
});

it('reads what a program wrote, although a program that it started keeps its output open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const file = join(folder.path, 'pid');
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    require('node:fs').writeFileSync(process.argv[1], String(child.pid));
    process.stdout.write('a1', () => process.exit());`;
  const output = run(script, never, file);
  await until(() => spawned.at(-1)?.child.exitCode === 0);
  vi.advanceTimersByTime(1_000);
  expect(await output).toEqual({ kind: 'text', text: 'a1' });
  process.kill(Number(readFileSync(file, 'utf8')));
});

it('stops a program when the process exits', async () => {
  const before = process.listenerCount('exit');
  const output = run('setInterval(() => undefined, 1_000)');
  expect(process.listenerCount('exit')).toBe(before + 1);
  process.listeners('exit').at(-1)?.(0);
  expect(await output).toEqual({ kind: 'aborted' });
  expect(process.listenerCount('exit')).toBe(before);
});

it('stops what a program started on Windows', async () => {
  const abort = new AbortController();
  const output = readProgramOutput(node, ['-e', 'setInterval(() => undefined, 1_000)'], abort.signal, 'win32');
  abort.abort();
  expect(await output).toEqual({ kind: 'aborted' });
  const [program, args] = spawned.at(-1)?.args ?? [];
  expect(program).toMatch(/System32.taskkill\.exe$/);
  expect(args).toEqual(['/pid', expect.stringMatching(/^\d+$/), '/T', '/F']);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended stays in the process table until its parent has read its exit code.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(' Z ');
  } catch {
    return false;
  }
}
