import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryFolder } from '../../../tools/editor/install/cache.ts';
import { runProgram } from '../../../tools/editor/run/programs.ts';
import { dependencyFaults, packageTrees, reasonFaults } from '../../../tools/release/dependencyRules.ts';
import { releaseState } from '../../../tools/release/gaps.ts';
import { isPreRelease } from '../../../tools/release/version.ts';

let place: string;
beforeAll(async () => void (place = await mkdtemp(join(tmpdir(), 'lineside-release-'))));
afterAll(() => rm(place, { recursive: true }));

/** A folder with these files of the repository, changed by `changes`: path to new text. */
async function copyWith(paths: readonly string[], changes: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(place, 'copy-'));
  for (const path of paths) await cp(join(repositoryFolder, path), join(folder, path), { recursive: true });
  for (const [path, text] of Object.entries(changes)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

describe('a version', () => {
  it.each([
    ['0.1.0', true],
    ['0.2.0', false],
    ['1.11.3', true],
    ['2.0.1', false],
  ])('%s is a pre-release: %s', (version, expected) => expect(isPreRelease(version)).toBe(expected));

  it('has three numbers', () => {
    for (const version of ['1.2', '1.2.0-beta', 'v1.2.0']) expect(() => isPreRelease(version)).toThrow(version);
  });
});

describe('the release check', () => {
  const paths = ['package.json', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'SUPPORT.md', 'media/icon.png'];
  const complete = async (): Promise<Record<string, string>> => {
    const manifest = JSON.parse(await readFile(join(repositoryFolder, 'package.json'), 'utf8')) as object;
    const where = { repository: 'x', bugs: 'x', homepage: 'x', version: '9.8.7' };
    return {
      'package.json': JSON.stringify({ ...manifest, ...where }),
      'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n## [9.8.7] - 2026-01-31\n\n- Something\n',
      'CODE_OF_CONDUCT.md': 'Write to us.\n',
    };
  };

  it('finds nothing in a repository that is ready', async () => {
    const folder = await copyWith(paths, await complete());
    expect(releaseState(folder, 'v9.8.7')).toMatchObject({ version: '9.8.7', isPreRelease: false, gaps: [] });
  });

  it.each([
    ['an unreleased change', { 'CHANGELOG.md': '## [Unreleased]\n\n- New\n\n## [9.8.7] - 2026-01-31\n' }, 'unreleased'],
    ['no changelog section', { 'CHANGELOG.md': '## [Unreleased]\n\n## [9.8.6] - 2026-01-31\n' }, '[9.8.7]'],
    ['no address for reports', { 'CODE_OF_CONDUCT.md': 'No address is named yet' }, 'CODE_OF_CONDUCT.md'],
  ])('reports %s', async (_what, change, words) => {
    const folder = await copyWith(paths, { ...(await complete()), ...(change as Record<string, string>) });
    const { gaps } = releaseState(folder);
    expect(gaps).toHaveLength(1);
    expect(gaps[0]).toContain(words);
  });

  it('reports changes of a first release that has no section yet', async () => {
    const changelog = { 'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Everything\n' };
    const { gaps } = releaseState(await copyWith(paths, { ...(await complete()), ...changelog }));
    expect(gaps.join('\n')).toMatch(/unreleased changes.*\n.*no section/);
  });

  it('reports a tag of another version', async () => {
    const { gaps } = releaseState(await copyWith(paths, await complete()), 'v9.8.6');
    expect(gaps).toEqual(['The tag v9.8.6 is not v9.8.7, the version in package.json.']);
  });

  it('names the gaps of this repository, and invents no address', () => {
    const { gaps } = releaseState(repositoryFolder);
    for (const field of ['repository', 'bugs', 'homepage']) expect(gaps.join('\n')).toContain(`"${field}"`);
  });
});

describe('the dependencies', () => {
  it.each(packageTrees)(
    'of %s have exact versions, allowed licenses, checksums, and decisions about install scripts',
    (tree) => {
      expect(dependencyFaults(join(repositoryFolder, tree))).toEqual([]);
    },
  );

  it('have a reason each in docs/dependencies.md', () => {
    expect(reasonFaults(repositoryFolder)).toEqual([]);
  });

  it('publish with the same vsce that packages', async () => {
    const versions = await Promise.all(
      packageTrees.map(async (tree) => {
        const text = await readFile(join(repositoryFolder, tree, 'package.json'), 'utf8');
        return (JSON.parse(text) as { devDependencies: Record<string, string> }).devDependencies['@vscode/vsce'];
      }),
    );
    expect(versions[1]).toBe(versions[0]);
  });

  it('are rejected for each kind of fault', async () => {
    const manifest = { dependencies: { a: '1.0.0' }, devDependencies: { b: '^2.0.0' }, allowScripts: {} };
    const good = { version: '1.0.0', license: 'MIT', integrity: 'sha512-x' };
    const lock = {
      packages: {
        '': {},
        'node_modules/a': good,
        'node_modules/b': { ...good, license: 'AGPL-3.0-only' },
        'node_modules/b/node_modules/c': { ...good, hasInstallScript: true },
        'node_modules/d': { version: '1.0.0', license: 'MIT' },
      },
    };
    const texts = { 'package.json': JSON.stringify(manifest), 'package-lock.json': JSON.stringify(lock) };
    const faults = dependencyFaults(await copyWith([], texts));
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['a', 'b', 'b', 'c', 'd']);
  });

  it('are rejected if a reason is missing, or if it is for a package that is not a dependency', async () => {
    const texts = {
      'package.json': JSON.stringify({ devDependencies: { a: '1.0.0', b: '1.0.0' } }),
      '.github/publish/package.json': JSON.stringify({ devDependencies: {} }),
      'docs/dependencies.md': '| `a` | It does a thing. |\n| `c` | |\n',
    };
    const faults = reasonFaults(await copyWith([], texts));
    expect(faults).toHaveLength(3);
    expect(faults.join('\n')).toMatch(/why b is.*\n.*explains c.*\n.*no reason for c/);
  });
});

