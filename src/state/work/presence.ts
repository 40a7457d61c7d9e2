import { Pace, type PausableWork } from '../../shared/slices.ts';
import type { FileChange } from '../tools/toolCall.ts';
import { type RemainingPiece, remainingPieces } from './remainingPieces.ts';
import { isTellingLine, isTellingText, Passages } from './tellingLines.ts';
import { TextSearch, TooLargeError, unixLines, unixText } from './textSearch.ts';

/**
 * How much of the agent's changes to a file is in the workspace. `present`: the new text of each piece; `partial`: some
 * of it; `absent`: none of it; `missing`: there is no such file. A comparison of text, not of commits.
 */
export type Presence = 'present' | 'partial' | 'absent' | 'missing';

/**
 * What is known about the changed files of a session, by their paths. Files about which nothing is known are left out.
 */
export type Presences = ReadonlyMap<string, Presence>;

/** What is known about the changed files of a session, and the number of those whose changes are confirmed. */
export interface SessionPresence {
  readonly presences: Presences;
  readonly confirmedCount: number;
}

/** The value for a session about which nothing is known. */
export const unknownPresence: SessionPresence = { presences: new Map(), confirmedCount: 0 };

const byteOrderMark = '\uFEFF';

/**
 * Compares the changes to a file, in their order, with the text of the workspace file, which is undefined if there is
 * no such file. The new text of a piece counts wherever it is in the file; a file that was written as a whole is
 * present only if it is equal. A deleted file is present if there is no file, and a file that was only renamed is
 * present if there is one. Otherwise undefined if the calls don't contain text, if it is binary or too large to
 * compare, or if what is there is too short to tell anything. Has pauses.
 */
export function* comparePresence(
  changes: readonly FileChange[],
  text: string | undefined,
): PausableWork<Presence | undefined> {
  const isDeleted = changes.at(-1)?.change === 'deleted';
  if (text === undefined) return isDeleted ? 'present' : 'missing';
  if (isDeleted) return 'absent';
  return yield* unlessTooLarge(comparedTexts(changes, text));
}

/** The result of work; undefined if the texts are too large to compare. */
function* unlessTooLarge<T>(work: PausableWork<T | undefined>): PausableWork<T | undefined> {
  try {
    return yield* work;
  } catch (error) {
    if (error instanceof TooLargeError) return undefined;
    throw error;
  }
}

function* comparedTexts(changes: readonly FileChange[], text: string): PausableWork<Presence | undefined> {
  const search = new TextSearch();
  const pieces = yield* remainingPieces(changes, search);
  if (!pieces) return changes.some(({ change }) => change === 'renamed') && hasNoText(changes) ? 'present' : undefined;
  const here = new WorkspaceText(yield* workspaceText(text), search);
  const matches: Match[] = [];
  for (const piece of pieces) {
    matches.push(yield* here.match(piece, pieces));
    yield;
  }
  if (matches.every((match) => match === 'present')) return 'present';
  if (matches.includes('present') || matches.includes('partial')) return 'partial';
  for (const [index, piece] of pieces.entries()) {
    if (matches[index] === 'unclear' && (yield* here.hasAddedLines(piece))) return 'partial';
  }
  return matches.includes('unknown') ? undefined : 'absent';
}

function hasNoText(changes: readonly FileChange[]): boolean {
  return changes.every(({ pieces }) => pieces.length === 0);
}

/**
 * `partial`: the file contains the whole text that the agent wrote, and more. `unclear`: the new text isn't there, and
 * neither is the old one, or the old one is also a part of the new one. `unknown`: the new text is there, but it is so
 * short that it can be there by accident.
 */
type Match = 'present' | 'partial' | 'absent' | 'unclear' | 'unknown';

/** The text of a workspace file as it is compared: without a byte order mark, and with `\n` as line breaks. */
function workspaceText(text: string): PausableWork<string> {
  return unixText(text.startsWith(byteOrderMark) ? text.slice(1) : text);
}

/** Compares pieces with the text of a workspace file. Every method has pauses, and can throw {@link TooLargeError}. */
class WorkspaceText {
  readonly #text: string;
  readonly #search: TextSearch;
  #lines: ReadonlySet<string> | undefined;
  #passages: Passages | undefined;

  constructor(text: string, search: TextSearch) {
    this.#text = text;
    this.#search = search;
  }

  includes(text: string): PausableWork<boolean> {
    return this.#search.includes(this.#text, text);
  }

