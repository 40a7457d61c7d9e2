import { describe, expect, it } from 'vitest';
import { fileTarget, meantPaths, pathTokens, readWrittenPlace } from '../../../../src/shared/text/filePaths.ts';

const inProse = (text: string) => pathTokens(text, false).map(({ path }) => path);
const inCode = (text: string) => pathTokens(text, true).map(({ path }) => path);

describe('a path in prose', () => {
  it.each([
    ['see src/a.ts:10.', ['src/a.ts:10']],
    ['src/a.ts:10:5, (./x/y.py#L3) and "../b/c.md#L3-L8"', ['src/a.ts:10:5', './x/y.py#L3', '../b/c.md#L3-L8']],
    ['/home/me/src/a.ts C:\\src\\a.ts c:/src/b.ts', ['/home/me/src/a.ts', 'C:\\src\\a.ts', 'c:/src/b.ts']],
    ['in README.md:3: it says', ['README.md:3']],
    ['src/.eslintrc.json, .github/workflows/ci.yml', ['src/.eslintrc.json', '.github/workflows/ci.yml']],
    ['ファイル/名前.ts und straße/ä.rs', ['ファイル/名前.ts', 'straße/ä.rs']],
    ['src/a.ts!', ['src/a.ts']],
    ['./.editorconfig and a/.git-blame-ignore-revs', ['./.editorconfig', 'a/.git-blame-ignore-revs']],
    ['a.ts (line 3), (see b.ts line 3) c.ts (L3-L9)', ['a.ts (line 3)', 'b.ts line 3', 'c.ts (L3-L9)']],
    ['File "a.py", line 3 and "b.py" lines 3-9', ['a.py", line 3', 'b.py" lines 3-9']],
    ['a/b_test.py::c a/b.rs::d::e src/a.ts:3::x', ['a/b_test.py', 'a/b.rs', 'src/a.ts:3']],
    ['file:///a/%20b.ts:3 file://localhost/c file://server/d.ts', ['file:///a/%20b.ts:3', 'file://localhost/c']],
    [`${'a/'.repeat(148)}a.ts`, [`${'a/'.repeat(148)}a.ts`]],
    [`${' '.repeat(19_992)}src/a.ts`, ['src/a.ts']],
    ['a.ts:1234567 b.ts#L1C2-L3C4 c.ts#L1-3', ['a.ts:1234567', 'b.ts#L1C2-L3C4', 'c.ts#L1-3']],
    ['a/b.longendin1', ['a/b.longendin1']],
    ['a/.. b/.', []],
    // With lines
    [
      'a.ts:3-9, b.ts:3:5-9:2 c.ts#L3-L9 d.ts(3,5) e.ts(3)',
      ['a.ts:3-9', 'b.ts:3:5-9:2', 'c.ts#L3-L9', 'd.ts(3,5)', 'e.ts(3)'],
    ],
    ['see a.ts line 3, or b.ts, lines 3-9.', ['a.ts line 3', 'b.ts, lines 3-9']],
    ['src/a.ts:L3-L9 src/b.ts(3, 5): error', ['src/a.ts:L3-L9', 'src/b.ts(3, 5)']],
    // Without an ending
    ['Makefile:3 and Dockerfile, docker/Dockerfile', ['Makefile:3', 'Dockerfile', 'docker/Dockerfile']],
    ['bin/run:3', ['bin/run:3']],
    // With brackets and spaces
    [
      'src/[id]/page.tsx and app/(group)/[[...slug]]/page.tsx:3',
      ['src/[id]/page.tsx', 'app/(group)/[[...slug]]/page.tsx:3'],
    ],
    ['in "src/my file.ts" or "src/my file.ts:3"', ['src/my file.ts', 'src/my file.ts:3', 'file.ts:3']],
    // As a composer and Codex write them
    ['@src/a.ts and @README.md', ['@src/a.ts', '@README.md']],
    ['it is so.【F:src/my a.ts†L1-L2】【F:b.ts†L3】', ['src/my a.ts#L1-L2', 'b.ts#L3']],
  ])('is found in %j', (text, expected) => expect(inProse(text)).toEqual(expected));

  it('is found at its index', () => {
    const text = 'one src/a.ts two src/b.ts:3:4. three';
    for (const { at, path } of pathTokens(text, false)) expect(text.slice(at).startsWith(path)).toBe(true);
    expect(pathTokens(text, false)).toHaveLength(2);
    const citation = 'so【F:a.ts†L1】.';
    expect(pathTokens(citation, false)).toEqual([{ at: 2, length: citation.length - 3, path: 'a.ts#L1' }]);
  });

  it.each([
    'and/or, 1/2, 3.5/4, e.g. this, i.e. that',
    'README.md and main.rs',
    'https://example.com/a.ts mailto:a@example.com//x.ts',
    'a//b.ts',
    'src/a',
    'ab:/c.ts',
    'a.ts:12345678',
    'a.ts:1x b.ts#L1x',
    'a/b.longending1',
    'a/b.1ts a/b.',
    'a/%b.ts a/b%.ts a%/b.ts %a/b.ts /%/b.ts',
    `${'a/'.repeat(148)}ab.ts`,
    `${' '.repeat(19_993)}src/b.ts`,
    'src/a.ts:',
    'on line 3, see lines 3-9, foo(3), bar(3, 5)',
    '12:30, 1.2.3, v1.2/3.4',
    `${'a/'.repeat(200)}a.ts`,
    'word.'.repeat(10_000),
  ])('is not found in %j', (text) => expect(inProse(text).filter((path) => path !== 'src/a.ts')).toEqual([]));
});

