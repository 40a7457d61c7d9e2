import { isSessionUrl, readSessionReference, type SessionReference } from './sessionLinks.ts';

/** A session that a line of a terminal mentions, with the place in the line in UTF-16 code units. */
interface MentionedSession {
  readonly reference: SessionReference;
  readonly startIndex: number;
  readonly length: number;
}

/**
 * Only this many characters of a line are read. A line can be long, because VS Code joins the rows of a wrapped line.
 */
const longestLine = 10_000;
const maxMentions = 50;
/** IDs with fewer characters are often ordinary words. */
const shortestId = 6;
/** The parts of a line between characters that can't be in an ID or URL, such as white space, quotes, and brackets. */
// oxlint-disable-next-line no-control-regex -- the output of programs contains controls
const words = /[^\s"'`<>()[\]{}|,;\u0000-\u001f\u007f]+/g;

/**
 * Finds URLs of sessions, and IDs for which `isListed` is true, in a line of a terminal's output. An ID can follow `=`
 * or `:`. Up to three periods, colons, exclamation marks, or question marks can follow an ID or a URL.
 */
export function mentionedSessions(line: string, isListed: (sessionId: string) => boolean): MentionedSession[] {
  const found: MentionedSession[] = [];
  for (const { 0: word, index } of line.slice(0, longestLine).matchAll(words)) {
    if (found.length === maxMentions) break;
    const text = word.replace(/[.:!?]{1,3}$/, '');
    const reference = isSessionUrl(text) ? readSessionReference(text) : undefined;
    if (reference) found.push({ reference, startIndex: index, length: text.length });
    else {
      const start = Math.max(text.lastIndexOf('='), text.lastIndexOf(':')) + 1;
      const places = [0, start].filter((at) => text.length - at >= shortestId && isListed(text.slice(at)));
      const [at] = places;
      if (at === undefined) continue;
      found.push({ reference: { sessionId: text.slice(at) }, startIndex: index + at, length: text.length - at });
    }
  }
  return found;
}
