import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { type Bundles, readBundles } from '../release/bundledPackages.ts';
import { shippedLicenses } from '../release/dependencyRules.ts';
import { noticesText, readNotices } from '../release/notices.ts';
import { isPreRelease } from '../release/version.ts';
import { repositoryFolder } from './install/cache.ts';
import { runProgram } from './run/programs.ts';
import { canonicalZip, zipEntries, type ZipEntry } from './zipEntries.ts';

/** A packaged extension. */
export interface Vsix {
  readonly file: string;
  readonly manifest: { readonly name: string; readonly version: string; readonly repository?: unknown };
  readonly sizeBytes: number;
  /** The hexadecimal digest of the file. */
  readonly sha256: string;
  readonly entries: readonly ZipEntry[];
  readonly bundles: Bundles;
  /** The number of notices in ThirdPartyNotices.txt. */
  readonly notices: number;
}

/**
 * The maximum size of the VSIX without texts for people and translations: on a slow line with 8 Mbit/s, an installation
 * waits for this download for a second.
 */
const sizeLimitBytes = 1_000_000;

const noticesFile = 'ThirdPartyNotices.txt';
/** Texts for people. The packager renames some of them. */
const pages = /^extension\/(?:readme\.md|changelog\.md|license\.txt|thirdpartynotices\.txt)$/i;
const translation = /^extension\/(l10n\/|package\.nls\.[^/]+\.json$)/;

/** Patterns of paths that must not be in a VSIX. */
const foreign = [
  /^extension\/(src|test|docs|node_modules)\//,
  /\.map$/,
  /\.tsx?$/,
  /(^|\/)meta-[^/]*\.json$/,
  /tsconfig/,
  /esbuild/,
];

/**
 * Builds the extension for production and packages it into `lineside-<version>.vsix`, with the notices of all bundled
 * packages. The same sources and packages give the same bytes, in any folder and at any time. Rejects if a step fails
 * or a package has no license text.
 */
export async function packageExtension(folder = repositoryFolder): Promise<Vsix> {
  await build(folder, ['--production', '--metafile']);
  const bundles = await readBundles(folder);
  const notices = await readNotices(folder, bundles);
  await writeFile(join(folder, noticesFile), noticesText(notices));
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Vsix['manifest'];
  const file = join(folder, `${manifest.name}-${manifest.version}.vsix`);
  await createVSIX({
    cwd: folder,
    packagePath: file,
    dependencies: false,
    allowMissingRepository: true,
    preRelease: isPreRelease(manifest.version),
    // Relative links of the README become links to the repository, if the manifest names one.
    rewriteRelativeLinks: manifest.repository !== undefined,
  });
  const archive = await canonicalZip(await readFile(file), shortText);
  await writeFile(file, archive);
  const entries = zipEntries(archive);
  return {
    file,
    manifest,
    sizeBytes: archive.length,
    sha256: sha256Of(archive),
    entries,
    bundles,
    notices: notices.length,
  };
}

/** The fields of the manifest that are only for work on the repository. */
const repositoryFields = { scripts: undefined, devDependencies: undefined, allowScripts: undefined };

/**
 * Text without what only the repository needs: fields of the manifest, white space in JSON, and the padding of tables.
 */
function shortText(path: string, content: Buffer): Buffer {
  if (path.endsWith('.md')) return Buffer.from(content.toString('utf8').replaceAll(/^\|.*$/gm, withoutPadding));
  if (!path.endsWith('.json')) return content;
  const json = JSON.parse(content.toString('utf8')) as object;
  return Buffer.from(JSON.stringify(path === 'extension/package.json' ? { ...json, ...repositoryFields } : json));
}

/** A row of a Markdown table without the padding that aligns its cells. */
function withoutPadding(row: string): string {
  return row.replaceAll(/(?<= ) +|(?<=---)-+/g, '');
}

function sha256Of(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Runs esbuild.js with these arguments. Rejects with its output if it fails. */
export async function build(folder: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runProgram(process.execPath, ['esbuild.js', ...args], { folder });
  if (code !== 0) throw new Error(`The build failed:\n${output}`);
}

/**
 * The faults of a package, one sentence each: it is too large, a license isn't allowed, or files are unwanted,
 * unexplained, or missing.
 */
export function faultsOf({ entries, sizeBytes, bundles }: Vsix): string[] {
  const faults: string[] = [];
  const bytes = loadedBytes({ entries, sizeBytes });
  if (bytes > sizeLimitBytes) faults.push(`The package is ${bytes} bytes; the limit is ${sizeLimitBytes}.`);
  for (const { name, license } of bundles.packages) {
    if (!shippedLicenses.includes(license)) faults.push(`${name} is bundled, but its license is ${license}.`);
  }
  for (const { path } of entries) {
    if (foreign.some((pattern) => pattern.test(path))) faults.push(`${path} does not belong into the package.`);
    const isExplained = bundles.outputs.includes(path.replace('extension/', ''));
    if (path.startsWith('extension/dist/') && !isExplained) faults.push(`${path} is not in a metafile of esbuild.`);
  }
  for (const path of ['package.json', 'dist/extension.js', noticesFile]) {
    if (!entries.some((entry) => entry.path === `extension/${path}`))
      faults.push(`${path} is missing from the package.`);
  }
  return faults;
}

/** The size of a package without the readme, the changelog, license texts, and translations. */
function loadedBytes({ entries, sizeBytes }: Pick<Vsix, 'entries' | 'sizeBytes'>): number {
  const others = entries.filter(({ path }) => pages.test(path) || translation.test(path));
  return sizeBytes - others.reduce((sum, { packedBytes }) => sum + packedBytes, 0);
}

/** Describes a package in lines: its files and bundled packages, the largest first, its size, and its digest. */
export function describeVsix(vsix: Vsix): string[] {
  const files = [...vsix.entries]
    .sort((a, b) => b.packedBytes - a.packedBytes)
    .map(({ path, packedBytes, sizeBytes }) => `${column(packedBytes)} ${column(sizeBytes)}  ${path}`);
  const { packages, ownBytes } = vsix.bundles;
  const bundled = [{ name: 'Lineside', version: vsix.manifest.version, license: 'MIT', bytes: ownBytes }, ...packages]
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ name, version, license, bytes }) => `${column(bytes)}  ${name} ${version} (${license})`);
  return [
    '    packed   unpacked  file',
    ...files,
    '',
    '  unpacked  package in the bundles',
    ...bundled,
    '',
    vsix.file,
    `package: ${vsix.sizeBytes} bytes`,
    `without texts for people and translations: ${loadedBytes(vsix)} bytes of ${sizeLimitBytes}`,
    `sha256: ${vsix.sha256}`,
    `notices: ${vsix.notices}`,
  ];
}

function column(sizeBytes: number): string {
  return kilobytes(sizeBytes).padStart(10);
}

function kilobytes(sizeBytes: number): string {
  return `${(sizeBytes / 1024).toFixed(1)} KB`;
}
