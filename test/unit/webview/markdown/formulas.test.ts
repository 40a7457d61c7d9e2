import { describe, expect, it } from 'vitest';
import { makeMarkdownParser } from '../../../../src/webview/markdown/markdownParser.ts';

const parser = makeMarkdownParser();

/** The formulas in a string, each with its source after `$` or, if displayed, `$$`, whatever its delimiters are. */
function formulas(text: string): string[] {
  const tokens = parser.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  return tokens.filter(({ type }) => type === 'formula').map(({ markup, content }) => `${markup} ${content}`);
}

/** A sum with `length` characters. The length must be odd. */
const sum = (length: number) => `${'a+'.repeat((length - 1) / 2)}a`;

/** The formula blocks in a string, each with its level, nesting, and source, and the parts of each paragraph. */
function parts(text: string): unknown[] {
  const found: unknown[] = [];
  for (const { type, level, nesting, content, children } of parser.parse(text, {})) {
    if (type === 'formula') found.push([level, nesting, content]);
    if (children) found.push(children.map((part) => (part.type === 'formula' ? [part.content] : part.content)));
  }
  return found;
}

describe('a formula is', () => {
  it.each([
    ['so $a^2$ is', ['$ a^2']],
    ['($a$), "$b$": $c$.', ['$ a', '$ b', '$ c']],
    ['$a \\$ b$', ['$ a \\$ b']],
    ['so $$a^2$$ is', ['$$ a^2']],
    ['so \\(a\\) and \\[b^2\\] are', ['$ a', '$$ b^2']],
    ['$$\na = b\n$$', ['$$ a = b']],
    ['$$ a = b $$', ['$$ a = b']],
    ['\\[\na\n\n  b\n\\]', ['$$ a\n\nb']],
    ['text\n$$\na\n$$\ntext', ['$$ a']],
    ['- item\n\n  $$\n  a\n  $$\n\nafter', ['$$ a']],
    ['> $$\n> a\n> $$', ['$$ a']],
    ['| $a$ |\n|--|\n| $b$ |', ['$ a', '$ b']],
    ['**$a$** [$b$](https://example.com)', ['$ a', '$ b']],
    ['[$a$ and $b$, $5](https://example.com)', ['$ a', '$ b']],
    ['$i$-$j$', ['$ i', '$ j']],
    ['the echo of $n$', ['$ n']],
    ['a/$\\alpha$/b', ['$ \\alpha']],
    ['=$x^2$|', ['$ x^2']],
    ['$$a$$.', ['$$ a']],
    ['<br>$a$', ['$ a']],
    ['so\n  $$a$$, \nand', ['$$ a']],
    ['$a$é', []],
    ['$Fe_2$ a\u{1f600}$x^2$', ['$ Fe_2', '$ x^2']],
    ['$\\alpha × é$', ['$ \\alpha × é']],
    ['$\\$5$', ['$ \\$5']],
    [`$${sum(3_997)}$`, [`$ ${sum(3_997)}`]],
    [`\\(${sum(3_995)}\\)`, [`$ ${sum(3_995)}`]],
    ['- $$\n  a\n\n  b\n  $$', ['$$ a\n\nb']],
    [`so\n${' '.repeat(39)}$$a$$`, ['$$ a']],
    [`$$\na${'\n'.repeat(198)}$$`, ['$$ a']],
    ['$5\\%$ and $\\alpha\\,$', ['$ 5\\%', '$ \\alpha\\,']],
    ['so $$\\alpha\\\\[2pt]\\beta$$ is', ['$$ \\alpha\\\\[2pt]\\beta']],
    ['\\(\\begin{matrix}a\\\\[2pt]b\\end{matrix}\\)', ['$ \\begin{matrix}a\\\\[2pt]b\\end{matrix}']],
    ["$n$'s and $n$s", ['$ n']],
    ['$n$th, $a$/$b$<br>$c$</b>', ['$ n', '$ a', '$ b', '$ c']],
    ['It costs $5, and $x2$ is a number.', ['$ x2']],
    [`It costs $5 ${'a'.repeat(397)} $7$.`, ['$ 7']],
    ['Set $HOME.\nThen $x$ is one.', ['$ x']],
    [`Set $HOME ${'a'.repeat(394)} $x$.`, ['$ x']],
    [`$5${'-'.repeat(39)}$x$`, ['$ x']],
    ['the test $x$, and a test of \\(x\\)', ['$ x', '$ x']],
  ])('%j', (text, expected) => expect(formulas(text)).toEqual(expected));
});

