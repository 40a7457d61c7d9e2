import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes the activation events of the installed extension, so that nothing activates it before it's measured. Call
 * this before the first window opens, because VS Code keeps manifests in a cache. Rejects if the extension isn't
 * installed.
 */
export async function takeActivationEvents(extensionsFolder: string): Promise<void> {
  const name = (await readdir(extensionsFolder)).find((entry) => entry.startsWith('lineside.lineside'));
  if (name === undefined) throw new Error('The extension is not installed.');
  const file = join(extensionsFolder, name, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, activationEvents: [] }));
}
