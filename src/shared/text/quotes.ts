/** Characters that a quote and the text it is from may not have in common: white space, and then also Markdown's signs. */
// eslint-disable-next-line regexp/no-super-linear-move -- both are only used to find all their matches
const ignored = [/\s+/gu, /[^\p{L}\p{N}]+/gu] as const;

/** The number of characters without white space. Quotes are located by it, because texts differ in their white space. */
export function quoteOffset(before: string): number {
  return before.replace(ignored[0], '').length;
}

/**
 * Finds a quote in a text, ignoring white space or, if it isn't found that way, everything except letters and digits. Of
 * several equal quotes, the one nearest to `offset` (see {@link quoteOffset}) counts. Returns its start and end as
 * indexes of the text; undefined if there is none.
 */
export function findQuote(text: string, quote: string, offset: number): readonly [number, number] | undefined {
  for (const pattern of ignored) {
    const [rest, wanted] = [text, quote].map((whole) => whole.replace(pattern, ''));
    const at = nearest(rest ?? '', wanted ?? '', offset);
    if (wanted !== undefined && at >= 0) {
      return [indexOf(text, pattern, at), indexOf(text, pattern, at + wanted.length - 1) + 1];
    }
  }
  return undefined;
}

/**
 * The index of the occurrence that is nearest to `offset`; -1 if there is none. Finds all of them in linear time (Knuth,
 * Morris, Pratt), also if they overlap.
 */
function nearest(text: string, wanted: string, offset: number): number {
  if (wanted === '') return -1;
  const borders = bordersOf(wanted);
  let best = -1;
  let matched = 0;
  for (let end = 0; end < text.length; end += 1) {
    while (matched > 0 && text[end] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (text[end] === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    const at = end + 1 - matched;
    if (best < 0 || Math.abs(at - offset) < Math.abs(best - offset)) best = at;
    matched = borders[matched - 1] ?? 0;
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
function indexOf(text: string, pattern: RegExp, at: number): number {
  let removed = 0;
  for (const { 0: gap, index } of text.matchAll(pattern)) {
    if (index - removed > at) break;
    removed += gap.length;
  }
  return at + removed;
}
