/** Characters that a quote and the text it is from may not have in common: white space, and then also Markdown's signs. */
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

function nearest(text: string, wanted: string, offset: number): number {
  let best = -1;
  for (let at = wanted === '' ? -1 : text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (best < 0 || Math.abs(at - offset) < Math.abs(best - offset)) best = at;
  }
  return best;
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
