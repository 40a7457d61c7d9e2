import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProgram } from '../run/programs.ts';

/** Where a program of this name is found on PATH, or undefined. */
export function findOnPath(name: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** Whether this process may run that file. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The command that a person would type to get these Debian packages. */
export function aptCommand(packages: readonly string[]): string {
  return `sudo apt-get update && sudo apt-get install -y ${packages.join(' ')}`;
}

/**
 * Installs Debian packages if this is root on a system with apt-get. Returns false where it is not; rejects with apt's
 * own output where it is and fails.
 */
export async function installDebianPackages(
  packages: readonly string[],
  say: (line: string) => void,
): Promise<boolean> {
  if (process.getuid?.() !== 0 || !findOnPath('apt-get')) return false;
  say(`Installing Debian packages: ${packages.join(' ')}...`);
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { code, output } = await runProgram('apt-get', args, { environment });
    if (code !== 0) throw new Error(`apt-get ${args.join(' ')} failed:\n${output}`);
  }
  return true;
}
