import { execFileSync } from 'node:child_process';
import { cp, link, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryFolder } from '../editor/install/cache.ts';
import { runProgram, type ProgramResult } from '../editor/run/programs.ts';

/**
 * Copies the files of the repository that a package is made of, including uncommitted changes, to a folder, whose
 * former content is deleted. Its `node_modules` has hard links to the files of the installed packages, so the folder
 * must be on the same file system.
 */
export async function copyRepository(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryFolder,
    encoding: 'utf8',
  });
  for (const path of listed.split('\0').filter((each) => each !== '' && !/^(test|docs)\//.test(each))) {
    await cp(join(repositoryFolder, path), join(target, path));
  }
  const installed = await readdir(join(repositoryFolder, 'node_modules'), { withFileTypes: true });
  // Tools that only check, test, or start something aren't needed to build a package.
  const unneeded = ['node', 'typescript', 'playwright-core', '@types', 'eslint', 'oxfmt', '@oxfmt'];
  for (const { name } of installed.filter((entry) => entry.isDirectory() && !unneeded.includes(entry.name))) {
    await linkFolder(join(repositoryFolder, 'node_modules', name), join(target, 'node_modules', name));
  }
}

async function linkFolder(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    await mkdir(join(to, folder.slice(from.length)), { recursive: true });
  }
  await Promise.all(files.map((file) => link(file, join(to, file.slice(from.length)))));
}

/** Runs the script of `npm run package` for a copy of the repository, with these environment variables. */
export function packageCopy(folder: string, environment: Readonly<Record<string, string>>): Promise<ProgramResult> {
  const script = join(repositoryFolder, 'tools', 'editor', 'package.ts');
  return runProgram(process.execPath, [script, folder], { folder, environment });
}
