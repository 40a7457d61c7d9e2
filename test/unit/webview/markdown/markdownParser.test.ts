import { describe, expect, it } from 'vitest';
import { makeMarkdownParser } from '../../../../src/webview/markdown/markdownParser.ts';
import type { SharedText } from '../../../../src/webview/markdown/sharedText.ts';

const parser = makeMarkdownParser();
const tokensOf = (text: string) => parser.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
const shownIn = (text: string, shared: SharedText = {}) =>
  parser
    .parse(text, shared)
    .flatMap(({ type, children }) => (type === 'inline' && children ? children : []))
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');
const hrefsIn = (text: string) => tokensOf(text).flatMap((token) => token.attrGet('href') ?? []);

describe('a link in Markdown', () => {
  it.each([
    ['see https://example.com/a.', ['https://example.com/a']],
    ['[a](https://example.com) <mailto:a@example.com>', ['https://example.com/', 'mailto:a@example.com']],
    ['[a](https://example.com/a%2Fb?u=x%26y)', ['https://example.com/a%2Fb?u=x%26y']],
    [
      '[a](https://\u0430pple.com/\u202e) <https://\u0430pple.com>',
      ['https://xn--pple-43d.com/%E2%80%AE', 'https://xn--pple-43d.com/'],
    ],
    ['[a](<https://good.test\\\\@evil.test>)', ['https://good.test/@evil.test']],
    ['[a](data:image/png;base64,QUFB)', ['data:image/png;base64,QUFB']],
  ])('is found in %j', (text, expected) => expect(hrefsIn(text)).toEqual(expected));

  it.each([
    'example.com',
    'a@example.com',
    '10.0.0.1',
    '//example.com',
    'ftp://example.com',
    '[a](javascript:x)',
    '[a](data:text/html,x)',
    '[a](data:image/svg+xml;base64,QUFB)',
    '[a](xdata:image/png;base64,QUFB)',
    '[a]: src/b.ts\n\n[a]',
  ])('is not found in %j', (text) => {
    expect(hrefsIn(text)).toEqual([]);
    expect(tokensOf(text).filter(({ type }) => type === 'link_open')).toEqual([]);
  });

  it.each([
    ...['handlers[0]() and obj[key](  )', '[]()', '[](https://example.com/)', '[ ](https://example.com/)', '[a[b]]()'],
    ...['[a](  )', '[\u00a0](https://example.com/)', '![a]() [b]()'],
  ])('is text without a label or an address: %s', (text) => expect(shownIn(text)).toBe(text));

  it('is text without an address, also over a line break and around an image', () => {
    expect(shownIn('[a](\n) [b](c.ts)')).toBe('[a]( ) b');
    expect(shownIn('[![a](https://example.com/b.png)]()')).toBe('[a]()');
    expect(shownIn('[][b]\n\n[b]: https://example.com/')).toBe('[]b');
  });

  it.each([
    [
      '[1]: https://example.com/\n[2]: https://example.org/ "B"',
      '[1]: https://example.com/ [2]: https://example.org/ "B"',
    ],
    ['> [a]: <https://example.com/>', '[a]: https://example.com/'],
    ['> [a]:\n>   https://example.com/\n>   "A"', '[a]: https://example.com/ "A"'],
    ['- [a]: https://example.com/\n- [b]: https://example.org/', '[a]: https://example.com/[b]: https://example.org/'],
    ['A [b].\n\n[B]: https://example.com/\n[c]: https://example.org/', 'A b.[c]: https://example.org/'],
    ['A[^1].\n\n[^1]: https://example.com/', 'A1.https://example.com/'],
    [
      'Use `list[1]` or [1](https://example.org/).\n\n[1]: https://example.com/',
      'Use list[1] or 1.[1]: https://example.com/',
    ],
    ['- [x] Done\n\n[y]: https://example.com/', '[x] Done[y]: https://example.com/'],
    ['![a][b]\n\n[b]: https://example.com/c.png', 'a'],
    ['| a |\n| - |\n| [b] |\n\n[b]: https://example.com/', 'ab'],
    ['[SS]\n\n[ẞ]: https://example.com/', 'SS'],
  ])('shows a definition only if no link uses it: %j', (text, shown) => expect(shownIn(text)).toBe(shown));

  it.each([
    ['As [1]: it is good.\n\n[1]: https://example.com/', 'As 1: it is good.'],
    ['Sources [1]:\n\n[1]: https://example.com/', 'Sources 1:'],
    ['- [Vite]: fast bundler\n\n[Vite]: https://example.com/', 'Vite: fast bundler'],
  ])('can be followed by a colon: %j', (text, shown) => {
    expect(hrefsIn(text)).toEqual(['https://example.com/']);
    expect(shownIn(text)).toBe(shown);
  });

  it.each(['', '> ', '- ', '1. '])('uses definitions between others that are not used, after %j', (mark) => {
    const definitions = ['[1]: https://example.com/1', '[2]: https://example.com/2', '[3]: https://example.com/3'];
    const indent = mark === '> ' ? mark : ' '.repeat(mark.length);
    const text = `See [a][2].\n\n${mark}${definitions.join(`\n${indent}`)}`;
    expect(shownIn(text)).toBe(`See a.${definitions[0]}${definitions[2]}`);
    expect(hrefsIn(text).filter((href) => href === 'https://example.com/2')).toHaveLength(1);
  });

  it.each([
    ['[a]: https://example.com/\n2. b', 'ordered_list_open'],
    ['[a]: https://example.com/\n    b', 'code_block'],
    ['<details>\n[a]: https://example.com/\n</details>', 'details_open'],
  ])('keeps the block below a definition that is not used: %j', (text, block) => {
    expect(parser.parse(text, {}).map(({ type }) => type)).toContain(block);
    expect(shownIn(text)).toMatch(/^\[a\]: https:\/\/example\.com\/(?:b|$)/);
  });

  it('may use a definition in a section before, which is not shown', () => {
    const shared = { references: {} };
    const definition = '[a]: https://example.com';
    expect(shownIn(definition, { ...shared, isContinued: true })).toBe('');
    const [, inline] = parser.parse('[A]', shared);
    expect(inline?.children?.[0]?.attrGet('href')).toBe('https://example.com/');
    expect(shownIn(definition, shared)).toBe('[a]: https://example.com');
  });

  it('may use a definition in an earlier section', () => {
    const shared = {};
    parser.parse('[a]: https://example.com', shared);
    const [, inline] = parser.parse('[a]', shared);
    expect(inline?.children?.[0]?.attrGet('href')).toBe('https://example.com/');
  });

  it.each([
    ['https://example.com/a%2Fb%3Fc', 'https://example.com/a%2Fb%3Fc'],
    ['https://example.com/%D0%B0', 'https://example.com/%D0%B0'],
    ['https://xn--pple-43d.com/', 'https://xn--pple-43d.com/'],
    ['https://\u0430pple.com', 'https://xn--pple-43d.com/'],
    ['<mailto:a@example.com?subject=%26>', 'mailto:a@example.com?subject=%26'],
    ['<a@example.com>', 'a@example.com'],
  ])('without a label shows the address that it opens: %s', (text, shown) => {
    expect(
      tokensOf(text)
        .filter(({ type }) => type === 'text')
        .map(({ content }) => content),
    ).toEqual([shown]);
  });
});

