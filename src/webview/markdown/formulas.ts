import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { type Closing, FormulaFinder } from '../../shared/text/formulaFinder.ts';
import { indentOf, isIndentedCode, lineOf, startOfLine } from './blockLines.ts';
import { isPrompt } from './sharedText.ts';

/** Maximum number of lines of a formula. */
const maxLines = 200;

/**
 * Adds formulas in the syntax of VS Code's chat, `$...$` and `$$...$$`, and in that of LaTeX, `\(...\)` and `\[...\]`.
 * What doesn't look like mathematics stays text; docs/content.md has the rule.
 */
export function addFormulas(markdown: MarkdownIt): void {
  const rules = new FormulaRules();
  markdown.inline.ruler.before('escape', 'formula', (state, isSilent) => rules.inline(state, isSilent));
  markdown.block.ruler.before('fence', 'formula', (...parameters) => rules.block(...parameters), {
    alt: ['paragraph', 'reference', 'blockquote'],
  });
}

/** In a container of this indentation, no formula block begins on this line or before it. */
interface Endless {
  readonly line: number;
  readonly indent: number;
}

class FormulaRules {
  readonly #finders = new WeakMap<StateInline | StateBlock, FormulaFinder>();
  /** Where no formula block begins, by closing delimiter. Remembered, so that no part of a text is searched twice. */
  readonly #endless = new WeakMap<StateBlock, Map<Closing, Endless>>();

  inline(state: StateInline, isSilent: boolean): boolean {
    if (state.src[state.pos] !== '$' && state.src[state.pos] !== '\\') return false;
    const found = this.#finderOf(state).at(state.pos, state.posMax);
    if (!found) return false;
    if (!isSilent) addFormula(state, found.source, found.isBlock, state.src.slice(state.pos, found.end));
    state.pos = found.end;
    return true;
  }

  /** Parses a formula block: its opening delimiter starts a line and its closing delimiter ends a line. */
  block(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
    const start = startOfLine(state, startLine);
    const sign = state.src[start];
    if (sign !== '$' && sign !== '\\') return false;
    const first = lineOf(state, startLine);
    const close = first.startsWith('$$') ? '$$' : first.startsWith('\\[') ? '\\]' : undefined;
    if (close === undefined || isIndentedCode(state, startLine)) return false;
    const finder = this.#finderOf(state);
    const lastLine = Math.min(endLine, startLine + maxLines);
    if (finder.next(close, start + 2) >= (state.eMarks[lastLine - 1] ?? 0)) return false;
    const endless = this.#endless.get(state)?.get(close);
    if (endless && startLine <= endless.line && endless.indent === state.blkIndent) return false;
    const block = readBlock(state, startLine, lastLine, close);
    if (typeof block === 'number' || !finder.isBlock(block.between, close)) {
      const all = this.#endless.get(state) ?? new Map<Closing, Endless>();
      // The line that would end this block can begin another one.
      all.set(close, { line: typeof block === 'number' ? block : block.end - 2, indent: state.blkIndent });
      this.#endless.set(state, all);
      return false;
    }
    if (isSilent) return true;
    addFormula(state, block.between.trim(), true, block.raw);
    state.line = block.end;
    return true;
  }

  #finderOf(state: StateInline | StateBlock): FormulaFinder {
    let finder = this.#finders.get(state);
    if (!finder) {
      finder = new FormulaFinder(state.src, isPrompt(state.env));
      this.#finders.set(state, finder);
    }
    return finder;
  }
}

/** Adds the token of a formula. Its `info` is the formula as it was written, with the delimiters. */
function addFormula(state: StateInline | StateBlock, source: string, isBlock: boolean, raw: string): Token {
  const token = state.push('formula', 'math', 0);
  token.content = source;
  token.markup = isBlock ? '$$' : '$';
  token.info = raw;
  return token;
}

interface Block {
  readonly between: string;
  readonly raw: string;
  readonly end: number;
}

/**
 * Reads a formula block. If there is none, returns the number of a line: no formula block begins on the lines from
 * `startLine` to that line.
 */
function readBlock(state: StateBlock, startLine: number, lastLine: number, close: Closing): Block | number {
  const lines: string[] = [];
  for (let line = startLine; line < lastLine; line += 1) {
    const text = lineOf(state, line).trimEnd();
    if (line > startLine && indentOf(state, line) < 0 && text !== '') return line - 1;
    const from = line === startLine ? 2 : 0;
    const end = text.indexOf(close, from);
    lines.push(end < 0 ? text : text.slice(0, end));
    if (end < 0) continue;
    const raw = lines.join('\n');
    if (text.slice(end + 2).trim() !== '') return line;
    return { between: raw.slice(2), raw: raw + close, end: line + 1 };
  }
  return startLine;
}
