import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../../../src/shared/log.ts';

/** Options for {@link runProgram} and {@link startProgram}. */
export interface ProgramOptions {
  readonly folder?: string;
  /** Environment variables, added to those of this process; `undefined` removes a variable. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * The result of a program: its exit code (1 if a signal ended it, and 127 if it couldn't be started) and its combined
 * output from both streams, in order.
 */
export interface ProgramResult {
  readonly code: number;
  readonly output: string;
}

/** A running program that must be disposed. */
export interface RunningProgram {
  /** Its output so far. */
  output(): string;
  /** Settles when the program has ended for any reason. */
  readonly ended: Promise<ProgramResult>;
  /**
   * Resolves to the first match of `pattern` in the output. Rejects with the output if the program ends or the time
   * limit passes first, and if the program can't be started.
   */
  waitForOutput(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray>;
  /** Ends the program and its process group (on Windows, all processes that it started), and waits for the end. */
  dispose(): Promise<void>;
}

/**
 * The environment of this process, without the variables that npm sets for this package, and with `changes` applied.
 */
function environmentWith(changes: ProgramOptions['environment'] = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|config_local)|^INIT_CWD$/.test(name),
  );
  const merged = { ...Object.fromEntries(own), ...changes };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/**
 * Runs a program until it ends. The caller must check the exit code, also for a program that doesn't exist. Rejects
 * only if no process can be started in the folder.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  return startProgram(program, args, options).ended;
}

/** Starts a program on a leash: it ends on `dispose`, and when this process ends for any reason. */
export function startProgram(program: string, args: readonly string[], options: ProgramOptions = {}): RunningProgram {
  const leash = fileURLToPath(new URL('leash.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', leash, program, ...args], {
    cwd: options.folder ?? process.cwd(),
    env: environmentWith(options.environment),
    // Its own process group, so that Ctrl+C in the terminal reaches only the owner.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  const onChunk = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', onChunk);
  child.stderr.on('data', onChunk);
  child.stdin.on('error', () => undefined);
  const ended = new Promise<ProgramResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
  });
  return {
    output: () => output,
    ended,
    waitForOutput: (pattern, timeoutMs) =>
      waitForOutput(pattern, timeoutMs, { program, output: () => output, ended, listeners }),
    dispose: async () => {
      child.stdin.end();
      await ended.catch(() => undefined);
    },
  };
}

interface Watched {
  readonly program: string;
  readonly output: () => string;
  readonly ended: Promise<ProgramResult>;
  readonly listeners: Set<() => void>;
}

function waitForOutput(pattern: RegExp, timeoutMs: number, watched: Watched): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      watched.listeners.delete(look);
      act();
    };
    const fail = (why: string): void =>
      settle(() => reject(new Error(`${watched.program} ${why}:\n${watched.output()}`)));
    const look = (): void => {
      const match = pattern.exec(watched.output());
      if (match) settle(() => resolve(match));
    };
    const timer = setTimeout(() => fail(`did not say ${String(pattern)} within ${timeoutMs} ms`), timeoutMs);
    watched.listeners.add(look);
    void watched.ended.then(
      ({ code }) => fail(`ended with code ${code} before saying ${String(pattern)}`),
      (error: unknown) => fail(`could not be started (${reasonOf(error)})`),
    );
    look();
  });
}