describe('a path in code', () => {
  it('may be a bare file name', () => {
    expect(inCode('README.md')).toEqual(['README.md']);
    expect(inCode('main.rs:3')).toEqual(['main.rs:3']);
  });

  it('may contain spaces', () => {
    // The shorter path counts if the longer path doesn't exist.
    expect(inCode('src/my file.ts')).toEqual(['src/my file.ts', 'file.ts']);
    expect(inCode('src/my other/file.ts:3')).toEqual(['src/my other/file.ts:3', 'other/file.ts:3']);
    expect(inCode('cat src/a.ts src/b.ts')).toEqual(['src/a.ts', 'src/b.ts']);
    expect(inCode('src/a.ts src/b.ts')).toEqual(['src/a.ts', 'src/b.ts']);
    expect(inCode('./run.sh -o src/b.ts')).toEqual(['./run.sh', 'src/b.ts']);
  });

  it.each(['npm test', 'a.b()', 'foo(bar.baz)', 'x = y', '1.5', 'const'])('is not found in %j', (text) =>
    expect(inCode(text).filter((path) => !['a.b', 'bar.baz'].includes(path))).toEqual([]),
  );
});

describe('the target of a link', () => {
  it.each([
    ...[
      'src/a.ts',
      'src/a.ts#L2-L9',
      'src/a.ts:2',
      'a.ts:2',
      'src/my file.ts',
      'src/my%20file.ts',
      './a.ts',
      '../a.ts',
    ],
    ...[
      '/abs/a.ts',
      'file:///abs/a.ts',
      'C:\\a.ts',
      'c:/a.ts',
      '\\\\server\\a.ts',
      'README.md',
      'Makefile:3',
      'Dockerfile',
    ],
    ...['src/[id]/page.tsx', 'docs/', '/', 'a.ts(3,5)', 'a.md#b', '.editorconfig', 'Dockerfile#a'],
  ])('names a file: %j', (target) => expect(fileTarget(target)).toBe(target));

  it.each([
    ...[
      '',
      ' ',
      '#a',
      '?a',
      'b',
      'done',
      '12',
      'x:y',
      'command:workbench.action.quit',
      'vscode://file/a.ts',
      'javascript:a.b',
    ],
    ...['data:text/html,a.b', 'tel:123', 'mailto:a@b.c', 'https://example.com/a.ts', 'a.ts\0', 'vscode:extension/a.b'],
  ])('names none: %j', (target) => expect(fileTarget(target)).toBeUndefined());
});

describe('the place that a text names', () => {
  it.each([
    ['a.ts', { path: 'a.ts' }],
    ['a.ts:3', { path: 'a.ts', line: 3 }],
    ['a.ts:3:5', { path: 'a.ts', line: 3, column: 5 }],
    ['a.ts:3-9', { path: 'a.ts', line: 3, endLine: 9 }],
    ['a.ts:3:5-9', { path: 'a.ts', line: 3, column: 5, endLine: 3, endColumn: 9 }],
    ['a.ts:3:5-9:2', { path: 'a.ts', line: 3, column: 5, endLine: 9, endColumn: 2 }],
    ['a.ts#L3', { path: 'a.ts', line: 3 }],
    ['a.ts#L3C5-L9C2', { path: 'a.ts', line: 3, column: 5, endLine: 9, endColumn: 2 }],
    ['a.ts(3,5)', { path: 'a.ts', line: 3, column: 5 }],
    ['a.ts, lines 3 to 9', { path: 'a.ts', line: 3, endLine: 9 }],
    ['a.ts:3 b', { path: 'a.ts:3 b' }],
  ])('in %j', (text, place) => expect(readWrittenPlace(text)).toEqual(place));

  it('has the paths as written, decoded, and without an @, but no empty one', () => {
    const paths = (text: string) => meantPaths(readWrittenPlace(text));
    expect(paths('@src/a%20b.ts:3')).toEqual(['@src/a%20b.ts', '@src/a b.ts', 'src/a%20b.ts']);
    expect(paths('a%b.ts')).toEqual(['a%b.ts']);
    expect(paths('@')).toEqual(['@']);
    expect(paths('a%23.md#b%20c')).toEqual(['a%23.md#b%20c', 'a#.md#b c', 'a%23.md', 'a#.md']);
    expect(paths('c#/a.ts')).toEqual(['c#/a.ts']);
    expect(paths('file:///a.md#b')).toEqual(['/a.md#b', '/a.md']);
    expect(paths('file:///home/a%20b.ts')).toEqual(['/home/a b.ts']);
    expect(paths('FILE://localhost/c:/a.ts')).toEqual(['c:/a.ts']);
    expect(paths('file://server/a.ts')).toEqual(['//server/a.ts']);
  });

  it('is not cut out of a longer word or a command', () => {
    expect(inCode('src/my file.ts!')).toEqual(['file.ts']);
    expect(pathTokens('src/my file.ts', true)[0]).toEqual({ at: 0, length: 14, path: 'src/my file.ts' });
    expect(inCode('/ a.ts')).toEqual(['/ a.ts', 'a.ts']);
    expect(inCode(' src/my file.ts')).toEqual(['file.ts']);
    expect(inCode('src/my *.file.ts')).toEqual(['.file.ts']);
    expect(inProse('$run:3')).toEqual([]);
  });

  it('has an index in a text with citations before it', () => {
    const text = '【F:a.ts†L1】 and src/b.ts';
    expect(pathTokens(text, false).map(({ at, path }) => [at, path])).toEqual([
      [0, 'a.ts#L1'],
      [text.indexOf('src'), 'src/b.ts'],
    ]);
  });
});
