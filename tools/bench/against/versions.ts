import { existsSync } from 'node:fs';
import { mkdtemp, readFile, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { repositoryFolder } from '../../editor/install/cache.ts';
import { runNpm } from '../../editor/run/npm.ts';
import { runProgram } from '../../editor/run/programs.ts';
import { packageExtension } from '../../editor/vsix.ts';

/** A packaged version of the extension. */
export interface PackedVersion {
  /** `now` for the working tree; otherwise, the short hash of the commit. */
  readonly title: string;
  /** The short hash of its commit; ends with `+` if tracked files of the working tree have changes. */
  readonly commit: string;
  readonly vsix: string;
  readonly sizeBytes: number;
}

const manifestSchema = z.object({ name: z.string(), version: z.string() });

export async function packWorkingTree(): Promise<PackedVersion> {
  const { file, sizeBytes } = await packageExtension();
  const folder = repositoryFolder;
  const commit = (await run('git', ['rev-parse', '--short=8', 'HEAD'], folder)).trim();
  const changes = await run('git', ['status', '--porcelain', '--untracked-files=no'], folder);
  return { title: 'now', commit: changes === '' ? commit : `${commit}+`, vsix: file, sizeBytes };
}

/**
 * Packages a commit of this repository in a clone in the folder of temporary files, with the scripts and packages of
 * that commit. Rejects if the commit doesn't exist, can't be packaged, or is from before the extension was renamed to
 * Lineside, because its commands had other names then.
 */
export async function packCommit(commit: string): Promise<PackedVersion> {
  const { code, output } = await runProgram(
    'git',
    ['rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`],
    {
      folder: repositoryFolder,
    },
  );
  if (code !== 0) throw new Error(`There is no commit ${commit}.`);
  const hash = output.trim();
  const folder = await mkdtemp(join(tmpdir(), 'lineside-commit-'));
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', '.', folder], repositoryFolder);
  await run('git', ['checkout', '--quiet', '--detach', hash], folder);
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  if (manifest.name !== 'lineside') {
    throw new Error(`${commit} is from before the extension was renamed to Lineside, so it has other commands.`);
  }
  await installPackages(folder);
  const vsix = join(folder, `${manifest.name}-${manifest.version}.vsix`);
  const packaged = await runNpm(['run', 'package'], { folder });
  // If the package is too large, the script fails, but the package exists and can be measured.
  if (!existsSync(vsix)) throw new Error(`Could not package ${commit}:\n${packaged.output}`);
  const { size: sizeBytes } = await stat(vsix);
  return { title: hash.slice(0, 8), commit: hash.slice(0, 8), vsix, sizeBytes };
}

/**
 * Installs the packages of the lock file in `folder`. If this repository has the same lock file, links its packages
 * instead.
 */
async function installPackages(folder: string): Promise<void> {
  const [locked, here] = await Promise.all(
    [folder, repositoryFolder].map((place) => readFile(join(place, 'package-lock.json'), 'utf8')),
  );
  if (locked === here) return symlink(join(repositoryFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const { code, output } = await runNpm(['ci', '--no-audit', '--no-fund'], { folder });
  if (code !== 0) throw new Error(`Could not install the packages:\n${output}`);
}

async function run(program: string, args: readonly string[], folder: string): Promise<string> {
  const { code, output } = await runProgram(program, args, { folder });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output}`);
  return output;
}
