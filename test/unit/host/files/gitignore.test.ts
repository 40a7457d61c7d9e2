import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GitIgnore, GitIgnoreTree } from '../../../../src/host/files/gitignore.ts';

const paths = [
  'a.log',
  'keep.log',
  'deep/a.log',
  'deep/er/keep.log',
  'out/a.ts',
  'deep/out/a.ts',
  'build',
  'deep/build/a.ts',
  'docs/a.txt',
  'docs/deep/a.txt',
  '#odd',
  'x{1}.ts',
  'x1.ts',
  '.hidden',
  'deep/.hidden',
  'one/two/three.ts',
  'ab.c',
  'abb.c',
];

const ignoreFiles = [
  '*.log\n!keep.log\n',
  '/out/\n',
  'out/\n',
  'build/\n',
  'docs/*.txt\n',
  'docs/**/*.txt\n',
  '\\#odd\n# a comment\n\n',
  'x{1}.ts\n',
  '.*\n',
  '**/two/\n',
  'one/**\n',
  'ab?.c\n[a]b.c  \n',
  '*\n!*.ts\n!*/\n',
];

describe('a single .gitignore file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lineside-ignore-'));
    execFileSync('git', ['init', '-q'], { cwd: folder });
    for (const path of paths) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(ignoreFiles)('ignores the same files as Git: %j', (text) => {
    writeFileSync(join(folder, '.gitignore'), text);
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: folder }).toString();
    const byGit = new Set(listed.split('\0'));
    const rules = GitIgnore.empty.with('/work', text);
    const kept = paths.filter((path) => !rules.ignores(`/work/${path}`));
    expect(kept).toEqual(paths.filter((path) => byGit.has(path)));
  });
});

const nestedFiles: Readonly<Record<string, string>> = {
  '': '*.log\n/build/\nvendor\n',
  deep: '!keep.log\n/out/\n',
  'deep/er': 'keep.log\n',
  vendor: '!all.ts\n',
};
const nestedPaths = [
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

describe('several .gitignore files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ignore-tree-'));
    execFileSync('git', ['init', '-q'], { cwd: folder });
    for (const path of nestedPaths) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), 'x');
    }
    for (const [place, text] of Object.entries(nestedFiles)) writeFileSync(join(folder, place, '.gitignore'), text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('ignores the same files as Git', () => {
    const listed = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const files = Object.entries(nestedFiles).map(([place, text]) => {
      return { folderPath: place === '' ? '/work' : `/work/${place}`, text };
    });
    const tree = new GitIgnoreTree(files.reverse());
    const kept = nestedPaths.filter((path) => !tree.ignores(`/work/${path}`));
    expect(kept.sort()).toEqual(
      listed
        .split('\n')
        .filter((path) => path !== '' && !path.endsWith('.gitignore'))
        .sort(),
    );
    expect(kept.length).toBeGreaterThan(3);
    expect(kept.length).toBeLessThan(nestedPaths.length);
  });
});

it('ignores nothing without a .gitignore file', () => {
  const tree = new GitIgnoreTree([]);
  expect(nestedPaths.filter((path) => tree.ignores(`/${path}`))).toEqual([]);
  expect(tree.ignores('name')).toBe(false);
});

it('includes a selected folder that is ignored, and still applies the rules to its contents', () => {
  const all = GitIgnore.empty.with('/work', 'dist/\n*.log\n');
  expect(all.ignores('/work/dist', true)).toBe(true);
  const rules = all.including('/work/dist');
  expect(rules.ignores('/work/dist/a.js')).toBe(false);
  expect(rules.ignores('/work/dist/a.log')).toBe(true);
  expect(rules.ignores('/work/dist/dist', true)).toBe(true);
});

it.each(['/c:/work', '/work/[id]', '/work/a b', '/work/#1', '/work/!x', '/'])(
  'limits rules to the folder %s',
  (folder) => {
    const rules = GitIgnore.empty.with(folder, '/build/\n*.log\n');
    const inside = (path: string) => `${folder === '/' ? '' : folder}/${path}`;
    expect(rules.ignores(inside('build/a.ts'))).toBe(true);
    expect(rules.ignores(inside('deep/a.log'))).toBe(true);
    expect(rules.ignores(inside('deep/build/a.ts'))).toBe(false);
    if (folder !== '/') expect(rules.ignores('/other/a.log')).toBe(false);
  },
);
