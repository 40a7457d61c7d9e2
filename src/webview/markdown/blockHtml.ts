import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it';
import { Places } from '../../shared/text/places.ts';
import { indentOf, isIndentedCode, lineOf, startOfLine } from './blockLines.ts';

/**
 * Adds HTML comments that are blocks, and `<details>` with `<summary>` if the tags have no attributes and are on lines
 * of their own.
 */
export function addBlockHtml(markdown: MarkdownIt): void {
  const comments = new CommentBlocks();
  const alt = ['paragraph', 'reference', 'blockquote'];
  markdown.block.ruler.before('heading', 'details', readDetails, { alt });
  markdown.block.ruler.before('heading', 'comment', (...parameters) => comments.read(...parameters), { alt });
  markdown.core.ruler.after('block', 'details', balanceDetails);
}

const detailsTag = /[ \t]*(?:<(\/?)(details|summary)>)/iy;
const summaryEnd = /<\/summary>/gi;

/** Parses a line of tags. The text of a summary can be on the same line as its tags. */
function readDetails(state: StateBlock, startLine: number, _endLine: number, isSilent: boolean): boolean {
  if (!beginsWithTag(state, startLine)) return false;
  const line = lineOf(state, startLine).trimEnd();
  const tags: Pick<Token, 'tag' | 'markup' | 'content' | 'info'>[] = [];
  for (let at = 0; at < line.length;) {
    detailsTag.lastIndex = at;
    const [source, slash = '', name = ''] = detailsTag.exec(line) ?? [];
    if (source === undefined) return false;
    const start = at;
    at += source.length;
    const one = { tag: name.toLowerCase(), markup: slash, info: '' };
    summaryEnd.lastIndex = at;
    const end = one.tag === 'summary' && slash === '' ? summaryEnd.exec(line) : null;
    if (end) {
      one.info = line.slice(at, end.index).trim();
      at = summaryEnd.lastIndex;
    }
    tags.push({ ...one, content: line.slice(start, at).trim() });
  }
  if (!isSilent) {
    for (const one of tags) Object.assign(state.push('details_tag', one.tag, 0), one);
    state.line = startLine + 1;
  }
  return true;
}

/** The opening token of an element that isn't closed yet: a tag that `readDetails` found, or any other token. */
interface Open {
  readonly token: Token;
  /** The index of the token in `written`. */
  readonly place: number;
}

/** Turns pairs of tags that enclose whole blocks into elements, and all other tags into paragraphs. */
function balanceDetails(state: StateCore): void {
  if (!state.tokens.some(({ type }) => type === 'details_tag')) return;
  const written: Token[][] = [];
  const open: Open[] = [];
  for (const token of state.tokens) {
    const place = written.length;
    written.push([token]);
    if (token.nesting === 1) open.push({ token, place });
    if (token.nesting === -1) {
      while (open.at(-1)?.token.type === 'details_tag') open.pop();
      open.pop();
    }
    if (token.type !== 'details_tag') continue;
    const top = open.at(-1);
    const isFirst = top?.token.tag === 'details' && top.token.type === 'details_tag' && top.place === place - 1;
    if (token.tag === 'summary' && token.info !== '') {
      if (isFirst) written[place] = elementOf(state, token);
    } else if (token.markup === '') {
      if (token.tag === 'details' || isFirst) open.push({ token, place });
    } else if (top?.token.type === 'details_tag' && top.token.tag === token.tag) {
      open.pop();
      written[top.place] = [new state.Token(`${token.tag}_open`, token.tag, 1)];
      written[place] = [new state.Token(`${token.tag}_close`, token.tag, -1)];
    }
  }
  state.tokens = written.flatMap((tokens) =>
    tokens.flatMap((token) => (token.type === 'details_tag' ? paragraphOf(state, token.content) : [token])),
  );
}

function elementOf(state: StateCore, { info }: Token): Token[] {
  return around(state, 'summary', 'summary', info);
}

function paragraphOf(state: StateCore, text: string): Token[] {
  return around(state, 'paragraph', 'p', text);
}

function around(state: StateCore, type: string, name: string, text: string): Token[] {
  const inline = new state.Token('inline', '', 0);
  inline.content = text;
  inline.children = [];
  return [new state.Token(`${type}_open`, name, 1), inline, new state.Token(`${type}_close`, name, -1)];
}

/** Parses comments that begin at the start of a line and end at the end of a line. */
class CommentBlocks {
  readonly #ends = new WeakMap<StateBlock, Places>();
  /** In a container of this indentation, a comment that begins on this line or before it isn't a block. */
  readonly #none = new WeakMap<StateBlock, { readonly line: number; readonly indent: number }>();

  read(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
    if (!beginsWithTag(state, startLine) || !lineOf(state, startLine).startsWith('<!--')) return false;
    const none = this.#none.get(state);
    if (none && startLine <= none.line && none.indent === state.blkIndent) return false;
    const ends = this.#ends.get(state) ?? new Places(state.src, /-->/g);
    this.#ends.set(state, ends);
    const end = ends.from(startOfLine(state, startLine) + 4) + 3;
    let line = startLine;
    while (line < endLine && (state.eMarks[line] ?? 0) < end && (state.isEmpty(line) || indentOf(state, line) >= 0)) {
      line += 1;
    }
    const isWhole = line < endLine && indentOf(state, line) >= 0 && (state.eMarks[line] ?? 0) >= end;
    if (!isWhole || state.src.slice(end, state.eMarks[line]).trim() !== '') {
      this.#none.set(state, { line: Math.max(startLine, line - 1), indent: state.blkIndent });
      return false;
    }
    if (isSilent) return true;
    const token = state.push('comment', '', 0);
    token.content = state.getLines(startLine, line + 1, state.blkIndent, false).trim();
    token.markup = 'block';
    state.line = line + 1;
    return true;
  }
}

/** A quick check that excludes most lines, because the rules run for each line of a paragraph. */
function beginsWithTag(state: StateBlock, line: number): boolean {
  return state.src[startOfLine(state, line)] === '<' && !isIndentedCode(state, line);
}
