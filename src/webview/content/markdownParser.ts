import createMarkdown from 'markdown-it';
import type { Env, MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { addressText, externalAddress } from '../../shared/text/externalAddress.ts';
import { Places } from '../../shared/text/places.ts';

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
  const rules = new FormulaRules();
  markdown.inline.ruler.before('escape', 'formula', (state, isSilent) => rules.inline(state, isSilent));
  markdown.block.ruler.before('fence', 'formula', (...parameters) => rules.block(...parameters), {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}

interface Formula {
  readonly source: string;
  readonly isBlock: boolean;
  readonly end: number;
}

/** The closing delimiters of two characters, and how to search for them. */
const closings = { $$: /\$\$/g, '\\)': /\\\)/g, '\\]': /\\\]/g } as const;
type Closing = keyof typeof closings;

/** What was found out about the rest of a text while it was parsed, so that no part of it is searched twice. */
class Found {
  readonly #text: string;
  readonly #places = new Map<Closing, Places>();
  /** Formula blocks that begin up to this line don't end, in a container of this indentation. */
  readonly endless = new Map<Closing, { readonly line: number; readonly indent: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The index of the next closing delimiter; `Infinity` if there is none. */
  next(close: Closing, from: number): number {
    const places = this.#places.get(close) ?? new Places(this.#text, new RegExp(closings[close]));
    this.#places.set(close, places);
    return places.from(from);
  }
}

class FormulaRules {
  readonly #found = new WeakMap<StateInline | StateBlock, Found>();

  inline(state: StateInline, isSilent: boolean): boolean {
    const found = this.#formulaAt(state, state.pos, Math.min(state.posMax, state.pos + maxLength));
    if (!found) return false;
    if (!isSilent) {
      const token = state.push('formula', 'math', 0);
      token.content = found.source;
      token.markup = found.isBlock ? '$$' : '$';
    }
    state.pos = found.end;
    return true;
  }

  /** Parses a formula block: its opening delimiter starts a line and its closing delimiter ends a line. */
  block(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
    const first = lineOf(state, startLine);
    const close = first.startsWith('$$') ? '$$' : first.startsWith('\\[') ? '\\]' : undefined;
    if (close === undefined || indentOf(state, startLine) >= 4) return false;
    const found = this.#foundIn(state);
    const lastLine = Math.min(endLine, startLine + maxLines);
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0) + 2;
    if (found.next(close, start) >= (state.eMarks[lastLine - 1] ?? 0)) return false;
    const endless = found.endless.get(close);
    if (endless && startLine <= endless.line && endless.indent === state.blkIndent) return false;
    const block = readBlock(state, startLine, lastLine, close);
    if (typeof block === 'number') {
      found.endless.set(close, { line: block, indent: state.blkIndent });
      return false;
    }
    if (isSilent) return true;
    const token = state.push('formula', 'math', 0);
    token.markup = '$$';
    token.content = block.source;
    state.line = block.end;
    return true;
  }

  #formulaAt(state: StateInline, at: number, end: number): Formula | undefined {
    const text = state.src;
    const isBackslash = text[at] === '\\';
    if (!isBackslash && text[at] !== '$') return undefined;
    const open = text[at + 1];
    if (!isBackslash) return open === '$' ? this.#between(state, at, end, '$$') : betweenDollars(text, at, end);
    return open === '(' || open === '[' ? this.#between(state, at, end, open === '(' ? '\\)' : '\\]') : undefined;
  }

  /** The formula between two delimiters, which have two characters each. */
  #between(state: StateInline, at: number, end: number, close: Closing): Formula | undefined {
    const place = this.#foundIn(state).next(close, at + 2);
    const source = place + 2 > end ? '' : state.src.slice(at + 2, place).trim();
    return !hasContent(source) ? undefined : { source, isBlock: close !== '\\)', end: place + 2 };
  }

  #foundIn(state: StateInline | StateBlock): Found {
    const found = this.#found.get(state) ?? new Found(state.src);
    this.#found.set(state, found);
    return found;
  }
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

/** Reads a formula block. Returns the line at which it turns out to be none. */
function readBlock(
  state: StateBlock,
  startLine: number,
  lastLine: number,
  close: Closing,
): { readonly source: string; readonly end: number } | number {
  const lines: string[] = [];
  for (let line = startLine; line < lastLine; line += 1) {
    const text = lineOf(state, line).slice(line === startLine ? 2 : 0);
    if (line > startLine && indentOf(state, line) < 0 && text !== '') return line - 1;
    const end = text.indexOf(close);
    lines.push(end < 0 ? text : text.slice(0, end));
    if (end < 0) continue;
    const source = lines.join('\n').trim();
    return text.slice(end + 2).trim() !== '' || !hasContent(source) ? line : { source, end: line + 1 };
  }
  return startLine;
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
  markdown.normalizeLink = (href) => externalAddress(href) ?? href;
  markdown.validateLink = (href) => externalAddress(href) !== undefined || isImage(href);
  // The parser would decode the address, so that the link would show another address than it opens.
  markdown.normalizeLinkText = addressText;
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  return { parse: (text, shared) => markdown.parse(text, shared) };
}

/** Whether this is the URL of an embedded image. Its bytes are checked when it is drawn. */
function isImage(href: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(href);
}
