import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryFolder } from '../../../tools/editor/install/cache.ts';
import { faultsOf } from '../../../tools/editor/vsix.ts';
import { canonicalZip, readZipEntry, zipEntries } from '../../../tools/editor/zipEntries.ts';
import { readBundles } from '../../../tools/release/bundledPackages.ts';
import { copyRepository, packageCopy } from '../../../tools/release/copies.ts';
import { noticesText, readNotices } from '../../../tools/release/notices.ts';
import { type Sbom, writeSbom } from '../../../tools/release/sbom.ts';

/** A folder on the file system of the repository, because hard links don't work across file systems. */
const place = join(repositoryFolder, 'test-results', `package-${process.pid}`);

/** Packages a copy of the repository whose files have the modes that this umask gives them. Resolves to the output. */
async function packaged(folder: string, umask: number, environment: Record<string, string>): Promise<string> {
  const before = process.umask(umask);
  try {
    await copyRepository(folder);
    const { code, output } = await packageCopy(folder, environment);
    if (code !== 0) throw new Error(output);
    return output;
  } finally {
    process.umask(before);
  }
}

/**
 * The package of the run (`LINESIDE_VSIX`), or else that of another copy: packaging costs as much as 100 test files.
 */
async function otherPackage(): Promise<Buffer> {
  const named = process.env['LINESIDE_VSIX'];
  if (named) return readFile(named);
  const folder = join(place, 'a');
  await packaged(folder, 0o022, { TZ: 'UTC', LC_ALL: 'C', GITHUB_OUTPUT: '' });
  return readFile(join(folder, 'lineside-0.1.0.vsix'));
}

const digestIn = (output: string): string | undefined => /^sha256: ([0-9a-f]{64})$/m.exec(output)?.[1];

