/**
 * `npm run release:publish -- <store> <vsix> <sha256> [--dry-run]`: publishes a VSIX to the store `marketplace` or
 * `open-vsx`, but only if the file has this digest, which `npm run package` prints. With `--dry-run`, prints the
 * command instead of running it. The tools come from `.github/publish`, installed by `npm ci --prefix .github/publish`.
 *
 * Uses nothing else from node_modules: the publishing jobs don't install the packages of the repository.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readZipEntry, zipEntries } from '../editor/zipEntries.ts';
import { isPreRelease } from './version.ts';

const tools = join(import.meta.dirname, '..', '..', '.github', 'publish', 'node_modules');

/** The script and arguments of each store's tool. Both tools get a short-lived token for the workflow's identity. */
const stores: Readonly<Record<string, (file: string, isEarly: boolean) => string[]>> = {
  marketplace: (file, isEarly) => [
    join(tools, '@vscode', 'vsce', 'vsce'),
    'publish',
    '--azure-credential',
    ...(isEarly ? ['--pre-release'] : []),
    '--packagePath',
    file,
  ],
  // The VSIX itself contains the pre-release flag.
  'open-vsx': (file) => [join(tools, 'ovsx', 'bin', 'ovsx'), 'publish', '--trusted-publishing', '--packagePath', file],
};

/** Checks the file, and returns the command that publishes it. */
function commandFor([store = '', path = '', sha256 = '']: readonly string[]): string[] {
  const command = stores[store];
  if (!command) throw new Error(`The store must be one of: ${Object.keys(stores).join(', ')}.`);
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('The digest must be 64 hexadecimal digits.');
  const file = resolve(path);
  const archive = readFileSync(file);
  const found = createHash('sha256').update(archive).digest('hex');
  if (found !== sha256) throw new Error(`${file} has the digest ${found}, not ${sha256}. Nothing was published.`);
  const entry = zipEntries(archive).find((each) => each.path === 'extension/package.json');
  if (!entry) throw new Error(`${file} is not a packaged extension.`);
  const { version } = JSON.parse(readZipEntry(archive, entry).toString('utf8')) as { version: string };
  return command(file, isPreRelease(version));
}

try {
  const args = process.argv.slice(2).filter((arg) => arg !== '--dry-run');
  const command = commandFor(args);
  if (process.argv.includes('--dry-run')) console.log(['node', ...command].join(' '));
  else process.exitCode = spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
