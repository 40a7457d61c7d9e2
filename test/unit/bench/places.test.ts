import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { placeOf } from '../../../tools/bench/tables/report.ts';
import { root } from '../../../tools/l10n/sourceFiles.ts';

const folder = join(root, 'tools/bench');
const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');
/**
 * The modes of `npm run bench`. Each has a place of the same name, which is the text between two markers in a page of
 * docs. The benchmarks name the other places that they write.
 */
const [, modes = ''] = /^const modes = \[(.+)\]/m.exec(code) ?? [];
const names = [
  ...Array.from(modes.matchAll(/'(\w+)'/g), ([, name = '']) => name),
  ...Array.from(code.matchAll(/BetweenMarkers\(\s*'(\w+)'/g), ([, name = '']) => name),
  'calls',
  'editor',
];

it.each([...new Set(names)])('one page of docs has a place for the table of the benchmark: %s', async (name) => {
  const { between } = await placeOf(name);
  expect(between).toMatch(/^\| .+\|$/m);
});

it('every place in docs/performance.md is one that a benchmark writes', () => {
  const page = readFileSync(join(root, 'docs/performance.md'), 'utf8');
  const places = Array.from(page.matchAll(/^<!-- (\w+) -->$/gm), ([, name = '']) => name);
  expect(places.length).toBeGreaterThan(7);
  expect(places.filter((name) => !names.includes(name))).toEqual([]);
});

it('a place that no page has is an error', async () => {
  await expect(placeOf('nowhere')).rejects.toThrow('0 pages of docs have a place named nowhere.');
});

it('docs/performance.md is short, and its places are in it', async () => {
  const page = readFileSync(join(root, 'docs/performance.md'), 'utf8');
  expect(page.split('\n').length - 1).toBeLessThanOrEqual(300);
  expect(basename((await placeOf('editor')).file)).toBe('performance.md');
});
