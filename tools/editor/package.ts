/**
 * `npm run package`: builds the VSIX and its bill of materials, and lists its content, digest, and size. Fails if the
 * package is too large or has unwanted or missing files, or if a bundled package has no license text or a license that
 * isn't allowed. With a folder as an argument, packages the copy of the repository in that folder. In a GitHub
 * workflow, also sets the outputs `vsix`, `sbom` (file names), and `sha256`.
 */
import { appendFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { writeSbom } from '../release/sbom.ts';
import { repositoryFolder } from './install/cache.ts';
import { describeVsix, faultsOf, packageExtension } from './vsix.ts';

const folder = resolve(process.argv[2] ?? repositoryFolder);
const vsix = await packageExtension(folder);
const sbom = await writeSbom(folder, vsix);
for (const line of [...describeVsix(vsix), `bill of materials: ${sbom}`]) console.log(line);
const faults = faultsOf(vsix);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

const outputsFile = process.env['GITHUB_OUTPUT'];
if (outputsFile && faults.length === 0) {
  await appendFile(outputsFile, `vsix=${basename(vsix.file)}\nsbom=${basename(sbom)}\nsha256=${vsix.sha256}\n`);
}
