/**
 * Runs a program that must not outlive its owner:
 *
 *   node leash.ts <program> [arguments...]
 *
 * The owner keeps this script's standard input open. When the input closes (because the owner called `dispose`, Ctrl+C
 * was pressed, or the owner was killed), the program and the other processes of its group receive SIGTERM, and SIGKILL
 * after two seconds. On Windows, the program and all processes that it started are ended immediately.
 */
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

const graceMs = 2000;
const isWindows = process.platform === 'win32';
const [program = '', ...programArguments] = process.argv.slice(2);
const child = spawn(program, programArguments, {
  stdio: ['ignore', 'inherit', 'inherit'],
  windowsHide: true,
  // A separate process group, which can be ended as a whole.
  detached: !isWindows,
});

/** Sends a signal to the whole process group. Returns false if the group has no more processes. */
function signalGroup(signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

async function end(): Promise<void> {
  if (isWindows) {
    spawnSync('taskkill', ['/T', '/F', '/PID', String(child.pid)]);
    return;
  }
  signalGroup('SIGTERM');
  const forceAtMs = Date.now() + graceMs;
  while (signalGroup(0) && Date.now() < forceAtMs) await wait(50);
  signalGroup('SIGKILL');
}

// Ignore Ctrl+C in the terminal, because the owner handles it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => void end());
process.stdin
  .on('end', () => void end())
  .on('error', () => void end())
  .resume();
child.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', (code) => {
  // Also end the processes that the program left in its process group.
  void end().then(() => process.exit(code ?? 1));
});
