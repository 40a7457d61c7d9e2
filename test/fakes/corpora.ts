/**
 * Hostile and unusual texts: public collections, whose folders in test/fixtures have a SOURCE.md, and texts of our own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

function fixture(path: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', 'fixtures', path), 'utf8'));
}

const examples = fixture('commonmark/spec.json') as readonly { readonly markdown: string }[];
const formulas: readonly string[] = [
  '$\\href{javascript:alert(1)}{x}$',
  '$$\\includegraphics{https://example.com/x.png}$$',
  '$\\text{<img src=x onerror=alert(1)>}$',
  '$\\class{x}{y}\\id{x}{y}\\style{position:fixed}{z}$',
  '$\\color{red}x \\colorbox{#123456}{y} \\boxed{z} \\cancel{w}$',
  '$$\\begin{array}{c|c}a&b\\\\ \\hline c&d\\end{array}$$',
  '$$\\begin{align}a&=b\\\\c&=d\\tag{<script>}\\end{align}$$',
  '$\\unicode{x3c}\\char"3C script$',
];
/** Links and icons that notifications, quick picks, and the status bar would render, and hidden characters. */
const editorTexts: readonly string[] = [
  '[Update](command:workbench.action.quit)',
  '[a](https://evil.test "title") and `code`',
  '$(sync~spin) $(error) \\$(x) $$(y)',
  '![a](https://evil.test/x.png) <img src="https://evil.test/x.png"> ![a][b]\n\n[b]: https://evil.test/x.png',
  'a\u202egnp.exe \u2067b\u200bc\ufeff',
];

/** The texts of each collection, by its name. */
export const corpora = {
  'dompurify-xss': fixture('dompurify-xss/payloads.json') as readonly string[],
  blns: fixture('blns/blns.json') as readonly string[],
  commonmark: examples.map((example) => example.markdown),
  formulas,
  editorTexts,
};
