import { describe, expect, it } from 'vitest';
import { makeMarkdownParser } from '../../../../src/webview/markdown/markdownParser.ts';

const parser = makeMarkdownParser();

/** An outline of a text: its elements in angle brackets, and the text in them. */
function outlineOf(text: string): string {
  return parser
    .parse(text, {})
    .flatMap((token) => (token.type === 'inline' ? (token.children ?? []) : [token]))
    .map(({ type, nesting, tag, content, info }) => {
      if (nesting === 1) return type === 'paragraph_open' ? '' : `<${type === 'footnote_open' ? `note ${info}` : tag}>`;
      if (nesting === -1) return type === 'paragraph_close' ? '|' : `</${tag}>`;
      if (type === 'hardbreak') return '<br>';
      if (type === 'comment') return `(${content})`;
      if (type === 'footnote_reference') return `{${info} ${content}}`;
      return type === 'softbreak' ? ' ' : content.replace(/</g, '‹');
    })
    .join('');
}

describe('HTML in a line', () => {
  it.each([
    ['a<br>b<br/>c<BR />d', 'a<br>b<br>c<br>d|'],
    ['press <kbd>Ctrl</kbd>+<KBD>C</kbd>', 'press <kbd>Ctrl</kbd>+<kbd>C</kbd>|'],
    ['H<sub>2</sub>O, x<sup>**2**</sup>', 'H<sub>2</sub>O, x<sup><strong>2</strong></sup>|'],
    ['<sup>a<sub>b</sub></sup>', '<sup>a<sub>b</sub></sup>|'],
    ['**<kbd>a</kbd>**', '<strong><kbd>a</kbd></strong>|'],
    ['[<kbd>a</kbd>](https://example.com)', '<a><kbd>a</kbd></a>|'],
    ['<u>a</u> <ins>b</ins> <B>c</B> <i>d</i>', '<u>a</u> <ins>b</ins> <b>c</b> <i>d</i>|'],
    ['<strong>a <em>b</em></strong> <s>c</s> <del>d</del>', '<strong>a <em>b</em></strong> <s>c</s> <del>d</del>|'],
    ['a <!-- b *c* --> d', 'a (<!-- b *c* -->) d|'],
    ['a <!-- b -->*c*', 'a (<!-- b -->)<em>c</em>|'],
    ['<sub>a</sup>b</sub>', '<sub>a‹/sup>b</sub>|'],
    ['<sub>a</sub><sup>b</sub></sup>', '<sub>a</sub><sup>b‹/sub></sup>|'],
    ['a <!----> b <!-- c --><!-- d -->', 'a (<!---->) b (<!-- c -->)(<!-- d -->)|'],
    ['a<br>\nb<br /> \n c', 'a<br>b<br>c|'],
  ])('is drawn: %s', (text, expected) => expect(outlineOf(text)).toBe(expected));

  it.each([
    ['<kbd>a', '‹kbd>a|'],
    ['a</kbd>', 'a‹/kbd>|'],
    ['<kbd>a</sub>', '‹kbd>a‹/sub>|'],
    ['<sub>a<sup>b</sub>c</sup>', '<sub>a‹sup>b</sub>c‹/sup>|'],
    ['**a <kbd>b** c</kbd>', '<strong>a ‹kbd>b</strong> c‹/kbd>|'],
    ['<kbd>**a</kbd>**', '‹kbd><strong>a‹/kbd></strong>|'],
    ['<kbd class="x">a</kbd>', '‹kbd class="x">a‹/kbd>|'],
    ['<kbd/>a', '‹kbd/>a|'],
    ['<br clear>', '‹br clear>|'],
    ['</br>', '‹/br>|'],
    ['<q>a</q> <script>x</script>', '‹q>a‹/q> ‹script>x‹/script>|'],
    ['Map<u> and <b class="x">a</b>', 'Map‹u> and ‹b class="x">a‹/b>|'],
    ['<u>a **b</u> c**', '‹u>a <strong>b‹/u> c</strong>|'],
    ['`<kbd>a</kbd>` <br', '‹kbd>a‹/kbd> ‹br|'],
    ['\\<kbd>a</kbd>', '‹kbd>a‹/kbd>|'],
    ['<!-- a', '‹!-- a|'],
    ['![]() ![a](<>) ![](  )', '![]() ![a](‹>) ![](  )|'],
  ])('stays text: %s', (text, expected) => expect(outlineOf(text)).toBe(expected));
});