describe('not a formula is', () => {
  it.each([
    'so $$a$$ is',
    'so \\[b\\] is',
    '$$a$$ is',
    'x $$a$$.',
    'so\n$$a$$ is',
    'so\nx $$a$$.',
    '\\[b\\]',
    '$50 % of x$',
    '$a}{b$',
    '$\\frac{a}{b$',
    '$\\nosuch{a}$',
    '$\\phantom{a}$',
    '$\\text{50 % of } x$',
    '$a^$',
    '$FooBa_2$',
    'It costs $5 and $10 more',
    'between $5-$10',
    'from $20,000 to $30,000',
    'echo $HOME/bin:$PATH',
    '$x',
    'a$b$c',
    '$ a $',
    '$ a$',
    '$a $',
    'x$a$ y',
    '\udc00$a$',
    '$a$$',
    '$$a$',
    '$a\\$',
    '\\a b\\]',
    'x a\\]',
    '\\(a\\]',
    `$${sum(3_999)}$`,
    `\\(${sum(3_997)}\\)`,
    `$$\na${'\n'.repeat(199)}$$`,
    '- $$\n  a\n\nb\n  $$',
    '$$',
    '$$$$',
    '$$\nnever closed',
    '$$\n\n$$',
    '\\(\\)',
    '\\[\\\\\\]',
    '\\( not closed',
    '\\$a\\$',
    '=$x$',
    '$x$|',
    ...['@', '#', '%', '&', '`', '{'].map((sign) => `${sign}$\\alpha$`),
    ...['@', '#', '`', '{'].map((sign) => `$x^2$${sign}`),
    '*(a^2\\)',
    '_[a^2\\]',
    '](a^2\\)',
    '\n(a^2\\)',
    `so\n${' '.repeat(40)}$$a$$`,
    '$HOME is $x$',
    '$x^2$ath',
    'the $a b$',
    `It costs $5 ${'a'.repeat(396)} $7$.`,
    `Set $HOME ${'a'.repeat(393)} $x$.`,
    'It costs $5, and $7$ is too much.',
    '$5,$x$ and $z',
    `$5${'-'.repeat(38)}$x$`,
    ...['echo', 'printf', 'puts'].map((command) => `${command} $x$ and some more words after it`),
    '%PATH% $x$',
    '<br>=$x$',
    '$x$|<br>',
    'AS $a$ SELECT 1 $a$',
    'test \\(x\\) and some more words after it',
    'find src \\(x^2\\) and some more words after it',
    '`$a$`',
    '```\n$$\na\n$$\n```',
    '    $$\n    a\n    $$',
    'const a = `${b}`; const c = `${d}`;',
    '$$ a $$ and more'.replace('$$ a $$', '$ a $'),
    '> $$\n> a\n\n$$',
  ])('%j', (text) => expect(formulas(text)).toEqual([]));
});

describe('the text around a formula', () => {
  it.each([
    ['so $ab$, \\(cd\\) and $$e^f$$.', [['so ', ['ab'], ', ', ['cd'], ' and ', ['e^f'], '.']]],
    ['text\n$$\na\n$$\nmore', [['text'], [0, 0, 'a'], ['more']]],
    ['\\[ a \\]  \nmore', [[0, 0, 'a'], ['more']]],
    ['   $$ a $$', [[0, 0, 'a']]],
    ['$$ a^2 $$ and more', [[['a^2'], ' and more']]],
    ['text\n    $$ a $$', [['text', '', ['a']]]],
    ['- text\n$$ a $$', [['text'], [0, 0, 'a']]],
    ['- text\n\n  $$\n  a\n  $$\n  more', [['text'], [2, 0, 'a'], ['more']]],
    ['> text\n> $$ a $$\n> more', [['text'], [1, 0, 'a'], ['more']]],
    ['> text\n$$ a $$', [['text'], [0, 0, 'a']]],
    ['$$ a\n+ b $$', [[0, 0, 'a\n+ b']]],
    ['$$ a\n- $$ b $$', [['$$ a'], [2, 0, 'b']]],
    ['- $$ a\n- $$ b $$', [['$$ a'], [2, 0, 'b']]],
    [
      '\\[\nit is so\n\\]\n\\[ a \\]',
      [
        ['[', '', 'it is so', '', ']'],
        [0, 0, 'a'],
      ],
    ],
  ])('stays: %j', (text, expected) => expect(parts(text)).toEqual(expected));
});

describe('unmatched delimiters', () => {
  it.each([
    ['dollars', '$a '.repeat(8_000)],
    ['pairs of dollars', '$$a '.repeat(6_000)],
    ['brackets', '\\( '.repeat(8_000)],
    ['lines of dollars', '$$ a\n'.repeat(4_000)],
    ['lines of brackets', '\\[ a\n'.repeat(4_000)],
  ])('remain text, even in large numbers: %s', (_, text) => {
    const startedAt = performance.now();
    const tokens = parser.parse(text, {});
    console.log(`${Math.round(performance.now() - startedAt)} ms`);
    expect(tokens.length).toBeGreaterThan(0);
  });
});

describe('in a prompt', () => {
  const formulasOf = (text: string) =>
    parser
      .parse(text, { isPrompt: true })
      .flatMap((token) => [token, ...(token.children ?? [])])
      .flatMap(({ type, content }) => (type === 'formula' ? [content] : []));

  it.each(['$x$', '$x = 5$', '$f(x)$', '\\(x\\)', '$$ x $$', '$$\nx = y\n$$'])(
    'only commands and scripts show that it is a formula: %j',
    (text) => {
      expect(formulas(text)).toHaveLength(1);
      expect(formulasOf(text)).toEqual([]);
    },
  );

  it.each(['$x^2$', '$\\alpha$', '\\(x_1\\)', '$$ \\frac{a}{b} $$'])('%j is one', (text) => {
    expect(formulasOf(text)).toHaveLength(1);
  });

  it('a tag of SQL is none', () => expect(formulasOf('AS $x_1$ SELECT 1 $x_1$')).toEqual([]));
});
