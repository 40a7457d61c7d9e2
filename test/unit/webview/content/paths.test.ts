import { describe, expect, it } from 'vitest';
import { pathTokens } from '../../../../src/webview/content/paths.ts';

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
    [`${'a/'.repeat(148)}a.ts`, [`${'a/'.repeat(148)}a.ts`]],
    [`${' '.repeat(19_992)}src/a.ts`, ['src/a.ts']],
    ['a.ts:1234567 b.ts#L1C2-L3C4 c.ts#L1-3', ['a.ts:1234567', 'b.ts#L1C2-L3C4', 'c.ts#L1-3']],
    ['a/b.longendin1', ['a/b.longendin1']],
    ['a/.. b/.', []],
  ])('is found in %j', (text, expected) => expect(inProse(text)).toEqual(expected));

  it('is found at its index', () => {
    const text = 'one src/a.ts two src/b.ts:3:4. three';
    for (const { at, path } of pathTokens(text, false)) expect(text.slice(at).startsWith(path)).toBe(true);
    expect(pathTokens(text, false)).toHaveLength(2);
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

  it.each(['npm test', 'a.b()', 'foo(bar.baz)', 'x = y', '1.5', 'const'])('is not found in %j', (text) =>
    expect(inCode(text).filter((path) => !['a.b', 'bar.baz'].includes(path))).toEqual([]),
  );
});