describe('details', () => {
  const inner = '**a**\n\n```js\nb\n```';
  const drawn = '<strong>a</strong>|b\n';
  it.each([
    [
      `<details>\n<summary>T *i*</summary>\n\n${inner}\n\n</details>\nafter`,
      `<details><summary>T <em>i</em></summary>${drawn}</details>after|`,
    ],
    [`<details><summary>T</summary>\n\n${inner}\n</details>`, `<details><summary>T</summary>${drawn}</details>`],
    ['<details>\n<summary>\n\nT\n\n</summary>\na\n</details>', '<details><summary>T|</summary>a|</details>'],
    ['<details>\n<summary>\nT\n</summary>\na\n</details>', '<details><summary>T|</summary>a|</details>'],
    ['<details>\na\n</details>', '<details>a|</details>'],
    ['<details><summary>İİ</SUMMARY>\na\n</details>', '<details><summary>İİ</summary>a|</details>'],
    ['<details><summary>T</summary> \na\n</details>', '<details><summary>T</summary>a|</details>'],
    [
      '<details>\n<summary>A</summary>\n<details>\n<summary>B</summary>\nb\n</details>\n</details>',
      '<details><summary>A</summary><details><summary>B</summary>b|</details></details>',
    ],
    [
      '- x\n  <details>\n  <summary>T</summary>\n  y\n  </details>',
      '<ul><li>x|<details><summary>T</summary>y|</details></li></ul>',
    ],
    ['text\n<DETAILS>\n<summary>T</summary>\na\n</details>', 'text|<details><summary>T</summary>a|</details>'],
    ['> text\n<details>\na\n</details>', '<blockquote>text|</blockquote><details>a|</details>'],
    ['<details>\n\n    a\n\n</details>', '<details>a\n</details>'],
  ])('are drawn: %j', (text, expected) => expect(outlineOf(text)).toBe(expected));

  it.each([
    ['<details>\na', '‹details>|a|'],
    ['a\n</details>', 'a|‹/details>|'],
    ['<summary>T</summary>', '‹summary>T‹/summary>|'],
    ['<details>\na\n\n<summary>T</summary>\n</details>', '<details>a|‹summary>T‹/summary>|</details>'],
    ['<details>\n<summary>\na\n</details>', '‹details>|‹summary>|a|‹/details>|'],
    ['<details open>\na\n</details>', '‹details open> a|‹/details>|'],
    ['- <details>\n\n</details>', '<ul><li>‹details>|</li></ul>‹/details>|'],
    ['> <details>\n\n</details>', '<blockquote>‹details>|</blockquote>‹/details>|'],
    ['> <details>\n> <details>\n\n</details>', '<blockquote>‹details>|‹details>|</blockquote>‹/details>|'],
    ['a <details> b', 'a ‹details> b|'],
    ['    <details>', '‹details>'],
  ])('stay text if they are not balanced or not alone: %j', (text, expected) => {
    expect(outlineOf(text).trimEnd()).toBe(expected);
  });
});

it('does not end at a table, whose cells are elements', () => {
  const table = '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>';
  expect(outlineOf('| a |\n|---|\n| b |\n\n<kbd>c</kbd>')).toBe(`${table}<kbd>c</kbd>|`);
});

