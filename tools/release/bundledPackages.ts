import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An npm package of which at least one byte is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as its manifest states it; empty if it states none. */
  readonly license: string;
  /** The repository or home page in its manifest; undefined if it names neither. */
  readonly source: string | undefined;
  /** Its folder, relative to the repository. */
  readonly folder: string;
  /** Its bytes in all bundles, before the VSIX compresses them. */
  readonly bytes: number;
}

/** The output of esbuild in `dist`, according to its metafiles. */
export interface Bundles {
  readonly packages: readonly BundledPackage[];
  /** The bytes of Lineside's own code in all bundles. */
  readonly ownBytes: number;
  /** All files that esbuild wrote, relative to the repository. */
  readonly outputs: readonly string[];
}

interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly homepage?: string;
  readonly repository?: string | { readonly url?: string };
}

/** Reads which packages are in the bundles from the metafiles that `esbuild.js --metafile` wrote in `folder`. */
export async function readBundles(folder: string): Promise<Bundles> {
  const names = (await readdir(join(folder, 'dist'))).filter((name) => /^meta-.*\.json$/.test(name)).sort();
  const metafiles = await Promise.all(names.map((name) => readJson<Metafile>(join(folder, 'dist', name))));
  const outputs = metafiles.flatMap((metafile) => Object.entries(metafile.outputs));
  const bytesByFolder = new Map<string, number>();
  let ownBytes = 0;
  for (const [input, { bytesInOutput }] of outputs.flatMap(([, { inputs }]) => Object.entries(inputs))) {
    const packageFolder = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (packageFolder === undefined) ownBytes += bytesInOutput;
    else if (bytesInOutput > 0)
      bytesByFolder.set(packageFolder, (bytesByFolder.get(packageFolder) ?? 0) + bytesInOutput);
  }
  const packages = await Promise.all([...bytesByFolder].map(([path, bytes]) => describePackage(folder, path, bytes)));
  return {
    packages: packages.sort((a, b) => (a.name < b.name ? -1 : 1)),
    ownBytes,
    outputs: outputs.map(([path]) => path),
  };
}

async function describePackage(root: string, folder: string, bytes: number): Promise<BundledPackage> {
  const manifest = await readJson<PackageManifest>(join(root, folder, 'package.json'));
  const { name, version, license = '', repository, homepage } = manifest;
  const url = typeof repository === 'string' ? repository : repository?.url;
  const source = url?.replace(/^git\+/, '').replace(/\.git$/, '') ?? homepage;
  return { name, version, license, source, folder, bytes };
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}
