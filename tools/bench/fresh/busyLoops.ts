import { type ChildProcess, spawn } from 'node:child_process';
import type { Disposable } from '../../../src/shared/lifecycle.ts';

/** Processes that each keep a processor busy, as a build does, until they are disposed of. */
export class BusyLoops implements Disposable {
  readonly #processes: readonly ChildProcess[];

  constructor(count: number) {
    // A loop ends with the benchmark, even if the benchmark is killed, because that closes the input of the loop.
    const program =
      "process.stdin.on('end', () => process.exit()).resume(); setInterval(() => { for (const end = Date.now() + 50; Date.now() < end;); });";
    this.#processes = Array.from({ length: count }, () =>
      spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'ignore', 'ignore'] }),
    );
  }

  dispose(): void {
    for (const each of this.#processes) each.kill();
  }
}
