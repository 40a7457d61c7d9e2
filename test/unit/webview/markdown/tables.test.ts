import createMarkdown, { type Token } from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { makeMarkdownParser } from '../../../../src/webview/markdown/markdownParser.ts';

const parser = makeMarkdownParser();

/** The rows of the table in a text, with the source of each cell. */
function rowsIn(text: string): string[][] {
  const rows: string[][] = [];
  for (const { type, content } of parser.parse(text, {})) {
    if (type === 'tr_open') rows.push([]);
    if (type === 'inline' && rows.length > 0) rows.at(-1)?.push(content);
  }
  return rows;
}
const table = (...rows: string[]) => rowsIn(['| a | b |', '|---|---|', ...rows].join('\n')).slice(1);

describe('a row of a table', () => {
  it.each([
    ["| mode | `'a' | 'b'` | which of two |", ['mode', "`'a' | 'b'`", 'which of two']],
    ["| mode | `'a' | 'b'` |", ['mode', "`'a' | 'b'`"]],
    ['| `a|b` | `c|d` |', ['`a|b`', '`c|d`']],
    ['| `a|b` | c | d |', ['`a|b`', 'c', 'd']],
    ['| ``a`|`b`` | c |', ['``a`|`b``', 'c']],
    ['| `a|b | c |', ['`a', 'b', 'c']],
    ['| \\`a|b` | c |', ['\\`a', 'b`', 'c']],
    ['| a | b | c | d', ['a', 'b', 'c', 'd']],
    ['a | b | c', ['a', 'b', 'c']],
    ['| a\\|b | c | d |', ['a|b', 'c', 'd']],
    ['| a | | c |', ['a', '', 'c']],
    ['| `a`| b | c |', ['`a`', 'b', 'c']],
    ['| $P(A|B)$ | c |', ['$P(A|B)$', 'c']],
    ['| \\(|x|\\) | $|y|$ |', ['\\(|x|\\)', '$|y|$']],
    ['| `a|b` | $|x|$ |', ['`a|b`', '$|x|$']],
    ['| `$|x|$` | $|y|$ | c |', ['`$|x|$`', '$|y|$', 'c']],
    ['| \\$|x|$ | c |', ['\\$', 'x', '$', 'c']],
    ['| $5 | $6 | $7 |', ['$5', '$6', '$7']],
    ['| $a | $b | $c |', ['$a', '$b', '$c']],
    ['| `$a`, `$b` | $|x|$ |', ['`$a`, `$b`', '$|x|$']],
    ['`a|b` | c', ['`a|b`', 'c']],
    ['$|x|$ | c', ['$|x|$', 'c']],
    ['| `a|b|c` |', ['`a|b', 'c`']],
  ])('has all that is written in %j', (row, expected) => {
    expect(table(row)).toEqual([expected]);
  });

  it.each([
    ['| `a|b` |', ['`a', 'b`']],
    ['| a |', ['a', '']],
    ['| a | b |', ['a', 'b']],
  ])('is read as by GFM if it has no more cells than the header: %j', (row, expected) => {
    expect(table(row)).toEqual([expected]);
  });

  it('can be the header', () => {
    expect(rowsIn('| `a|b` | c |\n|---|---|\n| d | e |')).toEqual([
      ['`a|b`', 'c'],
      ['d', 'e'],
    ]);
    expect(rowsIn('| a | b | c |\n|---|---|\n| d | e |')).toEqual([]);
  });
});

it('a table ends before its short rows are filled up with more than 65,536 cells', () => {
  const row = (cells: number) => `|${'a|'.repeat(cells)}\n`;
  // Each of the 256 short rows gets 256 additional cells.
  const text = `${row(257)}|${'-|'.repeat(257)}\n${row(257)}${row(258)}${row(1).repeat(256)}`;
  expect(rowsIn(text)).toHaveLength(259);
  expect(rowsIn(text + row(256))).toHaveLength(259);
});

describe('tables without additional cells', () => {
  const reference = createMarkdown({ html: false });
  it.each([
    '| a | b |\n|:--|--:|\n| c | d |\n\nafter',
    'a | b\n:-: | -\nc\nd | e\n> quote',
    '- | a |\n  |---|\n  | b |\n\n  more',
    '> | a |\n> |---|\n> | b |\nlazy',
    '| a |\n| - |',
    '|a|\n|-|\n    |b|',
    'a|\n-|\nb',
    '| a |\n|--|--|',
    '| a |\n- |',
    '||\n||',
    '| a |\n|-x-|',
    '| a | b |\n| x | - |',
    '| a |\n| - x |',
    '|a|\n    |-|',
    'a\n|-|',
    '| a |\n| x - |',
    'text\n| a |\n|---|\n| b |\ntext',
    '| a |\n|---|\n| b |\n```\nc\n```',
    '| \\| |\n|---|\n| \\\\| |',
  ])('are those of markdown-it: %j', (text) => {
    const outline = (tokens: readonly Token[]) =>
      tokens.map(({ type, tag, nesting, content, map, attrs }) => [type, tag, nesting, content, map, attrs]);
    expect(outline(parser.parse(text, {}))).toEqual(outline(reference.parse(text, {})));
  });
});
