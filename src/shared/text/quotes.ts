import { cutPoint, startOfText } from './cutPoint.ts';

/** Work with pauses for `inSlices`. The page, which has no `setImmediate`, runs it without pauses. */
type Work<T> = Generator<undefined, T>;

/**
 * Characters in which a quote can differ from the text it is from: white space, and then everything except letters and
 * digits.
 */
// oxlint-disable-next-line regexp/no-super-linear-move -- both are only used to find all their matches
const ignored = [/\s+/gu, /[^\p{L}\p{N}]+/gu] as const;

/**
 * The number of characters in `before`, the text before a quote, without white space. It locates the quote in texts
 * that differ in their white space. Has pauses for `inSlices`.
 */
export function* quoteOffset(before: string): Work<number> {
  return lengthOf(yield* without(before, ignored[0]));
}

/**
 * Finds a quote in a text, ignoring white space or, if it isn't found that way, everything except letters and digits.
 * Of several equal quotes, the one nearest to `offset` (see {@link quoteOffset}) counts. Returns the index of its start
 * and the index after its end; undefined if there is none. Has pauses for `inSlices`.
 */
export function* findQuote(text: string, quote: string, offset: number): Work<readonly [number, number] | undefined> {
  for (const pattern of ignored) {
    const wanted = (yield* without(quote, pattern)).join('');
    const near = pattern === ignored[0] ? offset : yield* offsetWithout(text, pattern, offset);
    const at = yield* nearest(yield* without(text, pattern), wanted, near);
    if (at < 0) continue;
    const last = yield* indexOf(text, pattern, at + wanted.length - 1);
    return [yield* indexOf(text, pattern, at), last + 1];
  }
  return undefined;
}

/** The number of characters that are read between two pauses. */
const pieceLength = 16_000;

/** The pieces of a text, which don't split characters. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const piece = text.slice(from, from + pieceLength);
    yield startOfText(piece, pieceLength);
    from += cutPoint(piece, pieceLength);
  }
}

/**
 * The text without the matches of a pattern, each of which consists of characters that match on their own. It stays in
 * pieces, because joining a long text takes longer than a slice.
 */
function* without(text: string, pattern: RegExp): Work<readonly string[]> {
  const rest: string[] = [];
  for (const piece of piecesOf(text)) {
    rest.push(piece.replace(pattern, ''));
    yield;
  }
  return rest;
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The offset after the removal of `pattern`, for an offset that counts everything except white space. */
function* offsetWithout(text: string, pattern: RegExp, offset: number): Work<number> {
  const before = text.slice(0, yield* indexOf(text, ignored[0], offset));
  return lengthOf(yield* without(before, pattern));
}

/**
 * The index of the occurrence that is nearest to `offset`; -1 if there is none. Finds all of them in linear time
 * (Knuth, Morris, Pratt), even if they overlap.
 */
function* nearest(pieces: readonly string[], wanted: string, offset: number): Work<number> {
  if (wanted === '') return -1;
  const borders = bordersOf(wanted);
  let best = -1;
  let matched = 0;
  let before = 0;
  for (const text of pieces) {
    for (let end = 0; end < text.length; end += 1) {
      while (matched > 0 && text[end] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
      if (text[end] === wanted[matched]) matched += 1;
      if (matched < wanted.length) continue;
      const at = before + end + 1 - matched;
      if (best < 0 || Math.abs(at - offset) < Math.abs(best - offset)) best = at;
      matched = borders[matched - 1] ?? 0;
    }
    before += text.length;
    yield;
  }
  return best;
}

/** For each prefix of a text, the length of the longest shorter prefix that it ends with. */
function bordersOf(text: string): readonly number[] {
  const borders = [0];
  for (let end = 1, length = 0; end < text.length; end += 1) {
    while (length > 0 && text[end] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[end] === text[length]) length += 1;
    borders.push(length);
  }
  return borders;
}

/** The index in `text` of the character that has the index `at` after the removal of `pattern`. */
function* indexOf(text: string, pattern: RegExp, at: number): Work<number> {
  let from = 0;
  let left = at;
  for (const piece of piecesOf(text)) {
    // Counting takes far less time and memory than looking at each match.
    const count = piece.replace(pattern, '').length;
    if (count > left) return from + indexIn(piece, pattern, left);
    left -= count;
    from += piece.length;
    yield;
  }
  return from + left;
}

function indexIn(piece: string, pattern: RegExp, at: number): number {
  let removed = 0;
  for (const { 0: gap, index } of piece.matchAll(pattern)) {
    if (index - removed > at) break;
    removed += gap.length;
  }
  return at + removed;
}
