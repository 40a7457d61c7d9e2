import type { MarkdownIt, StateBlock } from 'markdown-it';
import { MarkdownFences } from '../../shared/text/markdownFences.ts';
import { indentOf, isIndentedCode, lineOf, startOfLine } from './blockLines.ts';

/** Adds fenced code blocks of Markdown that contain fences of the same length; see {@link MarkdownFences}. */
export function addMarkdownFences(markdown: MarkdownIt): void {
  const rule = new MarkdownFenceRule();
  markdown.block.ruler.before('fence', 'markdownFence', (state, startLine, endLine) =>
    rule.read(state, startLine, endLine),
  );
}

/**
 * The blocks in the lines of a container from `from` up to, but not including, `to`. `ends` has the last line of each
 * block by its first line, both relative to `from`.
 */
interface Found {
  readonly indent: number;
  readonly from: number;
  readonly to: number;
  readonly ends: ReadonlyMap<number, number>;
}

class MarkdownFenceRule {
  readonly #found = new WeakMap<StateBlock, Found>();

  read(state: StateBlock, startLine: number, endLine: number): boolean {
    const start = state.src[startOfLine(state, startLine)];
    if (start !== '`' && start !== '~') return false;
    const [, info] = /^(?:`{3,}|~{3,})([ \t]*(?:markdown|md|mdx)\b.*)$/i.exec(fenceLine(state, startLine)) ?? [];
    if (info === undefined) return false;
    const { from, ends } = this.#foundAt(state, startLine, endLine);
    const end = ends.get(startLine - from);
    if (end === undefined) return false;
    const token = state.push('fence', 'code', 0);
    token.info = info;
    token.content = state.getLines(startLine + 1, from + end, state.sCount[startLine] ?? 0, true);
    state.line = from + end + 1;
    return true;
  }

  /**
   * The blocks in the lines of a container from a fence on. Fences in lines that were already read reuse the result.
   */
  #foundAt(state: StateBlock, startLine: number, endLine: number): Found {
    const known = this.#found.get(state);
    if (known?.indent === state.blkIndent && startLine >= known.from && startLine < known.to) return known;
    const fences = new MarkdownFences();
    let line = startLine;
    while (line < endLine && (state.isEmpty(line) || indentOf(state, line) >= 0)) {
      fences.read(fenceLine(state, line));
      line += 1;
    }
    const found = { indent: state.blkIndent, from: startLine, to: line, ends: fences.ends };
    this.#found.set(state, found);
    return found;
  }
}

/** The text of a line; empty if the line is indented like code, so that it can't be a fence. */
function fenceLine(state: StateBlock, line: number): string {
  return isIndentedCode(state, line) ? '' : lineOf(state, line);
}
