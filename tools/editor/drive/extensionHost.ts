import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Editor, EditorOptions } from '../run/editor.ts';
import type { HostTestResult } from './hostTests.ts';
import { openEditor } from '../run/openEditor.ts';
import { patienceMs } from '../run/patience.ts';

/** The suite to run and its time limit. The other options are those of {@link openEditor}. */
export interface HostRunOptions extends Omit<EditorOptions, 'developmentFolder' | 'testsModule'> {
  /** A TypeScript module that exports `tests`, of type HostTests. It may import `vscode`. */
  readonly suite: string;
  /** Time limit for all tests of the suite together. */
  readonly timeoutMs?: number;
}

/**
 * Runs a suite inside the extension host of a real VS Code instance, next to the packaged extension, and resolves to
 * its results. Rejects with the output of VS Code if the suite doesn't finish.
 */
export async function runInExtensionHost({
  suite,
  timeoutMs = 2 * patienceMs,
  ...options
}: HostRunOptions): Promise<HostTestResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-host-'));
  try {
    const reportFile = join(folder, 'report.json');
    const developmentFolder = join(folder, 'suite');
    const testsModule = await bundleSuite(suite, developmentFolder, reportFile);
    const editor = await openEditor({ ...options, developmentFolder, testsModule });
    try {
      await reported(editor, reportFile, timeoutMs);
    } finally {
      await editor.dispose();
    }
    return JSON.parse(await readFile(reportFile, 'utf8')) as HostTestResult[];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Bundles the suite into a small extension, because VS Code runs tests only with an extension under development.
 * Resolves to the path of its test module.
 */
export async function bundleSuite(suite: string, folder: string, reportFile: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const manifest = { name: 'host-tests', publisher: 'lineside', version: '0.0.0', engines: { vscode: '^1.110.0' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const testsModule = join(folder, 'index.js');
  const runner = join(import.meta.dirname, 'hostRunner.ts');
  await build({
    stdin: {
      contents: `import { tests } from ${JSON.stringify(suite)};
        import { runHostTests } from ${JSON.stringify(runner)};
        export const run = () => runHostTests(tests, ${JSON.stringify(reportFile)});`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    sourcemap: 'inline',
    outfile: testsModule,
    logLevel: 'silent',
  });
  return testsModule;
}

async function reported(editor: Editor, reportFile: string, timeoutMs: number): Promise<void> {
  // The window closes when the tests have finished, possibly before `openWindow` resolves.
  const opening: { failure?: unknown } = {};
  void editor.openWindow().catch((error: unknown) => (opening.failure = error));
  const giveUpAtMs = Date.now() + timeoutMs;
  while (!existsSync(reportFile)) {
    if (Date.now() > giveUpAtMs) {
      const why = opening.failure instanceof Error ? `${opening.failure.message}\n` : '';
      throw new Error(`The tests in the extension host did not end within ${timeoutMs} ms.\n${why}${editor.output()}`);
    }
    await wait(100);
  }
}
