import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it';
import { isContinued } from './sharedText.ts';

/**
 * Shows definitions that no link or image uses, because agents also write sources in this form, and CommonMark leaves them out.
 * If the text continues in other sections, they can use a definition, so it isn't shown.
 */
export function addDefinitions(markdown: MarkdownIt): void {
  markdown.block.ruler.before('reference', 'definition', readDefinition);
  markdown.core.ruler.disable('strip_references');
  markdown.core.ruler.after('inline', 'definitions', showUnusedDefinitions);
}

/** Lets the next rule, which is the one for definitions, read one, and keeps its source. */
function readDefinition(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const rules = state.md.block.ruler.getRules('');
  const readReference = rules[rules.indexOf(readDefinition) + 1];
  if (readReference?.(state, startLine, endLine, isSilent) !== true) return false;
  const definition = state.tokens.at(-1);
  if (!isSilent && definition?.type === 'reference_definition') {
    definition.content = state.getLines(startLine, state.line, state.blkIndent, false).trim();
  }
  return true;
}

/** Makes paragraphs of definitions that nothing uses, one for those in a row, and removes the others. */
function showUnusedDefinitions(state: StateCore): void {
  if (!state.tokens.some(isDefinition)) return;
  const used = usedLabels(state.tokens);
  const written: Token[] = [];
  let shown: { readonly children: Token[]; endLine: number | undefined } | undefined;
  for (const token of state.tokens) {
    if (!isDefinition(token)) {
      shown = undefined;
      written.push(token);
    } else if (!isContinued(state.env) && !used.has(labelOf(token))) {
      if (shown && shown.endLine === token.map?.[0]) {
        shown.children.push(new state.Token('softbreak', 'br', 0));
      } else {
        shown = { children: [], endLine: 0 };
        const text = new state.Token('inline', '', 0);
        text.children = shown.children;
        written.push(new state.Token('paragraph_open', 'p', 1), text, new state.Token('paragraph_close', 'p', -1));
      }
      shown.endLine = token.map?.[1];
      for (const child of textOf(state, token)) shown.children.push(child);
    }
  }
  state.tokens = written;
}

/** The text of a definition, whose first bracket begins no link. */
function textOf({ md, env, Token }: StateCore, { content }: Token): readonly Token[] {
  const bracket = new Token('text', '', 0);
  bracket.content = content.slice(0, 1);
  const rest: Token[] = [];
  md.inline.parse(content.slice(1), md, env, rest);
  return [bracket, ...rest];
}

function isDefinition({ type }: Token): boolean {
  return type === 'reference_definition';
}

function usedLabels(tokens: readonly Token[]): ReadonlySet<unknown> {
  return new Set(tokens.flatMap(({ children }) => (children ?? []).map(labelOf)));
}

/** The label of a definition, or the one that a link or image uses. */
function labelOf({ meta }: Token): unknown {
  return meta?.['label'];
}