describe('an image in Markdown', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'PNG'])('can be embedded as %s', (type) => {
    const [image] = tokensOf(`![a](data:image/${type};base64,QUFB)`).filter((token) => token.type === 'image');
    expect(image?.attrGet('src')).toBe(`data:image/${type};base64,QUFB`);
  });
});

describe('Markdown', () => {
  it('has no raw HTML', () => {
    expect(tokensOf('<b>a</b>\n\n<div>').filter(({ type }) => type.startsWith('html'))).toEqual([]);
  });

  it.each([
    '[a]: https://example.com/\n[b]: https://example.com/b',
    'a[^1]\n\n[^1]: b',
    '<details>\n<summary>a</summary>\nb\n</details>\n<details>',
    '<kbd>a</kbd><br><sub> <!-- b -->\n\n<!-- c -->',
    '```md\n```js\na\n```\n```',
    '$a$\n\n$$\nb\n$$',
  ])('has elements that begin and end: %j', (text) => {
    for (const { type, nesting } of tokensOf(text)) {
      expect(type).not.toBe('');
      expect([type, nesting]).toEqual([type, type.endsWith('_open') ? 1 : type.endsWith('_close') ? -1 : 0]);
    }
  });

  it('is nested up to 40 levels', () => {
    const levels = tokensOf(`${'>'.repeat(100)} a`).map(({ level }) => level);
    expect(Math.max(...levels)).toBe(39);
  });
});

