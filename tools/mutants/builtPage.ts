/**
 * Replaces esbuild in the tests of the page. It returns the page that the process of the mutation run has built,
 * because that process builds the page much faster than a new process does.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Esbuild from 'esbuild';
import type { BuildOptions, BuildResult } from 'esbuild';

/** The file with the page of the current mutant, in the copy of the repository. */
export const builtPage = join(process.cwd(), 'page.json');

/** The script that the conversation page is built from. Tests can build another one in its place. */
const script = 'src/webview/main.ts';

/** Returns the built page. Builds as esbuild does if there is none, or for other entry points. */
export async function build(options: BuildOptions): Promise<Pick<BuildResult, 'outputFiles'>> {
  const { conversation } = options.entryPoints as Readonly<Record<string, string>>;
  if (conversation === script && existsSync(builtPage))
    return { outputFiles: JSON.parse(readFileSync(builtPage, 'utf8')) as BuildResult['outputFiles'] };
  const esbuild = createRequire(import.meta.url)('esbuild') as typeof Esbuild;
  return esbuild.build(options);
}
