import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { repositoryFolder } from './install/cache.ts';
import { runProgram } from './run/programs.ts';
import { zipEntries, type ZipEntry } from './zipEntries.ts';

/** A packaged extension. */
export interface Vsix {
  readonly file: string;
  readonly sizeBytes: number;
  readonly entries: readonly ZipEntry[];
}

/** The maximum size of the VSIX. */
const vsixLimitBytes = 480 * 1024;

/** Files that match must not be in a VSIX. */
const foreign = [
  /^extension\/(src|test|docs|node_modules)\//,
  /\.map$/,
  /\.tsx?$/,
  /(^|\/)meta-[^/]*\.json$/,
  /tsconfig/,
  /esbuild/,
];

/** Builds the extension for production and packages it into `lineside-<version>.vsix`. Rejects if either step fails. */
export async function packageExtension(folder = repositoryFolder): Promise<Vsix> {
  await build(folder, ['--production', '--metafile']);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const file = join(folder, `${manifest.name}-${manifest.version}.vsix`);
  await createVSIX({
    cwd: folder,
    packagePath: file,
    dependencies: false,
    allowMissingRepository: true,
    // The images in the README are part of the package, so keep its relative links.
    rewriteRelativeLinks: false,
  });
  const archive = await readFile(file);
  return { file, sizeBytes: archive.length, entries: zipEntries(archive) };
}

/** Runs esbuild.js with these arguments. Rejects with its output if it fails. */
export async function build(folder: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runProgram(process.execPath, ['esbuild.js', ...args], { folder });
  if (code !== 0) throw new Error(`The build failed:\n${output}`);
}

/** The problems of a package, one sentence each: it is too large, or files are unwanted or missing. */
export function faultsOf(vsix: Vsix): string[] {
  const faults: string[] = [];
  if (vsix.sizeBytes > vsixLimitBytes) {
    faults.push(`The package weighs ${kilobytes(vsix.sizeBytes)}; ${kilobytes(vsixLimitBytes)} are allowed.`);
  }
  for (const { path } of vsix.entries) {
    if (foreign.some((pattern) => pattern.test(path))) faults.push(`${path} does not belong into the package.`);
  }
  for (const path of ['extension/package.json', 'extension/dist/extension.js']) {
    if (!vsix.entries.some((entry) => entry.path === path)) faults.push(`${path} is missing from the package.`);
  }
  return faults;
}

/** The content of the package, one line for each file, largest first. */
export function describeVsix(vsix: Vsix): string[] {
  const largestFirst = [...vsix.entries].sort((a, b) => b.packedBytes - a.packedBytes);
  const rows = largestFirst.map(
    (entry) => `${kilobytes(entry.packedBytes).padStart(10)} ${kilobytes(entry.sizeBytes).padStart(10)}  ${entry.path}`,
  );
  return ['    packed   unpacked  file', ...rows, `${kilobytes(vsix.sizeBytes).padStart(10)} in all: ${vsix.file}`];
}

function kilobytes(sizeBytes: number): string {
  return `${(sizeBytes / 1024).toFixed(1)} KB`;
}
