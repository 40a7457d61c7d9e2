import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/l10n/sourceFiles.ts';
import { topics } from '../../tools/structure/measure.ts';

const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
/** Inline code that looks like a path with a folder, or like the name of a source file. */
const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+|[\w-]+\.(?:ts|mjs))`/g)].map(([, path = '']) => path);
const exists = (path: string) => ['', 'src'].some((folder) => existsSync(join(root, folder, path)));

it('docs/architecture.md names only files and folders that exist', () => {
  expect(named.length).toBeGreaterThan(60);
  const missing = named.filter((path) => !exists(path));
  expect(missing.filter((path) => !/^node:|\.js$/.test(path) && !isFileOfNamedFolder(path))).toEqual([]);
});

it('docs/architecture.md lists the folders of each room in their order', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` +\| ((?:`\w+`(?:, )?)+) +\|$/gm)];
  const listed = rows.map(([, room = '', folders = '']) => [
    room,
    Array.from(folders.matchAll(/\w+/g), ([name]) => name),
  ]);
  expect(Object.fromEntries(listed)).toEqual(topics);
});

it('docs/security.md names only files that exist', () => {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const tests = [...page.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, path = '']) => path);
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)))).toEqual([]);
  const sources = [...page.matchAll(/`((?:\w+\/)+\w+\.ts)`/g)].map(([, path = '']) => path);
  expect(sources.filter((path) => !exists(path))).toEqual([]);
});

/**
 * Whether a bare file name such as `response.ts` is in one of the folders whose files the document names without a
 * path.
 */
function isFileOfNamedFolder(path: string): boolean {
  return ['src/api/http', 'src/host/files'].some((folder) => existsSync(join(root, folder, path)));
}
