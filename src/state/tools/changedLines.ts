import { ComparisonBudget, compareLines, splitLines } from './lineDiff.ts';
import type { FileChange, FilePiece } from './toolCall.ts';

interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/**
 * Counts the lines that a change adds and removes, as `diff` does: within each piece, lines that both texts have in the
 * same order aren't counted. A whole file counts as added. For texts that differ too much to be compared in time, every
 * line between the first and the last difference is counted, which is what the call replaces.
 */
export function countChangedLines({ pieces }: FileChange): LineCounts {
  const budget = new ComparisonBudget();
  let added = 0;
  let removed = 0;
  for (const piece of pieces) {
    const counts = countPiece(piece, budget);
    added += counts.added;
    removed += counts.removed;
  }
  return { added, removed };
}

function countPiece({ oldText, newText }: FilePiece, budget: ComparisonBudget): LineCounts {
  if (oldText === '' || newText === '') return { added: countLines(newText), removed: countLines(oldText) };
  const { before, after, distance } = compareLines(splitLines(oldText), splitLines(newText), budget);
  const difference = after.length - before.length;
  if (distance === undefined) return { added: after.length, removed: before.length };
  return { added: (distance + difference) / 2, removed: (distance - difference) / 2 };
}

/** The number of lines of a text. A line break at the end doesn't begin another line. */
function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
