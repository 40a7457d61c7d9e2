/**
 * Runs a program that must not outlive the one that asked for it:
 *
 *   node leash.ts <program> [arguments...]
 *
 * The owner holds this program's standard input open. When that closes, be it by `dispose`, by Ctrl+C or because the
 * owner was killed, the program goes with everything it started: first politely, after two seconds by force.
 */
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

const graceMs = 2000;
const isWindows = process.platform === 'win32';
const [program = '', ...programArguments] = process.argv.slice(2);
const child = spawn(program, programArguments, {
  stdio: ['ignore', 'inherit', 'inherit'],
  windowsHide: true,
  // A process group that can be ended as a whole.
  detached: !isWindows,
});

/** Sends the signal to the whole group; false if nobody is left in it. */
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

// The terminal's Ctrl+C is the owner's to judge.
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
  // What it left behind in its group goes too.
  void end().then(() => process.exit(code ?? 1));
});
