import type { LineList } from '../../shared/text/lines.ts';
import { readAlignments, readCells, withoutExtraCells } from '../../shared/text/tableRows.ts';
import { containers } from './codeBlocks.ts';

const listMarker = /[-+*.)]/;
const heading = /^#{1,6}(?:[ \t]|$)/;
/** Lines with more characters stay as they are. */
const longestRow = 2_000;

/** Finds the rows of tables in the lines of a text, outside of code blocks. */
export class DocumentTables {
  readonly #lines: LineList;
  /** The number of columns of the table that the next line can continue; 0 if there is none. */
  #columns = 0;
  #quotes = '';

  constructor(lines: LineList) {
    this.#lines = lines;
  }

  /** Ends the table, for example before a code block. */
  end(): void {
    this.#columns = 0;
  }

  /**
   * Returns a line; in a row with more cells than the table has columns, the pipes of the extra cells are escaped. Must
   * be called for each line outside of code, in order.
   */
  read(index: number): string {
    const line = this.#lines.get(index);
    const { before, rest } = split(line);
    if (this.#columns > 0 && !this.#isRow(before, rest)) this.#columns = 0;
    if (this.#columns === 0) this.#readHead(index, before, rest);
    return this.#columns === 0 || line.length > longestRow ? line : before + withoutExtraCells(rest, this.#columns);
  }

  #isRow(before: string, rest: string): boolean {
    return rest.trim() !== '' && !heading.test(rest) && !listMarker.test(before) && quotesIn(before) === this.#quotes;
  }

  #readHead(index: number, before: string, rest: string): void {
    if (!rest.includes('|') || rest.length > longestRow) return;
    const below = split(this.#lines.get(index + 1));
    const count = quotesIn(below.before) === quotesIn(before) ? (readAlignments(below.rest.trim())?.length ?? 0) : 0;
    if (count === 0 || readCells(rest.trim(), count).length !== count) return;
    this.#columns = count;
    this.#quotes = quotesIn(before);
  }
}

function split(line: string): { readonly before: string; readonly rest: string } {
  const [before = ''] = containers.exec(line.slice(0, longestRow)) ?? [];
  return { before, rest: line.slice(before.length) };
}

function quotesIn(before: string): string {
  return before.replace(/[^>]/g, '');
}
