import type { MarkdownIt, StateInline } from 'markdown-it';
import { isIndentedCode, lineOf } from './blockLines.ts';
import { isReferredTo } from './sharedText.ts';

const definition = /^\[(?!\^)([^[\]]{1,200})\]:/;
const emptyLink = /\[(?:[ \t]{0,20}\]\(|[^[\]]{1,400}\]\([ \t]{0,20}\))/y;

/**
 * Keeps links as text that would disappear, or lose their brackets: definitions that nothing in the text refers to, because
 * agents also write sources in this form, links without a label, and those without an address, such as `list[0]()`.
 */
export function addEmptyLinks(markdown: MarkdownIt): void {
  markdown.block.ruler.before('reference', 'unusedDefinition', (state, startLine, endLine, isSilent) => {
    if (isSilent || isIndentedCode(state, startLine)) return false;
    const [, label] = definition.exec(lineOf(state, startLine)) ?? [];
    if (label === undefined || isReferredTo(state.env, label)) return false;
    return markdown.block.ruler.getRules('').at(-1)?.(state, startLine, endLine, isSilent) ?? false;
  });
  markdown.inline.ruler.before('link', 'emptyLink', readEmptyLink);
}

function readEmptyLink(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '[') return false;
  emptyLink.lastIndex = state.pos;
  if (!emptyLink.test(state.src)) return false;
  if (!isSilent) state.pending += '[';
  state.pos += 1;
  return true;
}
