import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it';
import { isContinued } from './sharedText.ts';

/**
 * Shows link definitions that no link or image uses. CommonMark leaves them out, but agents also list their sources in
 * this form. If the text continues in later sections, no definition is shown, because those sections can use it.
 */
export function addDefinitions(markdown: MarkdownIt): void {
  markdown.block.ruler.before('reference', 'definition', readDefinition);
  markdown.core.ruler.disable('strip_references');
  markdown.core.ruler.after('inline', 'definitions', showUnusedDefinitions);
}

/** Calls the next rule, which is markdown-it's own for definitions, and stores the source text of the definition. */
function readDefinition(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const rules = state.md.block.ruler.getRules('');
  const readReference = rules[rules.indexOf(readDefinition) + 1];
  if (readReference?.(state, startLine, endLine, isSilent) !== true) return false;
  const definition = state.tokens.at(-1);
  if (definition?.type === 'reference_definition') {
    definition.content = state.getLines(startLine, state.line, state.blkIndent, false).trim();
  }
  return true;
}

/** Turns unused definitions into paragraphs, with consecutive ones in the same paragraph, and removes all others. */
function showUnusedDefinitions(state: StateCore): void {
  if (!state.tokens.some(isDefinition)) return;
  const used = usedLabels(state.tokens);
  const written: Token[] = [];
  let shown: Token[] | undefined;
  /** The line after the last definition in `shown`. */
  let endLine: number | undefined;
  for (const token of state.tokens) {
    if (!isDefinition(token)) {
      shown = undefined;
      written.push(token);
    } else if (!isContinued(state.env) && !used.has(labelOf(token))) {
      if (shown && endLine === token.map?.[0]) {
        shown.push(new state.Token('softbreak', 'br', 0));
      } else {
        shown = [];
        const text = new state.Token('inline', '', 0);
        text.children = shown;
        written.push(new state.Token('paragraph_open', 'p', 1), text, new state.Token('paragraph_close', 'p', -1));
      }
      endLine = token.map?.[1];
      for (const child of textOf(state, token)) shown.push(child);
    }
  }
  state.tokens = written;
}

/** The tokens for the source of a definition. Its first bracket is plain text, so that it doesn't begin a link. */
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
