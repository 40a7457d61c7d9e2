import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', '..', 'src', 'webview');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const code = files.filter((file) => file.endsWith('.ts'));
const styles = files.filter((file) => file.endsWith('.css'));

/** Ways to turn text into markup or code. The page creates nodes one at a time instead, so it needs none of these. */
const waysToMarkup = new RegExp(
  [
    'innerHTML',
    'outerHTML',
    'insertAdjacentHTML',
    'document\\.write',
    'createContextualFragment',
    'setHTML',
    'srcdoc',
    '\\beval\\(',
    'new Function',
    "setAttribute\\(\\s*'(?:style|on)",
  ].join('|'),
);

describe('the source of the page', () => {
  it('is found', () => {
    expect(code.length).toBeGreaterThan(30);
    expect(styles.length).toBeGreaterThan(5);
  });

  it.each(code)('%s never turns text into markup', (file) => {
    expect(read(file)).not.toMatch(waysToMarkup);
  });

  it('parses markup in two places only: bundled icons and named character references', () => {
    const places = code.filter((file) => read(file).includes('DOMParser'));
    expect(places.sort()).toEqual([join('content', 'namedEntities.ts'), join('icons', 'icon.ts')]);
  });

  it.each(styles)('%s takes its colors from the theme', (file) => {
    const text = read(file).replace(/\/\*[^]*?\*\//g, '');
    expect(text).not.toMatch(/#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|lab)\(/i);
    const colours = [...text.matchAll(/(?:color|background|border[\w-]*|outline|fill):([^;]+);/g)].map(
      ([, value]) => value,
    );
    for (const value of colours) expect(value).not.toMatch(/\b(?:black|white|red|green|blue|gr[ae]y|orange|yellow)\b/);
  });

  it.each(styles)('%s fetches nothing and supports both text directions', (file) => {
    expect(read(file)).not.toMatch(/url\(|@import/);
    expect(read(file)).not.toMatch(/(?:margin|padding|border)-(?:left|right)|^\s*(?:left|right):/m);
  });
});