describe('the package', () => {
  const folder = join(place, 'a longer folder', 'ä');
  const outputsFile = join(place, 'outputs');
  let output: string;
  let vsix: Buffer;

  beforeAll(async () => {
    await mkdir(place, { recursive: true });
    const unusual = { TZ: 'Pacific/Kiritimati', LC_ALL: 'cs_CZ.UTF-8', GITHUB_OUTPUT: outputsFile };
    output = await packaged(folder, 0o077, unusual);
    vsix = await readFile(join(folder, 'lineside-0.1.0.vsix'));
  });
  afterAll(() => rm(place, { recursive: true, force: true }));

  it('has the same bytes in two folders, time zones, locales, and umasks', async () => {
    expect(digestIn(output)).toBe(createHash('sha256').update(vsix).digest('hex'));
    expect((await otherPackage()).equals(vsix)).toBe(true);
  });

  it('contains no path of the folder in which it was built', async () => {
    for (const entry of zipEntries(vsix)) {
      const content = readZipEntry(vsix, entry).toString('latin1');
      expect(content.includes('a longer folder') || content.includes(place), entry.path).toBe(false);
    }
    const metafile = await readFile(join(folder, 'dist', 'meta-directTransport.json'), 'utf8');
    expect(metafile).not.toContain('a longer folder');
  });

  it('contains the manifest without the fields that are only for work on the repository', async () => {
    const entry = zipEntries(vsix).find(({ path }) => path === 'extension/package.json');
    const own = JSON.parse(await readFile(join(repositoryFolder, 'package.json'), 'utf8')) as Record<string, unknown>;
    const packed = JSON.parse(readZipEntry(vsix, entry!).toString('utf8')) as Record<string, unknown>;
    expect(Object.keys(own).filter((field) => !(field in packed))).toEqual([
      'scripts',
      'devDependencies',
      'allowScripts',
    ]);
    expect(own).toMatchObject(packed);
  });

  it('contains the README and the changelog without the padding of tables, which look the same', async () => {
    // HTML shows consecutive spaces as one.
    const rendered = (text: string) => new MarkdownIt().render(text).replaceAll(/ +/g, ' ');
    for (const name of ['README.md', 'CHANGELOG.md']) {
      const entry = zipEntries(vsix).find(({ path }) => path === `extension/${name.toLowerCase()}`);
      const packed = readZipEntry(vsix, entry!).toString('utf8');
      expect(rendered(packed)).toBe(rendered(await readFile(join(repositoryFolder, name), 'utf8')));
      expect(packed).not.toMatch(/^\|.* {2}/m);
    }
  });

  it('contains pages whose bundles can be part of HTML', () => {
    const pages = zipEntries(vsix).filter(({ path }) => /media\/(conversation|usage)\.(js|css)$/.test(path));
    expect(pages).toHaveLength(4);
    for (const entry of pages) {
      expect(readZipEntry(vsix, entry).toString('utf8'), entry.path).not.toMatch(/<\/?(script|style)[\s/>]/i);
    }
  });

  it('contains a notice for everything in its bundles', async () => {
    const entry = zipEntries(vsix).find(({ path }) => path === 'extension/ThirdPartyNotices.txt');
    const notices = readZipEntry(vsix, entry!).toString('utf8');
    const { packages } = await readBundles(folder);
    expect(packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['@vscode/codicons', 'highlight.js', 'markdown-it', 'temml', 'undici', 'zod']),
    );
    for (const { name, version, license } of packages) expect(notices).toContain(`\n${name} ${version} (${license})\n`);
    expect(notices).toContain('Licensed under Creative Commons Attribution 4.0 International');
    expect(notices).toContain('https://creativecommons.org/licenses/by/4.0/legalcode');
    expect(notices).toContain('Copyright (c) Microsoft Corporation');
    expect(notices).toContain(
      'Changes: The SVG text of the icons is shortened, and coordinates are rounded to two decimals.',
    );
    expect(notices).toContain('Fedor Indutny');
    expect(notices).toContain('Ivan Sagalaev');
  });

  it('has a bill of materials that lists exactly what is in its bundles, without times', async () => {
    const bill = JSON.parse(await readFile(join(folder, 'lineside-0.1.0.cdx.json'), 'utf8')) as Sbom;
    const { components, dependencies, metadata } = bill;
    const manifest = { name: 'lineside', version: '0.1.0' };
    const { packages } = await readBundles(folder);
    const names = packages.map(({ name, version }) => `${name}@${version}`);
    expect(components.map((component) => component['bom-ref']).sort()).toEqual([...names, 'llhttp'].sort());
    for (const { licenses } of components) expect(licenses).toHaveLength(1);
    expect(metadata).not.toHaveProperty('timestamp');
    expect(metadata).toHaveProperty('lifecycles', [{ phase: 'build' }]);
    const sha256 = digestIn(output);
    expect(metadata.component).toMatchObject({ name: 'lineside', hashes: [{ alg: 'SHA-256', content: sha256 }] });
    const known = new Set([...names, metadata.component['bom-ref']]);
    for (const { ref, dependsOn } of dependencies) {
      for (const reference of [ref, ...(dependsOn ?? [])]) expect(known).toContain(reference);
    }
    const other = { file: join(place, 'other.vsix'), manifest, sha256: sha256!, bundles: await readBundles(folder) };
    expect(JSON.parse(await readFile(await writeSbom(repositoryFolder, other), 'utf8'))).toEqual(bill);
  });

  it('gives its file names and digest to a workflow', async () => {
    const sha256 = digestIn(output);
    const written = await readFile(outputsFile, 'utf8');
    expect(written).toBe(`vsix=lineside-0.1.0.vsix\nsbom=lineside-0.1.0.cdx.json\nsha256=${sha256}\n`);
  });

  it('is listed with its size by package, and the size that has a limit', () => {
    expect(output).toMatch(/package: \d+ bytes\nwithout texts for people and translations: \d+ bytes of 1000000\n/);
    expect(output).toMatch(/ KB {2}undici \d+\.\d+\.\d+ \(MIT\)/);
    expect(output).toMatch(/notices: \d+/);
    expect(output).toContain('lineside-0.1.0.cdx.json');
  });
});

describe('notices', () => {
  /** A folder with one bundled package that has these files. */
  async function folderWith(files: Record<string, string>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'lineside-notices-'));
    const metafile = { outputs: { 'dist/app.js': { inputs: { 'node_modules/@a/b/index.js': { bytesInOutput: 7 } } } } };
    const all = {
      'dist/meta-app.json': JSON.stringify(metafile),
      'node_modules/@a/b/package.json': JSON.stringify({ name: '@a/b', version: '1.0.0', license: 'MIT' }),
      'node_modules/esbuild/LICENSE.md': 'The license of esbuild',
      ...files,
    };
    for (const [path, content] of Object.entries(all)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return folder;
  }

  it.each([
    ['has no license text', {}],
    ['has an empty license text', { 'node_modules/@a/b/LICENSE': '\n' }],
    [
      'names no license',
      {
        'node_modules/@a/b/LICENSE': 'Text',
        'node_modules/@a/b/package.json': JSON.stringify({ name: '@a/b', version: '1.0.0' }),
      },
    ],
  ])('fail if a bundled package %s', async (_what, files) => {
    const folder = await folderWith(files);
    const reading = readNotices(folder, await readBundles(folder));
    await expect(reading).rejects.toThrow('Bundled without a license text: @a/b 1.0.0');
    await rm(folder, { recursive: true });
  });

  it('contain the whole license text with line feeds', async () => {
    const folder = await folderWith({ 'node_modules/@a/b/license-mit.txt': 'One\r\nTwo\r\n' });
    const text = noticesText(await readNotices(folder, await readBundles(folder)));
    expect(text).toContain('@a/b 1.0.0 (MIT)\n');
    expect(text).toContain('\nOne\nTwo\n');
    await rm(folder, { recursive: true });
  });
});

