import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import temml from 'temml';
import { describe, expect, it } from 'vitest';
import { makeMarkdownParser } from '../../../../src/webview/markdown/markdownParser.ts';

const parser = makeMarkdownParser();
const repositoryFolder = join(import.meta.dirname, '../../../..');
const read = (...path: string[]) => readFileSync(join(repositoryFolder, ...path), 'utf8');

/** The formulas in a text, with their delimiters. */
function formulasIn(text: string): string[] {
  const tokens = parser.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  return tokens.filter(({ type }) => type === 'formula').map(({ info }) => info);
}

/** Lines of code and prose, by topic. */
const topics = read('test/fixtures/formulas/text.txt')
  .split(/^## .*\n/m)
  .slice(1)
  .map((topic) => topic.trimEnd().split('\n'));
/** Texts with formulas, each with the number of its formulas. */
const texts = read('test/fixtures/formulas/formulas.txt')
  .split(/^%% (?=\d)/m)
  .slice(1)
  .map((entry) => ({ count: Number.parseInt(entry, 10), text: entry.slice(entry.indexOf('\n') + 1) }));

/** The figures for the two corpora in docs/content.md; empty if the page has none. */
function documented(): string[] {
  const [, ...figures] =
    /(\d+) lines of code, prose, and prices: (\d+) formulas; (\d+) formulas: ([\d.]+) % drawn/.exec(
      read('docs/content.md').replace(/\s+/g, ' '),
    ) ?? [];
  return figures;
}

describe('of the two corpora', () => {
  it('no line of code, prose, or prices contains a formula, alone or among the others', () => {
    expect(topics.flat().length).toBeGreaterThanOrEqual(300);
    expect(topics.flat().flatMap((line) => (formulasIn(line).length > 0 ? [line] : []))).toEqual([]);
    expect(topics.flatMap((lines) => formulasIn(lines.join('\n')))).toEqual([]);
    expect(topics.flatMap((lines) => formulasIn(lines.join('\n\n')))).toEqual([]);
  });

  it('almost all formulas are found, and docs/content.md has the figures', () => {
    const missed = texts.filter(({ count, text }) => formulasIn(text).length !== count);
    const all = texts.reduce((sum, { count }) => sum + count, 0);
    const found = texts.reduce((sum, { count, text }) => sum + Math.min(count, formulasIn(text).length), 0);
    console.log(missed.map(({ text }) => `not as expected: ${JSON.stringify(text)}`).join('\n'));
    expect(all).toBeGreaterThanOrEqual(150);
    expect(found / all).toBeGreaterThanOrEqual(0.98);
    const share = ((100 * found) / all).toFixed(1).replace('.0', '');
    expect(documented()).toEqual([String(topics.flat().length), '0', String(all), share]);
  });

  it('all letters and digits of each formula are drawn', () => {
    const sources = texts.flatMap(({ text }) => sourcesIn(text));
    const missing = sources.filter((source) => {
      const drawn = lettersOf(textOf(temml.__renderToMathMLTree(source, { throwOnError: true, displayMode: true })));
      return lettersOf(source.replace(notDrawn, '')).some((letter) => {
        const place = drawn.indexOf(letter);
        drawn.splice(place, 1);
        return place < 0;
      });
    });
    expect(sources.length).toBeGreaterThanOrEqual(150);
    expect(missing).toEqual([]);
  });
});

/** Names of commands, colors, and environments, which aren't part of what is drawn. */
const notDrawn = /\\(?:color|begin|end)\{[a-z]+\}|\\[A-Za-z]+/g;

function sourcesIn(text: string): string[] {
  const tokens = parser.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  return tokens.filter(({ type }) => type === 'formula').map(({ content }) => content);
}

function lettersOf(text: string): string[] {
  return text.normalize('NFKC').match(/[\p{L}\p{N}]/gu) ?? [];
}

/** The text in a tree of elements. */
function textOf(tree: unknown): string {
  if (typeof tree !== 'object' || tree === null) return '';
  if ('text' in tree && typeof tree.text === 'string') return tree.text;
  return 'children' in tree && Array.isArray(tree.children) ? tree.children.map(textOf).join('') : '';
}
