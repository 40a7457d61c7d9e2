import type { PausableWork } from '../../shared/slices.ts';
import type { FileChange, FilePiece } from '../tools/toolCall.ts';
import { maxTextLength, type TextSearch, TooLargeError, unixLines, unixText } from './textSearch.ts';

/** A piece of a file after all changes of the agent. Line breaks are `\n`. */
export interface RemainingPiece {
  /** What the piece replaced; empty for a whole file or inserted text. */
  readonly oldText: string;
  readonly newText: string;
  /** Whether this is the whole file. */
  readonly isWhole: boolean;
}

/** Maximum number of pieces that are compared with each other. */
const maxPieces = 300;

/**
 * What remains of the pieces that an agent wrote, in order: a later change is applied to the earlier pieces that
 * contain its old text. Earlier pieces that its old text contains are dropped, and lines that its old text shares with
 * the start or end of another piece are removed from that piece. Empty after the file was deleted. Undefined if the
 * calls don't contain text, if it is binary or too long, or if there are too many pieces. Has pauses.
 * @throws TooLargeError if the pieces grow too long while they are replaced, or if it takes too many comparisons.
 */
export function* remainingPieces(
  changes: readonly FileChange[],
  search: TextSearch,
): PausableWork<readonly RemainingPiece[] | undefined> {
  const all = changes.flatMap(({ pieces }) => pieces);
  const length = all.reduce((sum, { oldText, newText }) => sum + oldText.length + newText.length, 0);
  if (length > maxTextLength || all.some(({ oldText, newText }) => oldText.includes('\0') || newText.includes('\0'))) {
    return undefined;
  }
  let remaining: readonly RemainingPiece[] = [];
  let hasText = false;
  for (const change of changes) {
    for (const [index, piece] of change.pieces.entries()) {
      const isWhole = change.isWhole || (change.change === 'created' && index === 0);
      remaining = isWhole ? [yield* wholePiece(piece)] : yield* withPiece(remaining, piece, search);
      if (remaining.length > maxPieces) return undefined;
      hasText = true;
      yield;
    }
    if (change.change === 'deleted') {
      remaining = [];
      hasText = true;
    }
  }
  return hasText ? remaining : undefined;
}

function* wholePiece({ newText }: FilePiece): PausableWork<RemainingPiece> {
  return { oldText: '', newText: yield* unixText(newText), isWhole: true };
}

/** The remaining pieces after another piece has replaced a part of the file. */
function* withPiece(
  earlier: readonly RemainingPiece[],
  piece: FilePiece,
  search: TextSearch,
): PausableWork<readonly RemainingPiece[]> {
  const oldText = yield* unixText(piece.oldText);
  const newText = yield* unixText(piece.newText);
  const own = { oldText, newText, isWhole: false };
  if (oldText.trim() === '') return [...earlier, own];
  const oldLines = yield* unixLines(oldText);
  const kept: RemainingPiece[] = [];
  let isApplied = false;
  let length = 0;
  for (const one of earlier) {
    yield;
    const applied = yield* search.replaced(one.newText, { ...ownPiece(piece, one), oldText, newText });
    if (applied !== undefined) {
      kept.push({ ...one, newText: applied });
      isApplied = true;
    } else if (one.isWhole || one.newText.trim() === '') {
      // A piece without new text is a deletion, which isn't a part of what a later change replaces.
      kept.push(one);
    } else if (!(yield* search.includes(oldText, one.newText.trim()))) {
      search.spend(one.newText.length);
      kept.push({ ...one, newText: yield* withoutOverlap(one.newText, oldLines) });
    }
    length += (applied ?? one.newText).length;
    if (length > maxTextLength) throw new TooLargeError();
  }
  // A call that replaces several occurrences of a text may also replace some outside the earlier pieces, unless one of
  // these is the whole file.
  const isOnlyThere = isApplied && (piece.occurrences === undefined || kept.some(({ isWhole }) => isWhole));
  return isOnlyThere ? kept : [...kept, own];
}

/**
 * A piece as it is applied to an earlier one. The number of occurrences that a call states is that of the whole file.
 * An earlier piece that is only a part of the file can contain fewer, so `occurrences` becomes `all`: each occurrence
 * in the earlier piece is replaced, and their number isn't checked.
 */
function ownPiece(piece: FilePiece, { isWhole }: RemainingPiece): FilePiece {
  return isWhole || typeof piece.occurrences !== 'number' ? piece : { ...piece, occurrences: 'all' };
}

/** A text without the lines at its start and end that a later piece replaces too. Has pauses. */
function* withoutOverlap(text: string, replacedLines: readonly string[]): PausableWork<string> {
  const lines = yield* unixLines(text);
  const end = yield* overlap(lines, replacedLines);
  const start = yield* overlap(replacedLines, lines);
  return start + end === 0 ? text : lines.slice(start, Math.max(start, lines.length - end)).join('\n');
}

/** Lines are compared in groups of this size between pauses. */
const linesPerStep = 5_000;

/** The number of lines at the end of the first text that are also the start of the second one. Has pauses. */
function* overlap(first: readonly string[], second: readonly string[]): PausableWork<number> {
  const tail = first.slice(-second.length);
  // The common part can't have more lines than the first text.
  const start = second.slice(0, tail.length);
  // For each line, the number of lines up to it that repeat the start of the text (Knuth, Morris, and Pratt).
  const repeated = [0];
  let length = 0;
  for (let at = 1; at < start.length; at += 1) {
    if (at % linesPerStep === 0) yield;
    while (length > 0 && start[at] !== start[length]) length = repeated[length - 1] ?? 0;
    if (start[at] === start[length]) length += 1;
    repeated.push(length);
  }
  let matched = 0;
  for (const [at, line] of tail.entries()) {
    if (at % linesPerStep === 0) yield;
    while (matched > 0 && (matched === start.length || line !== start[matched])) matched = repeated[matched - 1] ?? 0;
    if (line === start[matched]) matched += 1;
  }
  return matched;
}
