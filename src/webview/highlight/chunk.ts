import type { LanguageFn } from 'highlight.js';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import { boundedGrammar, linksOfMarkdown, wordsOfC, wordsOfCSharp } from './boundedGrammar.ts';
import type { Highlighter } from './highlighter.ts';
import { appendAll } from '../dom/element.ts';

/** The highlighted languages. Their common aliases (ts, py, sh, html, ...) also work. */
const languages: Readonly<Record<string, LanguageFn>> = {
  bash,
  c: boundedGrammar(c, wordsOfC),
  cpp: boundedGrammar(cpp, wordsOfC),
  csharp: boundedGrammar(csharp, wordsOfCSharp),
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown: boundedGrammar(markdown, linksOfMarkdown),
  php,
  powershell,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

/** Code with more characters isn't highlighted, because it would block the page for more than a frame or two. */
const maxLength = 100_000;
/**
 * Code with a line of more characters isn't highlighted, because most grammars take quadratic time for long words and
 * lines, such as those of generated code. The limit for data is higher, because long lines are common in data.
 */
const maxLineLength = 1_000;
const maxDataLineLength = 5_000;
const dataLanguages = new Set(['json', 'jsonc']);

/** Deeper parts of code aren't highlighted, because the stack and the layout of the page have limits. */
const maxDepth = 50;

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>;
type TreeNode = Tree['children'][number];

/** Creates the highlighter. Grammars are compiled on first use. */
function makeHighlighter(): Highlighter {
  const lowlight = createLowlight(languages);
  const compiled = new Set<string>();
  return {
    canHighlight: (text, language) =>
      text.length <= maxLength &&
      lowlight.registered(language) &&
      !hasLongLine(text, dataLanguages.has(language) ? maxDataLineLength : maxLineLength),
    isCompiled: (language) => compiled.has(language),
    highlight(text, language) {
      compiled.add(language);
      const fragment = document.createDocumentFragment();
      appendAll(fragment, toNodes(lowlight.highlight(language, text).children));
      return fragment;
    },
  };
}

function toNodes(children: readonly TreeNode[], depth = 0): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  for (const child of children) {
    if (child.type === 'text') nodes.push(child.value);
    if (child.type !== 'element') continue;
    if (depth === maxDepth) {
      nodes.push(textIn(child));
      continue;
    }
    const span = document.createElement('span');
    const classes = child.properties.className;
    if (Array.isArray(classes)) span.className = classes.filter((name) => /^[\w-]+$/.test(name)).join(' ');
    appendAll(span, toNodes(child.children, depth + 1));
    nodes.push(span);
  }
  return nodes;
}

/** The text in a tree of any depth. */
function textIn(tree: TreeNode): string {
  let text = '';
  /** The nodes that are still to be read; the next one is last. */
  const rest: TreeNode[] = [tree];
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (node.type === 'text') text += node.value;
    if (node.type === 'element') for (const child of node.children.toReversed()) rest.push(child);
  }
  return text;
}

function hasLongLine(text: string, limit: number): boolean {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    if (to - from > limit) return true;
    from = to + 1;
  }
  return false;
}

window.linesideHighlighter = makeHighlighter();
