import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { cachedFolder } from './install/cache.ts';

/**
 * Packages the extension in `sourceFolder`, a flat folder with its manifest and scripts, and resolves to the path of
 * the VSIX. The package is cached under `name`, and packaged again after a file has changed.
 */
export async function obtainPackedFolder(name: string, sourceFolder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await readdir(sourceFolder)).sort()) hash.update(await readFile(join(sourceFolder, file)));
  const folder = await cachedFolder(`${name}-${hash.digest('hex').slice(0, 12)}`, (unfinished) =>
    createVSIX({
      cwd: sourceFolder,
      packagePath: join(unfinished, `${name}.vsix`),
      dependencies: false,
      allowMissingRepository: true,
      skipLicense: true,
    }),
  );
  return join(folder, `${name}.vsix`);
}
