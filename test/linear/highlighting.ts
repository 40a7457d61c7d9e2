/** Highlighting as the page does it, in one language for each change to a grammar. Bundled by `CountedModule`. */
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
