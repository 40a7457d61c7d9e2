import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProgram } from '../run/programs.ts';

/** The path of a program with this name on PATH, or undefined. */
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

/** Whether this process may execute the file. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The command with which a user can install these Debian packages. */
export function aptCommand(packages: readonly string[]): string {
  return `sudo apt-get update && sudo apt-get install -y ${packages.join(' ')}`;
}

/**
 * Installs Debian packages. Resolves to false without root permissions or apt-get. Rejects with the output of apt-get
 * if it fails.
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
