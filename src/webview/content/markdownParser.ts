import createMarkdown from 'markdown-it';
import type { Env, MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { isAllowedLink } from './linkPolicy.ts';

/**
 * Maximum distance between the delimiters of a formula, in characters. An opening delimiter without a closing one stays
 * text.
 */
const maxLength = 4_000;
const maxLines = 200;

/**
 * Adds formulas in the syntax of VS Code's chat, `$...$` and `$$...$$`, and in that of LaTeX, `\(...\)` and `\[...\]`.
 * A dollar sign next to a word or followed by a space indicates an amount of money or a variable and stays text.
 */
function addMath(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'formula', inlineFormula);
  markdown.block.ruler.before('fence', 'formula', blockFormula, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}

interface Formula {
  readonly source: string;
  readonly isBlock: boolean;
  readonly end: number;
}

function inlineFormula(state: StateInline, isSilent: boolean): boolean {
  const found = formulaAt(state.src, state.pos, Math.min(state.posMax, state.pos + maxLength));
  if (!found) return false;
  if (!isSilent) {
    const token = state.push('formula', 'math', 0);
    token.content = found.source;
    token.markup = found.isBlock ? '$$' : '$';
  }
  state.pos = found.end;
  return true;
}

function formulaAt(text: string, at: number, end: number): Formula | undefined {
  const isBackslash = text[at] === '\\';
  if (!isBackslash && text[at] !== '$') return undefined;
  if (isBackslash) return betweenBrackets(text, at, end);
  return text[at + 1] === '$' ? between(text, at, end, '$$') : betweenDollars(text, at, end);
}

function betweenBrackets(text: string, at: number, end: number): Formula | undefined {
  const open = text[at + 1];
  if (open !== '(' && open !== '[') return undefined;
  return between(text, at, end, open === '(' ? '\\)' : '\\]');
}

/** The formula between two delimiters, which have two characters each. */
function between(text: string, at: number, end: number, close: string): Formula | undefined {
  const inner = text.slice(at + 2, end);
  const length = inner.indexOf(close);
  const source = length < 0 ? '' : inner.slice(0, length).trim();
  return !hasContent(source) ? undefined : { source, isBlock: close !== '\\)', end: at + 2 + length + 2 };
}

function betweenDollars(text: string, at: number, end: number): Formula | undefined {
  if (isWord(text.charAt(at - 1)) || isSpace(text.charAt(at + 1))) return undefined;
  let close = at + 1;
  while (text[close] !== '$') {
    close += text[close] === '\\' ? 2 : 1;
    if (close >= end) return undefined;
  }
  if (isSpace(text.charAt(close - 1)) || isWord(text.charAt(close + 1))) return undefined;
  return { source: text.slice(at + 1, close), isBlock: false, end: close + 1 };
}

/** Whether this can be a formula. Delimiters that enclose only punctuation are escaped brackets. */
function hasContent(source: string): boolean {
  return /[\p{L}\p{N}]/u.test(source);
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_$\\]/u.test(character);
}

function isSpace(character: string): boolean {
  return /\s/.test(character);
}

/** Parses a formula block: its opening delimiter starts a line and its closing delimiter ends a line. */
function blockFormula(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const first = lineOf(state, startLine);
  const close = first.startsWith('$$') ? '$$' : first.startsWith('\\[') ? '\\]' : undefined;
  if (close === undefined || indentOf(state, startLine) >= 4) return false;
  const lines: string[] = [];
  const lastLine = Math.min(endLine, startLine + maxLines);
  for (let line = startLine; line < lastLine; line += 1) {
    const text = line === startLine ? first.slice(2) : lineOf(state, line);
    if (line > startLine && indentOf(state, line) < 0 && text !== '') return false;
    const end = text.indexOf(close);
    lines.push(end < 0 ? text : text.slice(0, end));
    if (end < 0) continue;
    const source = lines.join('\n').trim();
    if (text.slice(end + 2).trim() !== '' || !hasContent(source)) return false;
    if (isSilent) return true;
    const token = state.push('formula', 'math', 0);
    token.markup = '$$';
    token.content = source;
    state.line = line + 1;
    return true;
  }
  return false;
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
}

/** The indentation of a line in its container, in columns. */
function indentOf(state: StateBlock, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent;
}

/** Maximum nesting. Deeper levels don't occur in practice and cost time. */
const maxNesting = 40;

/** Parses Markdown into tokens. Raw HTML stays text, and only allowed URLs become links. */
export interface MarkdownParser {
  /** @param shared passes link definitions from one section of a text to the following ones. */
  parse(text: string, shared: Env): readonly Token[];
}

/** CommonMark with tables, strikethrough, and formulas. Bare URLs become links; words that contain a dot don't. */
export function makeMarkdownParser(): MarkdownParser {
  const markdown: MarkdownIt = createMarkdown({ html: false, linkify: true });
  markdown.set({ maxNesting });
  addMath(markdown);
  markdown.validateLink = (href) => isAllowedLink(href) || isImage(href);
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  return { parse: (text, shared) => markdown.parse(text, shared) };
}

/** Whether this is the URL of an embedded image. Its bytes are checked when it is drawn. */
function isImage(href: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(href);
}
