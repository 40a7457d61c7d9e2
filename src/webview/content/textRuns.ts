/** Inline elements. All others start a new run of text. */
const inlineTags = new Set(['A', 'BDI', 'CODE', 'EM', 'KBD', 'S', 'SPAN', 'STRONG', 'SUB', 'SUP', 'U']);
/** Elements whose text isn't part of the message, such as buttons, code toolbars, and previews of folded content. */
const notSearched = [
  '.asked-head',
  '.asked-key',
  '.asked-note',
  '.code-bar',
  '.file-detail',
  '.fold-detail',
  '.fold-result',
  '.visually-hidden',
  'button:not(.fold-button, .asked-option)',
].join(', ');
/** Maximum number of characters to search in a run. */
const maxCharacters = 200_000;

/** Consecutive text and its nodes. */
interface TextRun {
  readonly text: string;
  readonly nodes: readonly { readonly node: Text; readonly start: number }[];
}

/**
 * The matches of an expression in the visible text of an element, in order. The expression must have the flag `g`. A
 * match can span emphasis and links.
 */
export function findRanges(root: Element, expression: RegExp): Range[] {
  return [...textRuns(root)].flatMap((run) => rangesIn(run, expression));
}

/** The visible text of an element, in order. Each block element is a run of its own. */
export function* textRuns(root: Element): Generator<TextRun> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof HTMLElement && (node.hidden || node.matches(notSearched))
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  let nodes: { node: Text; start: number }[] = [];
  let text = '';
  let block: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const own = blockOf(node);
    if (own !== block && nodes.length > 0) {
      yield { text, nodes };
      nodes = [];
      text = '';
    }
    block = own;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  if (nodes.length > 0) yield { text, nodes };
}

function blockOf(node: Text): Element | null {
  let holder = node.parentElement;
  while (holder && inlineTags.has(holder.tagName) && holder.parentElement) holder = holder.parentElement;
  return holder;
}

function rangesIn({ text, nodes }: TextRun, expression: RegExp): Range[] {
  const ranges: Range[] = [];
  const searched = text.slice(0, maxCharacters);
  for (let found = expression.exec(searched); found; found = expression.exec(searched)) {
    if (found[0] === '') expression.lastIndex += 1;
    else ranges.push(rangeOf(nodes, found.index, found.index + found[0].length));
  }
  return ranges;
}

/**
 * The index of the node that contains a character. A binary search: a run can have thousands of nodes and of matches.
 */
function nodeIndex(nodes: TextRun['nodes'], offset: number): number {
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((nodes[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function rangeOf(nodes: TextRun['nodes'], from: number, to: number): Range {
  const range = document.createRange();
  const at = (offset: number) => nodes[nodeIndex(nodes, offset)];
  const [first, last] = [at(from), at(to - 1)];
  if (first) range.setStart(first.node, from - first.start);
  if (last) range.setEnd(last.node, to - last.start);
  return range;
}
