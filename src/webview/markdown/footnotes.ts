import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import { isIndentedCode, lineOf, startOfLine } from './blockLines.ts';
import { footnotesOf, readFootnotes } from './sharedText.ts';

const reference = /\[\^([^[\]\s]{1,100})\]/y;
const definition = /^\[\^([^[\]\s]{1,100})\]:/;

/**
 * Adds footnotes: `[^a]` in the text, and `[^a]: text` at the start of a line. Further lines of a footnote are indented
 * by four columns. References without a footnote stay text. The number in a token is that of the footnote in the order
 * of the text, whatever its label is.
 */
export function addFootnotes(markdown: MarkdownIt): void {
  markdown.core.ruler.before('block', 'footnotes', ({ src, env }) => {
    env['footnotes'] ??= readFootnotes(src);
  });
  markdown.block.ruler.before('reference', 'footnote', readFootnote, { alt: ['paragraph', 'reference'] });
  markdown.inline.ruler.before('link', 'footnoteReference', readReference);
}

function readReference(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '[') return false;
  reference.lastIndex = state.pos;
  const [source = '', label = ''] = reference.exec(state.src) ?? [];
  const number = footnotesOf(state.env).get(label);
  if (number === undefined || state.pos + source.length > state.posMax) return false;
  if (!isSilent) {
    const token = state.push('footnote_reference', 'sup', 0);
    token.content = label;
    token.info = String(number);
  }
  state.pos += source.length;
  return true;
}

function readFootnote(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const start = startOfLine(state, startLine);
  if (state.src[start] !== '[' || isIndentedCode(state, startLine)) return false;
  const [mark, label = ''] = definition.exec(lineOf(state, startLine)) ?? [];
  const number = footnotesOf(state.env).get(label);
  if (mark === undefined || number === undefined) return false;
  if (isSilent) return true;
  const open = state.push('footnote_open', 'div', 1);
  open.content = label;
  open.info = String(number);
  readContent(state, startLine, endLine, start + mark.length);
  state.push('footnote_close', 'div', -1);
  return true;
}

/** Parses the text of a footnote, whose first line begins at `from`, as the content of a container. */
function readContent(state: StateBlock, startLine: number, endLine: number, from: number): void {
  const { blkIndent, parentType, bMarks, tShift, sCount } = state;
  const [bMark = 0, shift = 0, columns = 0] = [bMarks[startLine], tShift[startLine], sCount[startLine]];
  bMarks[startLine] = from;
  tShift[startLine] = state.skipSpaces(from) - from;
  sCount[startLine] = blkIndent + 4;
  state.blkIndent += 4;
  state.parentType = 'footnote';
  state.md.block.tokenize(state, startLine, endLine);
  state.blkIndent = blkIndent;
  state.parentType = parentType;
  bMarks[startLine] = bMark;
  tShift[startLine] = shift;
  sCount[startLine] = columns;
}
