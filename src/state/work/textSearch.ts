import { Pace, type PausableWork } from '../../shared/slices.ts';
import { piecesOf } from '../../shared/text/lines.ts';
import type { FilePiece } from '../tools/toolCall.ts';

/**
 * The maximum length, in UTF-16 code units, of all texts of a file that are compared, and of a text that grows while
 * pieces are replaced.
 */
export const maxTextLength = 1_000_000;

/** The number of characters that may be compared for one file. */
const budgetLength = 50_000_000;
/**
 * The JavaScript engine's search for a long pattern is quadratic, so it is used only for the start of a pattern, in
 * parts of a text.
 */
const anchorLength = 32;
const partLength = 100_000;
/** The text where the start of a pattern was found is compared in growing pieces, because most places differ early. */
const firstPieceLength = 64;
const maxPieceLength = 4_096;
/** The number of parts of a text that are joined in one step. */
const joinedCount = 2_000;

/** Thrown if texts are too large to compare, or if too many characters would have to be compared. */
export class TooLargeError extends Error {
  constructor() {
    super('The texts are too large to compare.');
  }
}

/**
 * Searches texts that an agent wrote, with pauses, and within a budget for all searches together. Every method throws
 * {@link TooLargeError} if the budget is used up.
 */
export class TextSearch {
  readonly #pace = new Pace(partLength);
  #left = budgetLength;

  /** The first index of a pattern in a text, at or after `from`; -1 if there is none. The pattern must not be empty. */
  *indexOf(text: string, pattern: string, from = 0): PausableWork<number> {
    const anchor = pattern.slice(0, anchorLength);
    for (let at = from; at + pattern.length <= text.length;) {
      const part = text.slice(at, at + partLength + anchor.length);
      const found = part.indexOf(anchor);
      if (this.#isPauseDue(found < 0 ? part.length : found)) yield;
      if (found < 0) {
        at += part.length - anchor.length + 1;
        continue;
      }
      if (yield* this.#isAt(text, pattern, at + found)) return at + found;
      at += found + 1;
    }
    return -1;
  }

  *includes(text: string, pattern: string): PausableWork<boolean> {
    return pattern === '' || (yield* this.indexOf(text, pattern)) >= 0;
  }

  /** The number of non-overlapping occurrences of a pattern in a text. The pattern must not be empty. */
  *count(text: string, pattern: string): PausableWork<number> {
    let count = 0;
    for (let at = yield* this.indexOf(text, pattern); at >= 0; count += 1) {
      at = yield* this.indexOf(text, pattern, at + pattern.length);
    }
    return count;
  }

  /**
   * The text after a piece is replaced: the only occurrence of its old text or, if the piece has `occurrences`, all of
   * them. Undefined if the old text is empty or doesn't occur, or if the number of occurrences differs from the one
   * that the piece requires. Also throws {@link TooLargeError} if the result is longer than {@link maxTextLength}.
   */
  *replaced(text: string, { oldText, newText, occurrences }: FilePiece): PausableWork<string | undefined> {
    let at = oldText === '' ? -1 : yield* this.indexOf(text, oldText);
    if (at < 0) return undefined;
    let count = 0;
    if (occurrences === undefined && (yield* this.indexOf(text, oldText, at + 1)) >= 0) return undefined;
    let done = '';
    let length = text.length;
    let parts: string[] = [];
    let end = 0;
    while (at >= 0) {
      length += newText.length - oldText.length;
      if (length > maxTextLength) throw new TooLargeError();
      parts.push(text.slice(end, at), newText);
      count += 1;
      end = at + oldText.length;
      if (parts.length >= joinedCount) {
        done += parts.join('');
        parts = [];
        yield;
      }
      at = occurrences === undefined ? -1 : yield* this.indexOf(text, oldText, end);
    }
    if (typeof occurrences === 'number' && count !== occurrences) return undefined;
    return done + parts.join('') + text.slice(end);
  }

  /** Counts other work on this many characters against the budget. */
  spend(length: number): void {
    this.#left -= length + 8;
    if (this.#left < 0) throw new TooLargeError();
  }

  *#isAt(text: string, pattern: string, place: number): PausableWork<boolean> {
    let length = firstPieceLength;
    for (let at = 0; at < pattern.length; at += length, length = Math.min(4 * length, maxPieceLength)) {
      if (this.#isPauseDue(Math.min(length, pattern.length - at))) yield;
      if (!text.startsWith(pattern.slice(at, at + length), place + at)) return false;
    }
    return true;
  }

  #isPauseDue(length: number): boolean {
    this.spend(length);
    return this.#pace.isOver(length);
  }
}

/** A text with all line breaks replaced with `breaks`. Has pauses. */
export function* withBreaks(text: string, breaks: '\n' | '\r\n'): PausableWork<string> {
  let done = '';
  for (const piece of piecesOf(text)) {
    done += piece.replace(/\r?\n/g, breaks);
    yield;
  }
  return done;
}

/** A text with `\n` as line breaks. Agents may write other line breaks than a Git checkout has. Has pauses. */
export function* unixText(text: string): PausableWork<string> {
  return text.includes('\r\n') ? yield* withBreaks(text, '\n') : text;
}

/** The lines of a text. Has pauses. */
export function* unixLines(text: string): PausableWork<readonly string[]> {
  const lines = [''];
  for (const piece of piecesOf(text)) {
    const [first = '', ...others] = piece.replaceAll('\r\n', '\n').split('\n');
    lines.push((lines.pop() ?? '') + first);
    for (const line of others) lines.push(line);
    yield;
  }
  return lines;
}
