import { codeSpans, type Span } from './codeSpans.ts';
import { FormulaFinder } from './formulaFinder.ts';

/** The alignment of a column, empty if it has none. */
export type Alignment = '' | 'left' | 'center' | 'right';

/** Reads the delimiter row of a table, which is the line below its head. Undefined if the line isn't one. */
export function readAlignments(line: string): readonly Alignment[] | undefined {
  // A line that begins with `- ` is a list item.
  if (!/^[|:-][|:\s-]/.test(line) || /^-\s/.test(line)) return undefined;
  const columns = line.split('|').map((column) => column.trim());
  if (columns[0] === '') columns.shift();
  if (columns.at(-1) === '') columns.pop();
  if (columns.length === 0 || !columns.every((column) => /^:?-+:?$/.test(column))) return undefined;
  return columns.map((column) => {
    if (column.endsWith(':')) return column.startsWith(':') ? 'center' : 'right';
    return column.startsWith(':') ? 'left' : '';
  });
}

/**
 * The cells of a row that should have `count` of them, with escaped pipes as pipes. The row must not begin or end with
 * spaces. If there are more cells, as many pipes as there are extra cells count as text: first those in code spans, and
 * then those in formulas.
 */
export function readCells(row: string, count: number): readonly string[] {
  const pipes = unescapedPipes(row);
  const plain = split(row, pipes);
  return plain.length <= count ? plain : split(row, withoutPipesInText(row, pipes, plain.length - count));
}

/**
 * Escapes the pipes that give a row more than `count` cells: first those in code spans and formulas, as
 * {@link readCells} reads them, and then those that would begin further cells, which Markdown previews leave out.
 */
export function withoutExtraCells(row: string, count: number): string {
  const pipes = unescapedPipes(row);
  const extra = split(row.trim(), unescapedPipes(row.trim())).length - count;
  if (extra <= 0) return row;
  const separators = withoutPipesInText(row, pipes, extra);
  const first = row.length - row.trimStart().length;
  const last = row.trimEnd().length - 1;
  const inner = separators.filter((pipe) => pipe !== first && pipe !== last);
  const kept = new Set(separators);
  for (const pipe of inner.slice(count - 1)) kept.delete(pipe);
  return row.replace(/\|/g, (sign, at: number) => (kept.has(at) || row[at - 1] === '\\' ? sign : `\\${sign}`));
}

/** Splits a row at pipes. The row can begin and end with one. */
function split(row: string, pipes: readonly number[]): string[] {
  const cells = [...pipes, row.length].map((pipe, place) => row.slice((pipes[place - 1] ?? -1) + 1, pipe));
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.map((cell) => cell.replaceAll('\\|', '|'));
}

/**
 * The pipes of a row without the first `count` that are in code spans or, if code spans contain fewer, also in
 * formulas.
 */
function withoutPipesInText(row: string, pipes: readonly number[], count: number): readonly number[] {
  const codes = codeSpans(row);
  const outsideCode = withoutPipesIn(codes, pipes, count);
  const left = count - (pipes.length - outsideCode.length);
  return left === 0 ? outsideCode : withoutPipesIn(formulaSpans(row, codes), outsideCode, left);
}

function withoutPipesIn(spans: readonly Span[], pipes: readonly number[], count: number): readonly number[] {
  let span = 0;
  let left = count;
  return pipes.filter((pipe) => {
    while (span < spans.length && (spans[span]?.end ?? 0) <= pipe) span += 1;
    const isInside = (spans[span]?.start ?? Infinity) < pipe;
    if (!isInside || left === 0) return true;
    left -= 1;
    return false;
  });
}

/** The formulas of a row that aren't in its code spans. */
function formulaSpans(row: string, codes: readonly Span[]): readonly Span[] {
  const finder = new FormulaFinder(row, false);
  let code = 0;
  const spans: Span[] = [];
  let from = 0;
  for (const { 0: sign, index } of row.matchAll(/\\[^]?|\$\$?/g)) {
    while ((codes[code]?.end ?? Infinity) <= index) code += 1;
    if (index < from || (codes[code]?.start ?? Infinity) < index) continue;
    const end = /^\\[^([]/.test(sign) ? undefined : finder.at(index, row.length)?.end;
    if (end === undefined) continue;
    spans.push({ start: index, end });
    from = end;
  }
  return spans;
}

function unescapedPipes(row: string): readonly number[] {
  return [...row.matchAll(/\\?\|/g)].flatMap(({ 0: sign, index }) => (sign === '|' ? [index] : []));
}
