import { type ChildProcess, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * How long the rest of the output is read after the program has ended, if another program that it started keeps the
 * output open.
 */
const restMs = 1_000;
/** A program that is still running after this time is ended. */
const timeoutMs = 30_000;
/** The maximum size of the output, in bytes. A program that writes more is ended. Typical output is much smaller. */
const maxBytes = 512 * 1024;
/** How much of the end of the error output is kept, in bytes. */
const maxErrorBytes = 2_000;

/** What a program wrote to its standard output, or why there is nothing to read. */
export type ProgramOutput =
  | { readonly kind: 'text'; readonly text: string }
  /** The program can only be run by a shell. */
  | { readonly kind: 'batchFile' }
  /** `code` is the error code of the operating system or Node.js, such as `ENOENT`, or `unknown`. */
  | { readonly kind: 'notStarted'; readonly code: string }
  /**
   * `code` is the exit code, or the name of the signal that ended the program. `lastLine` is the last line of the error
   * output, as the program wrote it; empty if there is none.
   */
  | { readonly kind: 'failed'; readonly code: number | string; readonly lastLine: string }
  | { readonly kind: 'timeout' | 'tooLarge' | 'notUtf8' }
  | { readonly kind: 'aborted' };

/**
 * Runs a program without a shell, in the home folder and without input, and reads its output. The program is ended,
 * together with its process group (on Windows, its process tree), if it takes longer than 30 s, if it writes more than
 * 512 KB, if the signal is aborted, or if this process exits. If the program ends by itself, what it leaves running
 * isn't ended. Never rejects.
 */
export async function readProgramOutput(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
  platform = process.platform,
): Promise<ProgramOutput> {
  if (platform === 'win32' && isBatchFile(program)) return { kind: 'batchFile' };
  if (signal.aborted) return { kind: 'aborted' };
  try {
    return await new Run(spawnProgram(program, args), platform).result(signal);
  } catch (error) {
    return { kind: 'notStarted', code: codeOf(error) };
  }
}

/**
 * Whether Windows runs the program with its command interpreter, which gives some characters in arguments another
 * meaning.
 */
function isBatchFile(program: string): boolean {
  return /\.(?:cmd|bat)[. ]*$/i.test(program);
}

function spawnProgram(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, {
    // Not in the workspace, which could contain a program or a configuration for it.
    cwd: homedir(),
    env: ownEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
    // A group of its own, so that what the program starts can be ended with it.
    detached: process.platform !== 'win32',
  });
}

/** The environment without the variables that make a process a part of VS Code. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:ELECTRON_|VSCODE_)/.test(name));
  return Object.fromEntries(own);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

/** A running program. */
class Run {
  readonly #child: ChildProcess;
  readonly #platform: NodeJS.Platform;
  readonly #pieces: Buffer[] = [];
  #byteCount = 0;
  #errorOutput = Buffer.alloc(0);
  #ended: ProgramOutput | undefined;

  constructor(child: ChildProcess, platform: NodeJS.Platform) {
    this.#child = child;
    this.#platform = platform;
  }

  async result(signal: AbortSignal): Promise<ProgramOutput> {
    const child = this.#child;
    let timer = setTimeout(() => this.#end({ kind: 'timeout' }), timeoutMs);
    const abort = () => this.#end({ kind: 'aborted' });
    signal.addEventListener('abort', abort);
    process.once('exit', abort);
    child.once('exit', () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#closeOutput(), restMs);
    });
    child.stdout?.on('data', (piece: Buffer) => this.#take(piece));
    child.stderr?.on('data', (piece: Buffer) => {
      this.#errorOutput = Buffer.concat([this.#errorOutput, piece]).subarray(-maxErrorBytes);
    });
    try {
      await new Promise<void>((resolve, reject) => {
        child.once('close', () => resolve());
        child.once('error', reject);
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      process.removeListener('exit', abort);
    }
    return this.#ended ?? this.#outcome();
  }

  #take(piece: Buffer): void {
    this.#byteCount += piece.length;
    if (this.#byteCount > maxBytes) this.#end({ kind: 'tooLarge' });
    else this.#pieces.push(piece);
  }

  /** Ends the program and what it started. */
  #end(reason: ProgramOutput): void {
    if (this.#ended) return;
    this.#ended = reason;
    const { pid } = this.#child;
    try {
      if (pid === undefined) this.#child.kill();
      else if (this.#platform === 'win32') this.#endTree(pid);
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
    // A process that left the group could keep the output open.
    this.#closeOutput();
  }

  /** Ends the program and what it started on Windows, which has no process groups. */
  #endTree(pid: number): void {
    const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
    const killer = spawn(taskkill, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    killer.once('error', () => this.#child.kill());
    killer.once('exit', () => this.#child.kill());
  }

  #closeOutput(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #outcome(): ProgramOutput {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== 0) {
      const lines = this.#errorOutput
        .toString('utf8')
        .trim()
        .split(/[\r\n]+/);
      return { kind: 'failed', code: exitCode ?? signalCode ?? 'unknown', lastLine: lines.at(-1) ?? '' };
    }
    try {
      return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(this.#pieces)) };
    } catch {
      return { kind: 'notUtf8' };
    }
  }
}
