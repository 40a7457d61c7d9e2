import { type Columns, type Figure, markdownTable, median, shown } from '../tables/figures.ts';
import { mannWhitneyP, smallestP } from './mannWhitney.ts';

/** The measurements of one version. */
export interface MeasuredVersion<Measured> {
  readonly title: string;
  readonly columns: Columns<Measured>;
}

/** A difference is significant if its p-value is smaller than this. */
const significantP = 0.05;

/**
 * Markdown tables that compare two versions, one table for each column: the medians of each figure, their ratio, and
 * the p-value. Only a significant difference is called slower, faster, more, or less. Empty if there is only one
 * version.
 */
export function comparisonOf<Measured>(
  figures: readonly Figure<Measured>[],
  [now, against]: readonly MeasuredVersion<Measured>[],
): string[] {
  if (!now || !against) return [];
  const head = ['', now.title, against.title, 'ratio', 'p', `${now.title} is`];
  const tables = [...now.columns].map(([title, measured]) => {
    const before = against.columns.get(title) ?? [];
    const rows = figures.flatMap((figure) => rowOf(figure, measured.map(figure.of), before.map(figure.of)));
    const table = markdownTable(head, rows);
    return [`**${title}**`, ...noteOf(measured.length, before.length), table].join('\n\n');
  });
  return [tables.join('\n\n')];
}

/** The row of a figure; none if a version doesn't have it. */
function rowOf<Measured>(figure: Figure<Measured>, now: readonly number[], against: readonly number[]): string[][] {
  const [one, other] = [now.filter(Number.isFinite), against.filter(Number.isFinite)];
  if (one.length === 0 || other.length === 0) return [];
  const [middle, before] = [median(one), median(other)];
  const p = mannWhitneyP(one, other);
  const cells = [shown(middle, figure.digits), shown(before, figure.digits), shown(middle / before, 2)];
  return [[figure.name, ...cells, p < 0.001 ? '< 0.001' : p.toFixed(3), verdictOf(figure, p, one, other)]];
}

/** Says which sample is larger if the difference is significant. Compares ranks, because medians can be equal. */
function verdictOf(
  { isTime }: Pick<Figure<never>, 'isTime'>,
  p: number,
  one: readonly number[],
  other: readonly number[],
): string {
  if (p >= significantP) return 'no difference shown';
  const isMore = one.flatMap((value) => other.map((before) => Math.sign(value - before))).reduce((a, b) => a + b) > 0;
  if (isTime) return isMore ? '**slower**' : '**faster**';
  return isMore ? '**more**' : '**less**';
}

function noteOf(oneSize: number, otherSize: number): string[] {
  const p = smallestP(oneSize, otherSize);
  return p < significantP ? [] : [`With so few runs, nothing can be shown: the smallest possible p is ${shown(p, 2)}.`];
}
