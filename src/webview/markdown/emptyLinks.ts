import type { MarkdownIt, StateInline } from 'markdown-it';

const noAddress = /\(\s*\)/y;

/** Keeps links as text that would disappear, or lose their brackets: those without a label, and those without an address, such as `list[0]()`. */
export function addEmptyLinks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('link', 'emptyLink', readEmptyLink);
}

function readEmptyLink(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '[') return false;
  const end = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (end < 0) return false;
  noAddress.lastIndex = end + 1;
  const isEmpty = state.src.slice(state.pos + 1, end).trim() === '' && /[([]/.test(state.src.charAt(end + 1));
  if (!isEmpty && !noAddress.test(state.src)) return false;
  if (!isSilent) state.pending += '[';
  state.pos += 1;
  return true;
}
