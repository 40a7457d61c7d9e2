import { describe, expect, it } from 'vitest';
import { makeMarkdownParser } from '../../../../src/webview/content/markdownParser.ts';

const parser = makeMarkdownParser();

/** The formulas in a string, each with its delimiter and its source. */
function formulas(text: string): string[] {
  const tokens = parser.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  return tokens.filter(({ type }) => type === 'formula').map(({ markup, content }) => `${markup} ${content}`);
}

describe('a formula is', () => {
  it.each([
    ['so $a^2$ is', ['$ a^2']],
    ['($a$), "$b$": $c$.', ['$ a', '$ b', '$ c']],
    ['$a \\$ b$', ['$ a \\$ b']],
    ['so $$a$$ is', ['$$ a']],
    ['so \\(a\\) and \\[b\\] are', ['$ a', '$$ b']],
    ['$$\na = b\n$$', ['$$ a = b']],
    ['$$ a = b $$', ['$$ a = b']],
    ['\\[\na\n\n  b\n\\]', ['$$ a\n\nb']],
    ['text\n$$\na\n$$\ntext', ['$$ a']],
    ['- item\n\n  $$\n  a\n  $$\n\nafter', ['$$ a']],
    ['> $$\n> a\n> $$', ['$$ a']],
    ['| $a$ |\n|--|\n| $b$ |', ['$ a', '$ b']],
    ['**$a$** [$b$](https://example.com)', ['$ a', '$ b']],
    ['$a$é', []],
  ])('%j', (text, expected) => expect(formulas(text)).toEqual(expected));
});

describe('not a formula is', () => {
  it.each([
    'It costs $5 and $10 more',
    'between $5-$10',
    'from $20,000 to $30,000',
    'echo $HOME/bin:$PATH',
    '$x',
    'a$b$c',
    '$ a $',
    '$$',
    '$$$$',
    '$$\nnever closed',
    '$$\n\n$$',
    '\\(\\)',
    '\\[\\\\\\]',
    '\\( not closed',
    '\\$a\\$',
    '`$a$`',
    '```\n$$\na\n$$\n```',
    '    $$\n    a\n    $$',
    'const a = `${b}`; const c = `${d}`;',
    '$$ a $$ and more'.replace('$$ a $$', '$ a $'),
    '> $$\n> a\n\n$$',
  ])('%j', (text) => expect(formulas(text)).toEqual([]));
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
