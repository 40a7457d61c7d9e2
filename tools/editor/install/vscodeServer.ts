import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder, cacheFolder, repositoryFolder } from './cache.ts';
import { runNpm } from '../run/npm.ts';
import { aptCommand, findOnPath, installDebianPackages } from './systemPackages.ts';

/** The VS Code versions that the extension is tested with: the oldest supported version and a current one. */
export type EditorVersion = '1.110' | '1.139';

interface ServerBuild {
  /** The version of the npm package `code-server` that contains this VS Code version. */
  readonly packageVersion: string;
  /** The Node.js version that it needs, if it differs from the version that this repository uses. */
  readonly nodeVersion?: string;
  /**
   * The condition in the workbench code that restricts the `payload` in the URL, which contains extensions under
   * development, to VS Code's smoke tests. Smoke test mode also hides all notifications, so the condition is removed
   * instead.
   */
  readonly payloadCondition?: string;
}

const builds: Readonly<Record<EditorVersion, ServerBuild>> = {
  '1.110': { packageVersion: '4.110.0', nodeVersion: '22.23.3' },
  '1.139': { packageVersion: '4.139.1', payloadCondition: '(!this.isBuilt||this.enableSmokeTestDriver)' },
};

/** The native modules that the server needs to start. It doesn't need the others. */
const nativeModules = ['@vscode/spdlog', 'node-pty', '@parcel/watcher', '@vscode/native-watchdog'];

/** A VS Code server build on this machine. */
export interface VscodeServer {
  readonly version: EditorVersion;
  /** The Node.js binary that runs the server. */
  readonly node: string;
  /** The folder that contains `out/server-main.js`. */
  readonly folder: string;
}

/**
 * Finds the server build of VS Code in the cache. If it is missing, installs it from npm, with progress. Rejects if
 * that fails.
 */
export async function obtainServer(version: EditorVersion, say: (line: string) => void): Promise<VscodeServer> {
  const build = builds[version];
  const root = await cachedFolder(cachedName(version), async (folder) => {
    const startedAtMs = Date.now();
    say(`Installing VS Code ${version} (server build, 600 MB), about two minutes, once...`);
    await requireCompiler(say);
    await installServer(folder, build);
    say(`Installed VS Code ${version} in ${Math.round((Date.now() - startedAtMs) / 1000)} s.`);
  });
  return { version, node: nodeOf(root, build).binary, folder: vscodeFolder(root) };
}

/** Whether the server build is in the cache. */
export function isServerInstalled(version: EditorVersion): boolean {
  return existsSync(join(cacheFolder, cachedName(version)));
}

function cachedName(version: EditorVersion): string {
  return `code-server-${builds[version].packageVersion}`;
}

function vscodeFolder(root: string): string {
  return join(root, 'node_modules', 'code-server', 'lib', 'vscode');
}

async function requireCompiler(say: (line: string) => void): Promise<void> {
  if (process.platform === 'win32') return;
  const programs: Readonly<Record<string, string>> = { make: 'make', 'c++': 'g++', python3: 'python3' };
  const missing = Object.keys(programs).filter((name) => !findOnPath(name));
  if (missing.length === 0) return;
  const packages = missing.map((name) => programs[name] ?? name);
  if (await installDebianPackages(packages, say)) return;
  throw new Error(
    `VS Code's native modules cannot be built without ${missing.join(', ')}. Run: ${aptCommand(packages)}`,
  );
}

async function installServer(root: string, build: ServerBuild): Promise<void> {
  await writeFile(join(root, 'package.json'), '{ "private": true }\n');
  const packages = [`code-server@${build.packageVersion}`];
  if (build.nodeVersion) packages.push(`${nodePackage()}@${build.nodeVersion}`);
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  await npm(['install', ...packages, '--engine-strict=false', ...quiet], root);
  const vscode = vscodeFolder(root);
  await npm(['install', '--omit=dev', ...quiet], vscode);
  await npm(['install', '--omit=dev', ...quiet], join(vscode, 'extensions'));
  await allowBuilds(vscode);
  await npm(['rebuild', ...nativeModules], vscode, nodeOf(root, build));
  if (build.payloadCondition) await openPayload(vscode, build.payloadCondition);
}

async function openPayload(vscode: string, condition: string): Promise<void> {
  const file = join(vscode, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.js');
  const pieces = (await readFile(file, 'utf8')).split(condition);
  if (pieces.length !== 2)
    throw new Error(`Expected ${condition} once in ${file}, found it ${pieces.length - 1} times.`);
  await writeFile(file, pieces.join('(!0)'));
}

/**
 * Allows the build scripts of the native modules by name. Newer npm versions only run scripts that the manifest allows,
 * and the manifest allows them for versions other than those installed.
 */
async function allowBuilds(vscode: string): Promise<void> {
  const file = join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { allowScripts?: Record<string, boolean> };
  const allowed = Object.fromEntries(nativeModules.map((name) => [name, true]));
  await writeFile(
    file,
    JSON.stringify({ ...manifest, allowScripts: { ...manifest.allowScripts, ...allowed } }, undefined, 2),
  );
}

interface NodeInstallation {
  readonly binary: string;
  /** The folder that contains `include/`, for building native modules; undefined if only the binary is known. */
  readonly headers?: string;
}

function nodePackage(): string {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

function nodeOf(root: string, build: ServerBuild): NodeInstallation {
  const folders = build.nodeVersion
    ? [join(root, 'node_modules', nodePackage())]
    : [
        join(repositoryFolder, 'node_modules', 'node', 'node_modules', nodePackage()),
        join(repositoryFolder, 'node_modules', nodePackage()),
      ];
  const folder = folders.find((candidate) => existsSync(join(candidate, 'bin')));
  if (!folder) return { binary: process.execPath };
  const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(join(folder, 'include')) ? { binary, headers: folder } : { binary };
}

async function npm(args: readonly string[], folder: string, builtFor?: NodeInstallation): Promise<void> {
  const nodeFolder = builtFor ? join(builtFor.binary, '..') : undefined;
  const environment = {
    // Optimizing the native modules takes more time than it saves in the tests.
    ...(builtFor ? { CXXFLAGS: '-O0' } : {}),
    ...(builtFor?.headers ? { npm_config_nodedir: builtFor.headers } : {}),
    ...(nodeFolder
      ? { PATH: `${nodeFolder}${process.platform === 'win32' ? ';' : ':'}${process.env['PATH'] ?? ''}` }
      : {}),
  };
  const { code, output } = await runNpm(args, { folder, environment, ...(builtFor ? { node: builtFor.binary } : {}) });
  if (code === 0) return;
  const tail = output.trimEnd().split('\n').slice(-40).join('\n');
  const hint =
    args[0] === 'rebuild'
      ? `\nOn Debian, what it builds with comes from: ${aptCommand(['make', 'g++', 'python3'])}`
      : '';
  throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${tail}${hint}`);
}
