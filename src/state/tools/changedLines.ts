import { comparedLines, compareLines, ComparisonBudget } from './lineDiff.ts';
import type { FileChange, FilePiece } from './toolCall.ts';

/** The maximum total length, in UTF-16 code units, of the texts of a change that are compared. */
export const maxComparedLength = 500_000;

interface LineCounts {
  readonly added: number;
  readonly removed: number;
  /** Whether some pieces replace every occurrence of their text. Their lines aren't counted. */
  readonly isEverywhere?: true;
}

/**
 * Counts the lines that a change adds and removes, as `diff` does: within each piece, lines that both texts have in the
 * same order aren't counted. A whole file counts as added. If texts differ too much to be compared in time, every line
 * from the first to the last difference counts as removed or added. If all texts together have more than 500,000
 * characters, they aren't compared, and every line counts as added or removed. A piece that replaces a known number of
 * occurrences counts that many times. One that replaces every occurrence isn't counted, because the call doesn't say
 * how many there are.
 */
export function countChangedLines({ pieces }: FileChange): LineCounts {
  const budget = textsLength(pieces) <= maxComparedLength ? new ComparisonBudget() : undefined;
  let added = 0;
  let removed = 0;
  for (const piece of pieces) {
    const { occurrences = 1 } = piece;
    if (occurrences === 'all') continue;
    const counts = countPiece(piece, budget);
    added += counts.added * occurrences;
    removed += counts.removed * occurrences;
  }
  return pieces.some(({ occurrences }) => occurrences === 'all')
    ? { added, removed, isEverywhere: true }
    : { added, removed };
}

/** The length of the texts of pieces, in UTF-16 code units. */
export function textsLength(pieces: readonly FilePiece[]): number {
  return pieces.reduce((sum, { oldText, newText }) => sum + oldText.length + newText.length, 0);
}

function countPiece(
  { oldText, newText }: FilePiece,
  budget: ComparisonBudget | undefined,
): Pick<LineCounts, 'added' | 'removed'> {
  if (!budget || oldText === '' || newText === '') return { added: countLines(newText), removed: countLines(oldText) };
  const { before, after, distance } = compareLines(...comparedLines(oldText, newText), budget);
  const difference = after.length - before.length;
  if (distance === undefined) return { added: after.length, removed: before.length };
  return { added: (distance + difference) / 2, removed: (distance - difference) / 2 };
}

/** The number of lines of a text. A line break at the end doesn't begin another line. */
function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count += 1;
    // A search for each blank line would take much longer.
    for (; text.charCodeAt(at + 1) === 0x0a; at += 1) count += 1;
  }
  return count;
}