describe('emphasis', () => {
  const outlineOf = (text: string) =>
    tokensOf(text)
      .filter(({ type }) => /^(?:text|code_inline|(?:em|strong|s)_)/.test(type))
      .map(({ type, markup, content }) => (type.startsWith('text') || type === 'code_inline' ? content : markup))
      .filter((part) => part !== '');

  it.each([
    ['**「設定」**を開く', ['**', '「設定」', '**', 'を開く']],
    ['**注意：**必ず保存', ['**', '注意：', '**', '必ず保存']],
    ['これは**「重要」**です。', ['これは', '**', '「重要」', '**', 'です。']],
    ['*（注）*本文', ['*', '（注）', '*', '本文']],
    ['~~「旧」~~新', ['~~', '「旧」', '~~', '新']],
    ['**`a`**を使う', ['**', 'a', '**', 'を使う']],
    ['**“引用”**的', ['**', '“引用”', '**', '的']],
    ['**설정(예)**을', ['**', '설정(예)', '**', '을']],
  ])('ends next to CJK punctuation: %s', (text, expected) => expect(outlineOf(text)).toEqual(expected));

  it.each([
    ['a**b.**c', ['a**b.**c']],
    ['2 * 3 * 4', ['2 * 3 * 4']],
    ['snake_case_name', ['snake_case_name']],
    ['価格*100*個', ['価格', '*', '100', '*', '個']],
  ])('elsewhere is that of CommonMark: %s', (text, expected) => {
    expect(outlineOf(text).join('')).toBe(expected.join(''));
    expect(outlineOf(text).length).toBe(expected.length);
  });
});

describe('in a prompt', () => {
  const textOf = (text: string, isPrompt: boolean) =>
    parser
      .parse(text, { isPrompt })
      .flatMap(({ children }) => children ?? [])
      .map(({ type, content }) => (type.endsWith('break') ? `${type}\n` : content))
      .join('');

  it.each([
    ['go run . \\\n  --tags \\\n  a', 'go run . \\softbreak\n--tags \\softbreak\na'],
    ['a `b` \\\nc\\', 'a b \\softbreak\nc\\'],
  ])('a backslash stays at the end of the line: %j', (text, shown) => {
    expect(textOf(text, true)).toBe(shown);
    expect(textOf(text, false)).toContain('hardbreak');
  });

  it.each(['if __name__ == "__main__":', 'at a.__proto__ (b.ts:1)', '__a_b__, (__init__)', '__init__'])(
    'a name keeps its underscores: %s',
    (text) => {
      expect(textOf(text, true)).toBe(text);
      expect(textOf(text, false)).not.toBe(text);
    },
  );

  it.each(['__two words__', '**__init__**', '_a_', '*a*'])('emphasis is emphasis: %s', (text) => {
    const tokens = parser.parse(text, { isPrompt: true }).flatMap(({ children }) => children ?? []);
    expect(tokens.some(({ type }) => type === 'strong_open' || type === 'em_open')).toBe(true);
  });
});