describe('a comment', () => {
  it.each([
    ['<!-- a\n\nb -->\nc', '(<!-- a\n\nb -->)c|'],
    ['a\n<!-- b -->\nc', 'a|(<!-- b -->)c|'],
    ['- a\n  <!-- b\n  c -->', '<ul><li>a|(<!-- b\nc -->)</li></ul>'],
    ['<!-- a --> b', '(<!-- a -->) b|'],
    ['<!---->\n<!-- a -->', '(<!---->)(<!-- a -->)'],
    ['> a\n<!-- b -->', '<blockquote>a|</blockquote>(<!-- b -->)'],
  ])('is a token of its own: %j', (text, expected) => expect(outlineOf(text)).toBe(expected));

  it.each([
    ['<!-- a\n\nb', '‹!-- a|b|'],
    ['- <!-- a\n\nb -->', '<ul><li>‹!-- a|</li></ul>b -->|'],
    ['<!-- a\n\nb --> c', '‹!-- a|b --> c|'],
    ['<!-- a\n\nb --> c\n<!-- d -->', '‹!-- a|b --> c|(<!-- d -->)'],
  ])('without its end, or with text behind it, stays text: %j', (text, expected) => {
    expect(outlineOf(text)).toBe(expected);
  });

  it('is a block only on lines of its own', () => {
    const comments = parser
      .parse('<!-- a -->\n\nb <!-- c -->', {})
      .flatMap((token) => [token, ...(token.children ?? [])])
      .filter(({ type }) => type === 'comment');
    expect(comments.map(({ content, markup }) => [content, markup])).toEqual([
      ['<!-- a -->', 'block'],
      ['<!-- c -->', ''],
    ]);
  });
});

describe('a footnote', () => {
  it.each([
    ['a[^1] b[^x]\n\n[^1]: one\n[^x]: *two*', 'a{1 1} b{2 x}|<note 1>one|</div><note 2><em>two</em>|</div>'],
    ['a[^1]\n\n[^1]: one\n\n    two\n\nthree', 'a{1 1}|<note 1>one|two|</div>three|'],
    ['[^1]: https://example.com\n\n[^1]', '<note 1><a>https://example.com</a>|</div>{1 1}|'],
    ['a[^1]\n\n[^1]: - b\n\n      c', 'a{1 1}|<note 1><ul><li>b|c|</li></ul></div>'],
    ['a[^1]\n\n[^1]: b\n\n   c', 'a{1 1}|<note 1>b|</div>c|'],
    ['> a[^1]\n>\n> [^1]: b', '<blockquote>a{1 1}|<note 1>b|</div></blockquote>'],
    ['[a[^1]](src/b)\n\n[^1]: c', '[a{1 1}](src/b)|<note 1>c|</div>'],
    ['[a[^1]][b]\n\n[b]: https://example.com\n\n[^1]: c', '[a{1 1}]<a>b</a>|<note 1>c|</div>'],
  ])('is linked: %j', (text, expected) => expect(outlineOf(text)).toBe(expected));

  it.each([
    ['a[^1]', 'a[^1]|'],
    ['[^a-z]+ and [^ ]', '[^a-z]+ and [^ ]|'],
    ['[b] c[^x]\n\n[^x]: d', '[b] c{1 x}|<note 1>d|</div>'],
    ['- [^1]: a', '<ul><li>[^1]: a|</li></ul>'],
    ['a[^1]\n\n    [^1]: b', 'a{1 1}|[^1]: b\n'],
    ['`[^1]`\n\n[^1]: a', '[^1]|<note 1>a|</div>'],
  ])('is not: %j', (text, expected) => expect(outlineOf(text)).toBe(expected));

  it('has the label of its references', () => {
    const note = parser.parse('a[^x]\n\n[^x]: b', {}).find(({ type }) => type === 'footnote_open');
    expect(note?.content).toBe('x');
  });
});

describe('unmatched tags', () => {
  it('are part of the text around them', () => {
    const [, inline] = parser.parse('press <kbd>A', {});
    expect(inline?.children).toMatchObject([{ type: 'text', content: 'press <kbd>A' }]);
  });

  it.each([
    ['opening tags', '<kbd>'.repeat(8_000)],
    ['closing tags', '</sub>'.repeat(8_000)],
    ['tags of different names', '<sub>'.repeat(4_000) + '</sup>'.repeat(4_000)],
    ['comments', '<!-- '.repeat(8_000)],
    ['lines of comments', '<!--\n'.repeat(8_000)],
    ['lines of comments with an end', `${'<!--\n'.repeat(8_000)}--> a`],
    ['details', '<details>\n'.repeat(8_000)],
    ['footnotes', '[^1]: '.repeat(8_000)],
    ['references', '[^1'.repeat(8_000)],
    ['images', '![]('.repeat(8_000)],
  ])('remain text, even in large numbers: %s', (_, text) => {
    const startedAt = performance.now();
    expect(parser.parse(text, {}).length).toBeGreaterThan(0);
    console.log(`${Math.round(performance.now() - startedAt)} ms`);
  });
});
