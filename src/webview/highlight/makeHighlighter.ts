import { createLowlight } from 'lowlight';
import type { Highlighter } from './highlighter.ts';
import { languages } from './languages.ts';

/** Longer code stays plain: it would block the page for longer than a frame or two. */
const maxLength = 100_000;
/** Grammars are slow on lines nobody wrote by hand. */
const maxLineLength = 5_000;

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>;
type TreeNode = Tree['children'][number];

/** Makes a highlighter with the chosen set of languages; grammars are compiled on first use. */
export function makeHighlighter(): Highlighter {
  const lowlight = createLowlight(languages);
  const compiled = new Set<string>();
  return {
    canHighlight: (text, language) =>
      text.length <= maxLength && lowlight.registered(language) && !hasLongLine(text, maxLineLength),
    isCompiled: (language) => compiled.has(language),
    highlight(text, language) {
      compiled.add(language);
      const fragment = document.createDocumentFragment();
      fragment.append(...toNodes(lowlight.highlight(language, text).children));
      return fragment;
    },
  };
}

function toNodes(children: readonly TreeNode[]): Node[] {
  const nodes: Node[] = [];
  for (const child of children) {
    if (child.type === 'text') nodes.push(document.createTextNode(child.value));
    if (child.type !== 'element') continue;
    const span = document.createElement('span');
    const classes = child.properties.className;
    if (Array.isArray(classes)) span.className = classes.filter((name) => /^[\w-]+$/.test(name)).join(' ');
    span.append(...toNodes(child.children));
    nodes.push(span);
  }
  return nodes;
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
