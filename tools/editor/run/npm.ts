import { findOnPath } from '../install/systemPackages.ts';
import { runProgram, type ProgramOptions, type ProgramResult } from './programs.ts';

/** Options for {@link runNpm}. */
export interface NpmOptions extends ProgramOptions {
  /**
   * The Node.js binary that runs npm, and for which npm builds native modules. Defaults to the one of this process. Has
   * no effect if npm comes from PATH.
   */
  readonly node?: string;
}

/** Runs npm: the one that runs this script, or else the one on PATH. The caller must check the exit code. */
export function runNpm(args: readonly string[], { node, ...options }: NpmOptions = {}): Promise<ProgramResult> {
  const cli = process.env['npm_execpath'];
  return cli?.endsWith('.js')
    ? runProgram(node ?? process.execPath, [cli, ...args], options)
    : runProgram(findOnPath('npm') ?? 'npm', args, options);
}
