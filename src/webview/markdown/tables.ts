import type { MarkdownIt, StateBlock } from 'markdown-it';
import { type Alignment, readAlignments, readCells } from '../../shared/text/tableRows.ts';
import { indentOf, isIndentedCode, lineOf } from './blockLines.ts';

/** A table ends before the row that would make the total of cells added to its short rows greater than this. */
const maxFilledCells = 65_536;

/**
 * Replaces the rule for tables (GFM) with one that leaves out nothing. GFM ignores cells beyond the header's count.
 * Here, a pipe inside a code span or a formula is text if the row has too many cells, and cells that are still left
 * over are added without a header.
 */
export function addTables(markdown: MarkdownIt): void {
  markdown.block.ruler.at('table', (state, ...lines) => new Table(state).read(...lines), {
    alt: ['paragraph', 'reference'],
  });
}

class Table {
  readonly #state: StateBlock;

  constructor(state: StateBlock) {
    this.#state = state;
  }

  read(startLine: number, endLine: number, isSilent: boolean): boolean {
    const state = this.#state;
    if (startLine + 2 > endLine || !this.#isInside(startLine + 1) || isIndentedCode(this.#state, startLine))
      return false;
    const alignments = isIndentedCode(this.#state, startLine + 1)
      ? undefined
      : readAlignments(lineOf(this.#state, startLine + 1));
    const head = lineOf(this.#state, startLine).trim();
    if (!alignments || !head.includes('|')) return false;
    const cells = readCells(head, alignments.length);
    if (cells.length !== alignments.length) return false;
    if (isSilent) return true;
    const parentType = state.parentType;
    state.parentType = 'table';
    const place: [number, number] = [startLine, 0];
    state.push('table_open', 'table', 1).map = place;
    state.push('thead_open', 'thead', 1).map = [startLine, startLine + 1];
    this.#addRow('th', cells, alignments, startLine);
    state.push('thead_close', 'thead', -1);
    state.line = this.#readBody(startLine + 2, endLine, alignments);
    state.push('table_close', 'table', -1);
    place[1] = state.line;
    state.parentType = parentType;
    return true;
  }

  /** Reads the rows below the head. Returns the line after the table. */
  #readBody(firstLine: number, endLine: number, alignments: readonly Alignment[]): number {
    const terminators = this.#state.md.block.ruler.getRules('blockquote');
    const place: [number, number] = [firstLine, 0];
    let filledCells = 0;
    let line = firstLine;
    for (; line < endLine && this.#isInside(line) && !isIndentedCode(this.#state, line); line += 1) {
      const text = lineOf(this.#state, line).trim();
      if (text === '' || terminators.some((ends) => ends(this.#state, line, endLine, true))) break;
      const cells = readCells(text, alignments.length);
      filledCells += Math.max(0, alignments.length - cells.length);
      if (filledCells > maxFilledCells) break;
      if (line === firstLine) this.#state.push('tbody_open', 'tbody', 1).map = place;
      this.#addRow('td', cells, alignments, line);
    }
    place[1] = line;
    if (line > firstLine) this.#state.push('tbody_close', 'tbody', -1);
    return line;
  }

  #addRow(tag: 'th' | 'td', cells: readonly string[], alignments: readonly Alignment[], line: number): void {
    const state = this.#state;
    state.push('tr_open', 'tr', 1).map = [line, line + 1];
    for (let column = 0; column < Math.max(cells.length, alignments.length); column += 1) {
      const alignment = alignments[column] ?? '';
      const open = state.push(`${tag}_open`, tag, 1);
      if (alignment !== '') open.attrSet('style', `text-align:${alignment}`);
      const inline = state.push('inline', '', 0);
      inline.content = cells[column]?.trim() ?? '';
      inline.children = [];
      state.push(`${tag}_close`, tag, -1);
    }
    state.push('tr_close', 'tr', -1);
  }

  /** Whether a line belongs to the list item or quote of the table. */
  #isInside(line: number): boolean {
    return indentOf(this.#state, line) >= 0;
  }
}