describe('the faults of a package', () => {
  const entry = (path: string, packedBytes = 1) => ({ path: `extension/${path}`, packedBytes, sizeBytes: packedBytes });
  const zod = { name: 'zod', version: '1.0.0', license: 'MIT', source: undefined, folder: '', bytes: 1 };
  const good = {
    file: 'a.vsix',
    manifest: { name: 'a', version: '0.1.0' },
    sizeBytes: 1_070_000,
    sha256: '',
    notices: 1,
    entries: [
      entry('package.json'),
      entry('dist/extension.js'),
      entry('ThirdPartyNotices.txt', 50 * 1000),
      entry('l10n/bundle.l10n.de.json', 15 * 1000),
      entry('package.nls.de.json', 5 * 1000),
    ].map((each) => ({ ...each, headerAt: 0, isDeflated: true })),
    bundles: { packages: [zod], ownBytes: 1, outputs: ['dist/extension.js'] },
  };
  const withEntry = (path: string, packedBytes = 1) => ({
    ...good,
    entries: [...good.entries, { ...good.entries[0]!, path, packedBytes }],
  });

  it('are none for a good one', () => expect(faultsOf(good)).toEqual([]));

  it.each([
    ['a large package', { ...good, sizeBytes: 1_080_000 }, /^The package is 1010000 bytes/],
    [
      'a license that isn’t permissive',
      { ...good, bundles: { ...good.bundles, packages: [{ ...zod, license: 'EPL-2.0' }] } },
      /^zod.*EPL-2.0/,
    ],
    ['an unexplained file', withEntry('extension/dist/other.wasm'), /other\.wasm is not in a metafile/],
    ['a source file', withEntry('extension/src/a.js'), /src\/a\.js does not belong/],
    [
      'missing notices',
      { ...good, sizeBytes: 1, entries: good.entries.slice(0, 2) },
      /^ThirdPartyNotices.txt is missing/,
    ],
  ])('name %s', (_what, vsix, words) => expect(faultsOf(vsix)[0]).toMatch(words));
});

describe('canonicalZip', () => {
  it('keeps paths and contents, sorts by code unit, and gives the same bytes for its own output', async () => {
    const archive = await vsixOfSources();
    const canonical = await canonicalZip(archive);
    const contents = (zip: Buffer): [string, string][] =>
      zipEntries(zip).map((entry) => [entry.path, readZipEntry(zip, entry).toString('base64')]);
    expect(Object.fromEntries(contents(canonical))).toEqual(Object.fromEntries(contents(archive)));
    const paths = contents(canonical).map(([path]) => path);
    expect(paths).toEqual([...paths].sort());
    expect((await canonicalZip(canonical)).equals(canonical)).toBe(true);
  });

  /** A package as `vsce` writes it, before `canonicalZip`, with an empty file and a file name that isn't ASCII. */
  async function vsixOfSources(): Promise<Buffer> {
    const { createVSIX } = await import('@vscode/vsce');
    const folder = await mkdtemp(join(tmpdir(), 'lineside-zip-'));
    const manifest = { name: 'a', publisher: 'b', version: '0.0.1', engines: { vscode: '^1.110.0' }, files: ['*'] };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'z.txt'), 'z'.repeat(1000));
    await writeFile(join(folder, 'Ä.txt'), 'small');
    await writeFile(join(folder, 'empty.txt'), '');
    const packagePath = join(folder, 'a.vsix');
    await createVSIX({
      cwd: folder,
      packagePath,
      dependencies: false,
      allowMissingRepository: true,
      skipLicense: true,
    });
    const archive = await readFile(packagePath);
    await rm(folder, { recursive: true });
    return archive;
  }
});
