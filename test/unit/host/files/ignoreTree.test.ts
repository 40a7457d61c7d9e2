import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gitIgnoreRules, IgnoreTree } from '../../../../src/host/files/gitignore.ts';

const ignoreFiles: Readonly<Record<string, string>> = {
  '': '*.log\n/build/\nvendor\n',
  deep: '!keep.log\n/out/\n',
  'deep/er': 'keep.log\n',
  vendor: '!all.ts\n',
};
const paths = [
  'a.log',
  'a.ts',
  'build/a.ts',
  'deep/build/a.ts',
  'deep/keep.log',
  'deep/a.log',
  'deep/out/a.ts',
  'deep/er/keep.log',
  'deep/er/out/a.ts',
  'vendor/all.ts',
  'deep/vendor/one/two.ts',
  'keep.log',
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ignore-tree-'));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  for (const path of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), 'x');
  }
  for (const [place, text] of Object.entries(ignoreFiles)) writeFileSync(join(folder, place, '.gitignore'), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('several .gitignore files leave out what Git leaves out', () => {
  const listed = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd: folder, encoding: 'utf8' });
  const rules = Object.entries(ignoreFiles).map(([place, text]) => ({
    folderPath: place === '' ? '/work' : `/work/${place}`,
    rules: gitIgnoreRules(text),
  }));
  const tree = new IgnoreTree(rules);
  const kept = paths.filter((path) => !tree.leavesOut(`/work/${path}`));
  expect(kept.sort()).toEqual(
    listed
      .split('\n')
      .filter((path) => path !== '' && !path.endsWith('.gitignore'))
      .sort(),
  );
  expect(kept.length).toBeGreaterThan(3);
  expect(kept.length).toBeLessThan(paths.length);
});

it('without any, everything is there', () => {
  const tree = new IgnoreTree([]);
  expect(paths.filter((path) => tree.leavesOut(`/${path}`))).toEqual([]);
  expect(tree.leavesOut('name')).toBe(false);
});
