/** Highlighting as the page does it, in the languages whose grammars are changed. Bundled by `CountedModule`. */
import c from 'highlight.js/lib/languages/c';
import csharp from 'highlight.js/lib/languages/csharp';
import markdown from 'highlight.js/lib/languages/markdown';
import { createLowlight } from 'lowlight';
import {
  boundedGrammar,
  linksOfMarkdown,
  wordsOfC,
  wordsOfCSharp,
} from '../../src/webview/highlight/boundedGrammar.ts';

const lowlight = createLowlight({
  c: boundedGrammar(c, wordsOfC),
  csharp: boundedGrammar(csharp, wordsOfCSharp),
  markdown: boundedGrammar(markdown, linksOfMarkdown),
});

export const highlight = (language: string, text: string): unknown => lowlight.highlight(language, text);
