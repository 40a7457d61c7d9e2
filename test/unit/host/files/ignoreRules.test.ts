import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitIgnoreRules } from '../../../../src/host/files/gitignore.ts';

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

describe('the rules of a .gitignore', () => {
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

  it.each(ignoreFiles)('leave out what Git leaves out: %j', (text) => {
    writeFileSync(join(folder, '.gitignore'), text);
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: folder }).toString();
    const byGit = new Set(listed.split('\0'));
    const rules = gitIgnoreRules(text);
    const isLeftOut = (path: string): boolean => {
      const names = path.split('/');
      // What lies in a folder that is left out cannot be taken back.
      return names.some((_, index) => rules(names.slice(0, index + 1).join('/'), index + 1 < names.length) === true);
    };
    expect(paths.filter((path) => !isLeftOut(path))).toEqual(paths.filter((path) => byGit.has(path)));
  });
});
