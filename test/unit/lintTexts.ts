import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { parseJson } from '../../src/shared/json.ts';
import { root } from '../../tools/l10n/sourceFiles.ts';

const configSchema = z.looseObject({ options: z.looseObject({}) });
const outputSchema = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });

/** The code of a file, and its path in the repository. */
export interface LintedText {
  readonly path: string;
  readonly code: string;
}

/**
 * The rules that each text breaks, such as `house(rooms)`, in the order of the texts. Rules that need types don't run.
 * Lints all texts at once, because oxlint takes half a second to start.
 */
export async function lintTexts(texts: readonly LintedText[]): Promise<readonly (readonly string[])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-lint-'));
  try {
    const config = configSchema.parse(parseJson(await readFile(join(root, '.oxlintrc.json'), 'utf8')));
    const plugins = [join(root, 'tools/lint/house.mjs'), fileURLToPath(import.meta.resolve('eslint-plugin-regexp'))];
    const own = { ...config, options: { ...config.options, typeAware: false }, jsPlugins: plugins };
    await writeFile(join(folder, '.oxlintrc.json'), JSON.stringify(own));
    for (const [index, { path, code }] of texts.entries()) {
      const file = join(folder, `${index}`, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, code);
    }
    const { diagnostics } = outputSchema.parse(parseJson(await output(folder)));
    return texts.map((_, index) =>
      diagnostics.flatMap(({ code, filename }) => (/^(\d+)/.exec(filename)?.[1] === `${index}` ? [code] : [])),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What oxlint prints as JSON. It exits with 1 if it finds something. */
function output(cwd: string): Promise<string> {
  const program = join(root, 'node_modules/oxlint/bin/oxlint');
  return new Promise((resolve) => {
    execFile(process.execPath, [program, '--format', 'json'], { cwd, maxBuffer: 1e8 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}
