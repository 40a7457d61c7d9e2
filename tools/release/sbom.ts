import { writeFile } from 'node:fs/promises';
import { runNpm } from '../editor/run/npm.ts';
import type { Vsix } from '../editor/vsix.ts';

/** What a bill of materials describes. */
type Described = Pick<Vsix, 'file' | 'manifest' | 'sha256' | 'bundles'>;

/** A component of a CycloneDX bill of materials; only what is used here. */
interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly properties?: readonly unknown[];
  readonly licenses?: readonly unknown[];
}

/** A CycloneDX bill of materials, as `npm sbom` writes it; only what is used here. */
export interface Sbom {
  readonly metadata: { readonly timestamp?: string | undefined; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/**
 * Writes `<package>.cdx.json` next to the VSIX: its CycloneDX bill of materials. `npm sbom` describes every package in
 * the lock file; the result keeps only what is in the bundles, and names the digest of the VSIX that it describes.
 * Resolves to the path of the file.
 * @throws if `npm sbom` fails or doesn't list a bundled package.
 */
export async function writeSbom(folder: string, vsix: Described): Promise<string> {
  const { code, output } = await runNpm(
    ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--loglevel=error'],
    { folder },
  );
  if (code !== 0) throw new Error(`npm sbom failed:\n${output}`);
  const sbom = bundledSbom(JSON.parse(output.slice(output.indexOf('{'))) as Sbom, vsix);
  const file = `${vsix.file.replace(/\.vsix$/, '')}.cdx.json`;
  await writeFile(file, `${JSON.stringify(sbom, undefined, 2)}\n`);
  return file;
}

/**
 * Reduces the bill of materials of the repository to that of the package, without a time or a random number.
 * @throws if it doesn't list a bundled package.
 */
export function bundledSbom(installed: Sbom, { manifest, sha256, bundles }: Omit<Described, 'file'>): Sbom {
  const bundled = new Set(bundles.packages.map(({ name, version }) => `${name}@${version}`));
  const components = installed.components
    .filter((component) => bundled.has(component['bom-ref']))
    .map((component) => ({ ...component, scope: 'required', properties: [isBundled] }));
  const described = new Set(components.map((component) => component['bom-ref']));
  const missing = [...bundled].filter((reference) => !described.has(reference));
  if (missing.length > 0) throw new Error(`npm sbom doesn't describe ${missing.join(', ')}.`);
  const parser = bundles.packages.some(({ name }) => name === 'undici') ? [llhttp] : [];
  const { component } = installed.metadata;
  const extension = {
    'bom-ref': component['bom-ref'],
    type: 'application',
    name: manifest.name,
    version: manifest.version,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    licenses: component.licenses,
  };
  return {
    ...installed,
    serialNumber: `urn:uuid:${uuidOf(sha256)}`,
    // The list depends on the bundles, which exist only after the build.
    metadata: { ...installed.metadata, timestamp: undefined, lifecycles: [{ phase: 'build' }], component: extension },
    components: [...components, ...parser],
    dependencies: dependenciesOf(installed, component['bom-ref'], described),
  } as Sbom;
}

const isBundled = { name: 'cdx:npm:package:bundled', value: 'true' };

/** undici's package doesn't state the version of the parser that is compiled into it. */
const llhttp = {
  'bom-ref': 'llhttp',
  type: 'library',
  name: 'llhttp',
  description: "compiled into undici's HTTP parser",
  scope: 'required',
  purl: 'pkg:github/nodejs/llhttp',
  licenses: [{ license: { id: 'MIT' } }],
};

function dependenciesOf({ dependencies }: Sbom, root: string, described: ReadonlySet<string>): Sbom['dependencies'] {
  return dependencies
    .filter(({ ref }) => ref === root || described.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => described.has(other)) }));
}

/** A UUID of version 8 (RFC 9562, 5.8) made of the first bits of a hexadecimal digest. */
function uuidOf(digest: string): string {
  const [a, b, c, d, e] = [0, 8, 12, 16, 20].map((start, index) =>
    digest.slice(start, start + [8, 4, 4, 4, 12][index]!),
  );
  return `${a}-${b}-8${c?.slice(1)}-a${d?.slice(1)}-${e}`;
}
