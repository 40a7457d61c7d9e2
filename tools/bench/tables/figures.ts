/** The time between two frames of a 60 Hz screen, in ms. */
export const frameMs = 1000 / 60;

/** Something that a benchmark measures: a row of its table. */
export interface Figure<Measured> {
  readonly name: string;
  readonly of: (measured: Measured) => number;
  readonly digits: number;
  /** Whether a larger value is called slower instead of more. */
  readonly isTime?: true;
}

/** The measurements of all runs, by the titles of columns. */
export type Columns<Measured> = ReadonlyMap<string, readonly Measured[]>;

/** A Markdown table with the medians of all figures, followed by other rows. */
export function figureTable<Measured>(
  figures: readonly Figure<Measured>[],
  columns: Columns<Measured>,
  otherRows: readonly (readonly string[])[] = [],
): string {
  const rows = figures.map(({ name, of, digits }) => [
    name,
    ...[...columns.values()].map((measured) => shown(median(measured.map(of)), digits)),
  ]);
  return markdownTable(['', ...columns.keys()], [...rows, ...otherRows]);
}

/** A number with this number of decimal places; a dash if it isn't finite. */
export function shown(value: number, digits: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The median; for an even number of values, the mean of the two middle values; NaN without values. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The percentile for `share` (0 to 1), interpolated between the two nearest values; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = sorted[Math.ceil(place)] ?? NaN;
  return low + (high - low) * (place - Math.floor(place));
}

/** A Markdown table with a left-aligned first column and right-aligned other columns. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? `:${'-'.repeat(width + 1)}` : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
