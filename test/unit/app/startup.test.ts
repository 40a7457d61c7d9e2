import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { manifestCommands } from '../../../src/host/manifestCommands.ts';
import { root } from '../../../tools/l10n/sourceFiles.ts';

const { bundles } = createRequire(import.meta.url)('../../../esbuild.js') as { bundles: { extension: BuildOptions } };

describe('the code loaded at every start', () => {
  it('is small and contains no code that is loaded later', async () => {
    const change = { absWorkingDir: root, minify: true, sourcemap: false, metafile: true, write: false } as const;
    const define = { isDevelopmentBuild: 'false' };
    const { outputFiles, metafile } = await build({ ...bundles.extension, ...change, define });
    expect(outputFiles.map(({ path }) => basename(path))).toEqual(['extension.js']);
    expect(outputFiles[0]?.contents.byteLength).toBeLessThan(7 * 1024);
    const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    );
    expect(used.filter((path) => path.includes('node_modules') || path.startsWith('src/state/'))).toEqual([]);
    // By default, esbuild wraps this call in code that copies the API of VS Code, once for each import.
    expect(outputFiles[0]?.text).not.toMatch(/\(require\("vscode"\)/);
    const imports = metafile.outputs['dist/extension.js']?.imports.map(({ path }) => path);
    expect(imports).toEqual(expect.arrayContaining(['./app.js', './bundleCache.js', './pageResources.js']));
  });

  it('reads the command names from the manifest', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      contributes: { commands: { command: string }[] };
    };
    const ids = manifest.contributes.commands.map(({ command }) => command);
    expect(manifestCommands(manifest).map((name) => `lineside.${name}`)).toEqual(ids);
    for (const broken of [undefined, {}, { contributes: 1 }, { contributes: { commands: [1, { command: 'x' }] } }]) {
      expect(manifestCommands(broken)).toEqual([]);
    }
  });
});
