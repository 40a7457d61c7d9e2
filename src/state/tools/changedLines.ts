import type { FileChange, FilePiece } from './toolCall.ts';

interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/**
 * The maximum numbers of lines in a piece, without those that are equal at its start and end, and of comparisons in all
 * pieces of a change. Edits are far smaller; `npm run bench:tools` measures the largest ones.
 */
const maxComparedLines = 10_000;
const maxComparisons = 1_000_000;

/**
 * Counts the lines that a change adds and removes, as `diff` does: within each piece, lines that both texts have in the
 * same order aren't counted. A whole file counts as added. For texts that differ too much to be compared in time, every
 * line between the first and the last difference is counted, which is what the call replaces.
 */
export function countChangedLines({ pieces }: FileChange): LineCounts {
  const budget = { left: maxComparisons };
  let added = 0;
  let removed = 0;
  for (const piece of pieces) {
    const counts = countPiece(piece, budget);
    added += counts.added;
    removed += counts.removed;
  }
  return { added, removed };
}

interface Budget {
  left: number;
}

function countPiece({ oldText, newText }: FilePiece, budget: Budget): LineCounts {
  if (oldText === '' || newText === '') return { added: countLines(newText), removed: countLines(oldText) };
  const [oldLines, newLines] = differingLines(linesOf(oldText), linesOf(newText));
  const isComparable = oldLines.length + newLines.length <= maxComparedLines;
  const distance = isComparable ? editDistance(oldLines, newLines, budget) : undefined;
  const difference = newLines.length - oldLines.length;
  if (distance === undefined) return { added: newLines.length, removed: oldLines.length };
  return { added: (distance + difference) / 2, removed: (distance - difference) / 2 };
}

/** The number of lines of a text. A line break at the end doesn't begin another line. */
function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function linesOf(text: string): readonly string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** The lines between the first and the last difference. */
function differingLines(
  oldLines: readonly string[],
  newLines: readonly string[],
): [readonly string[], readonly string[]] {
  const shorter = Math.min(oldLines.length, newLines.length);
  let start = 0;
  while (start < shorter && oldLines[start] === newLines[start]) start += 1;
  let end = 0;
  while (end < shorter - start && oldLines.at(-1 - end) === newLines.at(-1 - end)) end += 1;
  return [oldLines.slice(start, oldLines.length - end), newLines.slice(start, newLines.length - end)];
}

/**
 * The minimum number of lines to remove and add (Myers, "An O(ND) Difference Algorithm and Its Variations"). Undefined
 * if the budget is exhausted.
 */
function editDistance(oldLines: readonly string[], newLines: readonly string[], budget: Budget): number | undefined {
  const numbers = new Map<string, number>();
  const before = numbered(oldLines, numbers);
  const after = numbered(newLines, numbers);
  const most = before.length + after.length;
  /** The farthest line of `before` that is reached on each diagonal; diagonal 0 is at the index `most + 1`. */
  const farthest = new Int32Array(2 * most + 3);
  for (let distance = 0; distance <= most; distance += 1) {
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const at = most + 1 + diagonal;
      const left = farthest[at - 1] ?? 0;
      const right = farthest[at + 1] ?? 0;
      let old = diagonal === -distance || (diagonal !== distance && left < right) ? right : left + 1;
      const from = old;
      while (old < before.length && old - diagonal < after.length && before[old] === after[old - diagonal]) old += 1;
      farthest[at] = old;
      if (old >= before.length && old - diagonal >= after.length) return distance;
      budget.left -= old - from + 1;
      if (budget.left < 0) return undefined;
    }
  }
  return most;
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
