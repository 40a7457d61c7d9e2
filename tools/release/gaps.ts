import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPreRelease } from './version.ts';

/** The gaps that block a release, and the facts that a person must confirm because no file shows them. */
export interface ReleaseState {
  readonly version: string;
  readonly isPreRelease: boolean;
  readonly gaps: readonly string[];
  readonly toConfirm: readonly string[];
}

interface Manifest {
  readonly version: string;
  readonly publisher: string;
  readonly icon?: string;
  readonly repository?: unknown;
  readonly bugs?: unknown;
  readonly homepage?: unknown;
}

/**
 * Compares the repository with what a release needs.
 * @param tag The Git tag of the release, such as `v0.2.0`; undefined before it exists.
 */
export function releaseState(folder: string, tag?: string): ReleaseState {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const manifest = JSON.parse(read('package.json')) as Manifest;
  const { version, publisher } = manifest;
  const gaps: string[] = [];
  if (!manifest.repository) {
    gaps.push('package.json has no "repository": the stores load the picture of the README from it, and link to it.');
  }
  for (const field of ['bugs', 'homepage'] as const) {
    if (!manifest[field]) gaps.push(`package.json has no "${field}": the stores link to it.`);
  }
  if (!manifest.icon || !existsSync(join(folder, manifest.icon))) gaps.push('package.json names no icon that exists.');
  if (tag !== undefined && tag !== `v${version}`)
    gaps.push(`The tag ${tag} is not v${version}, the version in package.json.`);
  gaps.push(...changelogGaps(read('CHANGELOG.md'), version));
  if (read('CODE_OF_CONDUCT.md').includes('No address is named yet'))
    gaps.push('CODE_OF_CONDUCT.md names no address for reports.');
  for (const path of ['LICENSE', 'SECURITY.md', 'SUPPORT.md']) {
    if (!existsSync(join(folder, path))) gaps.push(`${path} is missing.`);
  }
  return { version, isPreRelease: isPreRelease(version), gaps, toConfirm: toConfirm(publisher) };
}

function changelogGaps(changelog: string, version: string): string[] {
  const gaps: string[] = [];
  const [, unreleased = ''] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? [];
  if (unreleased.trim() !== '')
    gaps.push('CHANGELOG.md has unreleased changes: move them to the section of this version.');
  const [, date] =
    new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - (\\d{4}-\\d\\d-\\d\\d)$`, 'm').exec(changelog) ?? [];
  if (date === undefined) gaps.push(`CHANGELOG.md has no section "## [${version}] - <date>".`);
  return gaps;
}

function toConfirm(publisher: string): string[] {
  return [
    `The publisher "${publisher}" is yours in the Visual Studio Marketplace, and the namespace "${publisher}" in Open VSX.`,
    'The environment "marketplace" has AZURE_CLIENT_ID and AZURE_TENANT_ID, and that identity may publish.',
    'Open VSX has this repository, release.yml, and the environment "open-vsx" as a trusted publisher.',
    'The environments "marketplace" and "open-vsx" need an approval, and accept version tags only.',
    'Private vulnerability reporting is on; SECURITY.md depends on it.',
  ];
}
