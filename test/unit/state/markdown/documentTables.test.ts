import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { embeddedMarkdown } from '../../../../src/state/markdown/embed.ts';
import { inertingMarkdown } from '../../../../src/state/markdown/inert.ts';

/** The parser of VS Code's preview. */
const preview = new MarkdownIt({ html: true });
const documentOf = (text: string) => withoutPause(inertingMarkdown(withoutPause(embeddedMarkdown(text))));
/** The cells of each row as the preview shows them. */
const rowsOf = (text: string) =>
  [...preview.render(documentOf(text)).matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')),
  );
const head = '| mode | values |\n| --- | --- |\n';

describe('a row with too many cells', () => {
  it.each<[name: string, text: string, rows: string[][]]>([
    ['with pipes in code', `${head}| \`a|b\` | c |`, [['a|b', 'c']]],
    ['with pipes in formulas', `${head}| $P(A|B)$ | c |`, [['$P(A|B)$', 'c']]],
    ['with more cells', `${head}| a | b | c | d |`, [['a', 'b | c | d']]],
    ['without pipes at its ends', `${head}a | b | c`, [['a', 'b | c']]],
    ['with escaped pipes', `${head}| a \\| b | c | d |`, [['a | b', 'c | d']]],
    ['with code beyond its cells', `${head}| a | b | \`c|d\` |`, [['a', 'b | c|d']]],
    ['in a quote', head.replace(/^/gm, '> ').replace(/> $/, '') + '> | a | b | c |', [['a', 'b | c']]],
    ['in a list', `- ${head.replaceAll('\n|', '\n  |')}  | a | b | c |`, [['a', 'b | c']]],
    [
      'with enough cells',
      `${head}| \`a\` | b |\n| c |`,
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
  ])('is shown completely in previews: %s', (_name, text, rows) => {
    expect(rowsOf(text)).toEqual([['mode', 'values'], ...rows]);
  });

  it('can be the head', () => {
    expect(rowsOf('| `a|b` | c |\n|---|---|\n| d | e |')).toEqual([
      ['a|b', 'c'],
      ['d', 'e'],
    ]);
  });

  it.each([
    'a | b | c',
    'a | b\nc | d | e',
    `${head}| a | b |\n\n| a | b | c |`,
    `${head}| a | b |\n> | a | b | c |`,
    `${head}| a | b |\n- a | b | c`,
    `${head}| a | b |\n\`\`\`\n| a | b | c |\n\`\`\``,
    `${head}| a | b |\n\`\`\`\n\`\`\`\n| a | b | c |`,
    `\`\`\`\n${head}| a | b | c |\n\`\`\``,
    '| a | b | c |\n| --- | --- |\n| a | b | c |',
  ])('stays as it is outside of a table: %j', (text) => {
    expect(withoutPause(embeddedMarkdown(text))).toBe(text);
  });

  it('loses no word, whatever it contains', () => {
    const parts = ['`a|b`', 'x', '|', ' | ', '\\|', '``c | d``', '`', ' y ', '\\\\|', '**z|w**'];
    for (let seed = 1; seed < 2_000; seed += 1) {
      let state = seed;
      const row = Array.from(
        { length: 8 },
        () => parts[(state = (state * 48_271) % 2_147_483_647) % parts.length],
      ).join('');
      const shown = rowsOf(`${head}| q${row}`)[1]?.join(' ') ?? '';
      const words = (text: string) => text.match(/[a-z]/g) ?? [];
      expect([row, words(shown)]).toEqual([row, words(`q${row}`)]);
    }
  });
});

describe('a code block of Markdown with inner fences', () => {
  const inner = '# Setup\n\n```bash\nnpm ci\n```\n\n# End';
  const codes = (text: string) =>
    [...preview.render(documentOf(text)).matchAll(/<pre><code[^>]*>([^]*?)<\/code><\/pre>/g)].map(([, code]) => code);

  it('is one block in previews', () => {
    for (const language of ['markdown', 'md']) {
      expect(codes(`a\n\n\`\`\`${language}\n${inner}\n\`\`\`\n\n# b`)).toEqual([`${inner}\n`]);
    }
    expect(codes(`~~~md\n~~~sh\na\n~~~~\n~~~`)).toEqual(['~~~sh\na\n~~~~\n']);
  });

  it.each([
    '```md\n# a\n```\n\n```sh\nb\n```',
    '```md\n```sh\na\n```',
    '```text\n```bash\na\n```\n```\n```',
    '````md\n```sh\na\n```\n````',
    '```md\n~~~sh\na\n~~~\n```',
  ])('stays as it is if its end is that of CommonMark, or uncertain: %j', (text) => {
    expect(withoutPause(embeddedMarkdown(text)).startsWith(text)).toBe(true);
  });

  it('keeps the length of its fences if the last one is indented', () => {
    expect(withoutPause(embeddedMarkdown('```md\n```sh\na\n```\n   ```'))).toMatch(/^```md\n```sh\na\n```\n/);
  });
});
