/** One line of a diff. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly line: string;
}

/**
 * The maximum numbers of lines in a piece, without those that are equal at its start and end, and of comparisons in all
 * pieces of a change. Edits are far smaller; `npm run bench:tools` measures the largest ones.
 */
const maxComparedLines = 10_000;
const maxComparisons = 1_000_000;
/** The comparisons that each line adds to the budget, so that the time is proportional to the length of a change. */
const comparisonsPerLine = 200;

/** The comparisons that remain for the pieces of a change. The budget grows with the lines of the pieces. */
export class ComparisonBudget {
  #granted = 0;
  #left = 0;

  /** Adds the comparisons for a piece with this number of lines. */
  grant(lines: number): void {
    const added = Math.min(lines * comparisonsPerLine, maxComparisons - this.#granted);
    this.#granted += added;
    this.#left += added;
  }

  /** Counts comparisons. Returns false if the budget is exhausted. */
  spend(count: number): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }
}

/** The lines between the first and the last difference of two texts. */
interface Comparison {
  /** The number of equal lines at the start. */
  readonly start: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The minimum number of lines to remove and add. Undefined if the texts differ too much to be compared in time. */
  readonly distance: number | undefined;
}

/** The lines of a text. A line break at the end doesn't begin another line. */
function splitLines(text: string): readonly string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/**
 * The lines of two texts to compare. If only one of them has Windows line breaks, these don't count as differences,
 * because agents often write other breaks than they read. They count if nothing else differs.
 */
export function comparedLines(oldText: string, newText: string): readonly [readonly string[], readonly string[]] {
  const [oldLines, newLines] = [unixText(oldText), unixText(newText)];
  const isMixed = (oldLines === oldText) !== (newLines === newText) && oldLines !== newLines;
  return isMixed ? [splitLines(oldLines), splitLines(newLines)] : [splitLines(oldText), splitLines(newText)];
}

function unixText(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

/** Compares the lines of two texts. If `trace` is set, it receives the steps of the search. */
export function compareLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  budget: ComparisonBudget,
  trace?: Int32Array[],
): Comparison {
  const shorter = Math.min(oldLines.length, newLines.length);
  let start = 0;
  while (start < shorter && oldLines[start] === newLines[start]) start += 1;
  let end = 0;
  while (end < shorter - start && oldLines.at(-1 - end) === newLines.at(-1 - end)) end += 1;
  const before = oldLines.slice(start, oldLines.length - end);
  const after = newLines.slice(start, newLines.length - end);
  budget.grant(before.length + after.length);
  const isComparable = before.length + after.length <= maxComparedLines;
  return { start, before, after, distance: isComparable ? editDistance(before, after, budget, trace) : undefined };
}

/**
 * Yields the lines of the shortest diff of two texts. There can be hundreds of thousands of lines. In each change, the
 * removed lines precede the added ones. If the texts differ too much to be compared in time, all lines between the
 * first and the last difference are removed and added.
 */
export function* diffLines(oldText: string, newText: string, budget: ComparisonBudget): Generator<DiffLine, undefined> {
  const [compared, comparedNew] = comparedLines(oldText, newText);
  const oldLines = oldText === '' ? [] : compared;
  const newLines = newText === '' ? [] : comparedNew;
  const trace: Int32Array[] = [];
  const { start, before, after, distance } = compareLines(oldLines, newLines, budget, trace);
  yield* linesOfKind('same', oldLines.slice(0, start));
  if (distance === undefined) {
    yield* linesOfKind('removed', before);
    yield* linesOfKind('added', after);
  } else yield* sortChanges(editsOf(before, after, trace, distance));
  yield* linesOfKind('same', oldLines.slice(start + before.length));
}

function* linesOfKind(kind: DiffLine['kind'], lines: readonly string[]): Generator<DiffLine, undefined> {
  for (const line of lines) yield { kind, line };
}

/** Moves the removed lines of each change before its added ones. */
function sortChanges(lines: readonly DiffLine[]): DiffLine[] {
  const sorted: DiffLine[] = [];
  const added: DiffLine[] = [];
  for (const line of lines) {
    if (line.kind === 'added') added.push(line);
    else {
      if (line.kind === 'same') for (const before of added.splice(0)) sorted.push(before);
      sorted.push(line);
    }
  }
  return [...sorted, ...added];
}

/**
 * The minimum number of lines to remove and add (Myers, "An O(ND) Difference Algorithm and Its Variations"). Undefined
 * if the budget is exhausted. `trace` receives the farthest lines on the diagonals from `-distance - 1` to
 * `distance + 1` before each distance is tried.
 */
function editDistance(
  oldLines: readonly string[],
  newLines: readonly string[],
  budget: ComparisonBudget,
  trace: Int32Array[] | undefined,
): number | undefined {
  const numbers = new Map<string, number>();
  const before = numbered(oldLines, numbers);
  const after = numbered(newLines, numbers);
  const most = before.length + after.length;
  /** The farthest line of `before` that is reached on each diagonal; diagonal 0 is at the index `most + 1`. */
  const farthest = new Int32Array(2 * most + 3);
  for (let distance = 0; distance <= most; distance += 1) {
    trace?.push(farthest.slice(most - distance, most + distance + 3));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const at = most + 1 + diagonal;
      let old = startOf(farthest, at, diagonal, distance);
      const from = old;
      while (old < before.length && old - diagonal < after.length && before[old] === after[old - diagonal]) old += 1;
      farthest[at] = old;
      if (old >= before.length && old - diagonal >= after.length) return distance;
      if (!budget.spend(old - from + 1)) return undefined;
    }
  }
  return most;
}

/** The line of the old text on a diagonal after one more line is added (from the right) or removed (from the left). */
function startOf(farthest: Int32Array, at: number, diagonal: number, distance: number): number {
  const left = farthest[at - 1] ?? 0;
  const right = farthest[at + 1] ?? 0;
  return isAddition(left, right, diagonal, distance) ? right : left + 1;
}

function isAddition(left: number, right: number, diagonal: number, distance: number): boolean {
  return diagonal === -distance || (diagonal !== distance && left < right);
}

/** Follows the trace of a search from the last lines back to the first ones. */
function editsOf(
  before: readonly string[],
  after: readonly string[],
  trace: readonly Int32Array[],
  distance: number,
): readonly DiffLine[] {
  const reversed: DiffLine[] = [];
  let old = before.length;
  let next = after.length;
  for (let step = distance; step >= 0; step -= 1) {
    const farthest = trace[step] ?? new Int32Array();
    const diagonal = old - next;
    const at = diagonal + step + 1;
    const isAdded = isAddition(farthest[at - 1] ?? 0, farthest[at + 1] ?? 0, diagonal, step);
    const from = step === 0 ? 0 : startOf(farthest, at, diagonal, step);
    while (old > from) reversed.push({ kind: 'same', line: before[(old -= 1)] ?? '' });
    next = old - diagonal;
    if (step === 0) break;
    if (isAdded) reversed.push({ kind: 'added', line: after[(next -= 1)] ?? '' });
    else reversed.push({ kind: 'removed', line: before[(old -= 1)] ?? '' });
  }
  return reversed.reverse();
}

/** Equal lines as equal numbers, which are faster to compare. */
function numbered(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  const result = new Int32Array(lines.length);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    let number = numbers.get(line);
    if (number === undefined) numbers.set(line, (number = numbers.size));
    result[at] = number;
  }
  return result;
}