  *match(piece: RemainingPiece, all: readonly RemainingPiece[]): PausableWork<Match> {
    const { oldText, newText, isWhole } = piece;
    if (isWhole) return yield* this.#matchWhole(newText);
    const isThere = yield* this.includes(trimmedEnd(newText));
    if (oldText.trim() === '') return isThere ? (isTellingText(newText) ? 'present' : 'unknown') : 'unclear';
    const isReplaced = !(yield* this.includes(oldText));
    if (isThere && isReplaced) return 'present';
    const isInNew = yield* this.#search.includes(newText, oldText);
    if (!isThere) return isReplaced || isInNew ? 'unclear' : 'absent';
    if (isTellingText(newText) && !(yield* this.#search.includes(oldText, newText))) return 'present';
    // The old text can be there because it is a part of what the agent wrote, or because the agent moved it.
    if (yield* this.#isOnlyIn(oldText, all)) return 'present';
    return isInNew ? 'unknown' : 'absent';
  }

  *#matchWhole(newText: string): PausableWork<Match> {
    const own = trimmedEnd(newText);
    if (own === trimmedEnd(this.#text)) return 'present';
    if (own.trim() === '') return 'absent';
    if (!(yield* this.includes(own))) return 'unclear';
    return isTellingText(own) ? 'partial' : 'unknown';
  }

  /** Whether a text is in the new texts of pieces, and in the file no more often than there. */
  *#isOnlyIn(text: string, pieces: readonly RemainingPiece[]): PausableWork<boolean> {
    let writtenCount = 0;
    for (const { newText } of pieces) writtenCount += yield* this.#search.count(newText, text);
    return writtenCount > 0 && (yield* this.#search.count(this.#text, text)) <= writtenCount;
  }

  /** Whether lines that a piece added are there. Lines that are too short to tell anything don't count. */
  *hasAddedLines({ oldText, newText }: RemainingPiece): PausableWork<boolean> {
    // The set contains all lines. Filtering isn't needed, because only telling lines are looked up in it.
    this.#lines ??= yield* linesOf(this.#text, () => true);
    this.#search.spend(oldText.length + newText.length);
    const old = yield* linesOf(oldText, isTellingLine);
    const added = [...(yield* linesOf(newText, isTellingLine))].filter((line) => !old.has(line));
    const found = added.filter((line) => this.#lines?.has(line) === true);
    // If the old text is there too, a few lines can be there by accident.
    const isOld = oldText.trim() !== '' && (yield* this.includes(oldText));
    return found.length > 0 && (!isOld || found.length * 2 >= added.length);
  }

  /**
   * What is in the place of a piece: its new text or, if the file wasn't changed, its old one. Otherwise the passage
   * that has lines of the piece; empty if there is none.
   */
  *placeOf(piece: RemainingPiece, all: readonly RemainingPiece[]): PausableWork<string> {
    const { oldText, newText } = piece;
    const match = yield* this.match(piece, all);
    if (match === 'present' || match === 'unknown') return newText;
    const isOld = oldText.trim() !== '' && (yield* this.includes(oldText));
    if (isOld && (match === 'absent' || !(yield* this.hasAddedLines(piece)))) return oldText;
    this.#passages ??= yield* Passages.of(yield* unixLines(this.#text));
    this.#search.spend(oldText.length + newText.length);
    const passage = yield* this.#passages.find(yield* unixLines(trimmedEnd(newText)));
    return passage === '' ? yield* this.#passages.find(yield* unixLines(trimmedEnd(oldText))) : passage;
  }
}

/** The lines of a text without the white space around them, each once, as far as they are wanted. Has pauses. */
function* linesOf(text: string, isWanted: (line: string) => boolean): PausableWork<ReadonlySet<string>> {
  const lines = new Set<string>();
  const pace = new Pace(50_000);
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end + 1;
    const line = text.slice(start, next).trim();
    if (isWanted(line)) lines.add(line);
    if (pace.isOver(next - start)) yield;
    start = next;
  }
  return lines;
}

/** A text without the line break at its end, because a file may lack one that the agent wrote. */
function trimmedEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** The pieces of a file as they are in the workspace and as the agent wrote them. */
interface ComparedPieces {
  readonly workspace: string;
  readonly agent: string;
}

/** The line between two parts of a file that don't touch. */
const gapLine = '⋯';

/**
 * The parts of a workspace file that correspond to the agent's pieces, next to what the agent wrote there. A part is
 * empty if nothing in the file corresponds to a piece. Undefined if a whole file was written, if there are no pieces,
 * or if the texts are too large to compare; then the whole file must be compared. Has pauses.
 */
export function comparePieces(changes: readonly FileChange[], text: string): PausableWork<ComparedPieces | undefined> {
  return unlessTooLarge(comparedPieces(changes, text));
}

function* comparedPieces(changes: readonly FileChange[], text: string): PausableWork<ComparedPieces | undefined> {
  const search = new TextSearch();
  const pieces = yield* remainingPieces(changes, search);
  if (!pieces || pieces.length === 0 || pieces.some(({ isWhole }) => isWhole)) return undefined;
  const here = new WorkspaceText(yield* workspaceText(text), search);
  const places: string[] = [];
  for (const piece of pieces) {
    places.push(yield* here.placeOf(piece, pieces));
    yield;
  }
  return { workspace: joined(places), agent: joined(pieces.map(({ newText }) => newText)) };
}

function joined(texts: readonly string[]): string {
  return texts.map(trimmedEnd).join(`\n${gapLine}\n`);
}
