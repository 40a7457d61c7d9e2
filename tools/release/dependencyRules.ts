import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The two package trees of the repository: its own, and that of the publishing jobs. */
export const packageTrees = ['.', join('.github', 'publish')] as const;

/** Licenses of tools: they run on developers' machines, and nothing of them is shipped. */
const toolLicenses = [
  '0BSD',
  'Apache-2.0',
  'Artistic-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'EPL-2.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'PSF-2.0',
  '(MIT AND Zlib)',
  '(MIT OR GPL-3.0-or-later)',
];
/**
 * Packages whose license isn't a known one: the Marketplace's signing tool, which is installed with vsce and never run,
 * and the certificate reader of VS Code's proxy code, which npm installs only on Windows and whose license is "BSD".
 */
const otherLicenses = ['@vscode/vsce-sign', '@vscode/windows-ca-certs'];

/** Licenses of packages that are shipped in the VSIX: permissive, and satisfied by ThirdPartyNotices.txt. */
export const shippedLicenses = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC-BY-4.0', 'ISC', 'MIT'];

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
  readonly link?: boolean;
}

/** The direct dependencies of a package tree, with their versions. */
export function directDependencies(folder: string): Readonly<Record<string, string>> {
  return (readJson(join(folder, 'package.json')) as Manifest).devDependencies;
}

/**
 * The faults of a package tree, one sentence each: packages under `dependencies`, versions that aren't exact, licenses
 * that aren't allowed, install scripts that are neither allowed nor denied, and packages without a checksum. Needs no
 * network.
 */
export function dependencyFaults(folder: string): string[] {
  const { dependencies = {}, devDependencies, allowScripts = {} } = readJson(join(folder, 'package.json')) as Manifest;
  const { packages } = readJson(join(folder, 'package-lock.json')) as { packages: Record<string, LockedPackage> };
  const faults = Object.keys(dependencies).map(
    (name) =>
      `${name} is under "dependencies"; everything that runs is bundled, so it belongs under "devDependencies".`,
  );
  for (const [name, version] of Object.entries(devDependencies)) {
    // An alias, for example `npm:name@1.2.3`, installs a second version of a package.
    if (!/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+$/.test(version))
      faults.push(`${name} is "${version}"; an exact version is required.`);
  }
  for (const [path, locked] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (name === '') continue;
    const license = locked.license ?? 'no license';
    if (!toolLicenses.includes(license) && !otherLicenses.some((other) => name.startsWith(other)))
      faults.push(`${name} is under ${license}.`);
    if (locked.hasInstallScript && !(name in allowScripts)) {
      faults.push(`${name} has an install script; "allowScripts" must allow or deny it.`);
    }
    if (!locked.integrity && !locked.link) faults.push(`${name} has no checksum in package-lock.json.`);
  }
  return faults;
}

/**
 * Compares the table in docs/dependencies.md with the dependencies of the repository.
 * @returns one sentence for each missing or stale line and each line without a reason, and one for repeated lines.
 */
export function reasonFaults(folder: string): string[] {
  const lines = readFileSync(join(folder, 'docs', 'dependencies.md'), 'utf8').split('\n');
  const rows = lines.flatMap((line) => {
    const [, name = '', reason = ''] = /^\| `([^`]+)` *\|(.*)\|$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, reason }];
  });
  const known = new Set(packageTrees.flatMap((tree) => Object.keys(directDependencies(join(folder, tree)))));
  const written = new Set(rows.map(({ name }) => name));
  return [
    ...[...known]
      .filter((name) => !written.has(name))
      .map((name) => `docs/dependencies.md doesn't say why ${name} is needed.`),
    ...[...written]
      .filter((name) => !known.has(name))
      .map((name) => `docs/dependencies.md explains ${name}, which isn't a dependency.`),
    ...rows
      .filter(({ reason }) => !/\w.*\./.test(reason))
      .map(({ name }) => `docs/dependencies.md gives no reason for ${name}.`),
    ...(rows.length === written.size ? [] : ['docs/dependencies.md explains a package twice.']),
  ];
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