describe('publishing', () => {
  const script = join(repositoryFolder, 'tools', 'release', 'publish.ts');
  const publish = (...args: string[]) => runProgram(process.execPath, [script, ...args, '--dry-run']);
  const files: Record<string, { path: string; sha256: string }> = {};

  beforeAll(async () => {
    for (const version of ['0.3.0', '0.4.0']) {
      const folder = await mkdtemp(join(place, 'extension-'));
      const manifest = { name: 'a', publisher: 'b', version, engines: { vscode: '^1.110.0' }, files: ['a.txt'] };
      await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
      await writeFile(join(folder, 'a.txt'), 'a');
      const path = join(folder, 'a.vsix');
      await createVSIX({
        cwd: folder,
        packagePath: path,
        dependencies: false,
        allowMissingRepository: true,
        skipLicense: true,
      });
      files[version] = {
        path,
        sha256: createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      };
    }
  });

  it.each([
    ['0.3.0', 'marketplace', /vsce publish --azure-credential --pre-release --packagePath \S+a\.vsix$/],
    ['0.4.0', 'marketplace', /vsce publish --azure-credential --packagePath \S+a\.vsix$/],
    ['0.4.0', 'open-vsx', /ovsx publish --trusted-publishing --packagePath \S+a\.vsix$/],
  ])('%s to %s uses the identity of the workflow', async (version, store, command) => {
    const { path, sha256 } = files[version]!;
    const { code, output } = await publish(store, path, sha256);
    expect(output.trim()).toMatch(command);
    expect(code).toBe(0);
  });

  it('uses options that vsce has', async () => {
    const vsce = join(repositoryFolder, 'node_modules', '@vscode', 'vsce', 'vsce');
    const { output } = await runProgram(process.execPath, [vsce, 'publish', '--help']);
    for (const option of ['--azure-credential', '--pre-release', '--packagePath']) expect(output).toContain(option);
  });

  it('rejects a file with another digest, and names both', async () => {
    const { code, output } = await publish('open-vsx', files['0.3.0']!.path, files['0.4.0']!.sha256);
    expect(output).toContain(
      `has the digest ${files['0.3.0']!.sha256}, not ${files['0.4.0']!.sha256}. Nothing was published.`,
    );
    expect(code).toBe(1);
  });

  it('rejects an unknown store and a missing digest', async () => {
    expect((await publish('npm', files['0.3.0']!.path, files['0.3.0']!.sha256)).output).toContain(
      'marketplace, open-vsx',
    );
    expect((await publish('open-vsx', files['0.3.0']!.path)).output).toContain('64 hexadecimal digits');
  });
});
