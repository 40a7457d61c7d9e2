import type { PausableWork } from '../../shared/slices.ts';
import { isTellingLine } from './tellingLines.ts';
import { unixLines } from './textSearch.ts';

/** A piece of a file that an agent wrote. */
export interface WrittenPiece<Source> {
  readonly source: Source;
  /** Unix ms. Of two pieces with the same line, the later one counts. */
  readonly createdAt: number;
  readonly oldText: string;
  readonly newText: string;
}

/** Lines of a file that an agent wrote; zero-based, `end` is after the last one. */
export interface AgentMark<Source> {
  readonly start: number;
  readonly end: number;
  readonly source: Source;
}

/** A line with at least this many characters is unlikely to be in a file by accident. */
const minCertain = 24;
/** Lines are read in groups of this size between pauses. */
const linesPerStep = 500;

/**
 * Finds the lines of a text that the pieces wrote, in the order of the text. A line is certain if it is telling (see
 * {@link isTellingLine}), is in the text once, and wasn't in the old text. A short line must also have a neighbor that
 * agrees, or be the only new line of a piece whose old text is gone. The lines before and after a certain line, such as
 * closing brackets, are marked too, up to the first one that differs. Lines of the old text and all other lines aren't
 * marked, because they could be from elsewhere. Has pauses.
 */
export function* markLines<Source>(
  text: string,
  pieces: readonly WrittenPiece<Source>[],
): PausableWork<readonly AgentMark<Source>[]> {
  const lines = yield* unixLines(text);
  const places = new Map<string, number>();
  const authors: (WrittenPiece<Source> | undefined)[] = [];
  for (const [place, line] of lines.entries()) {
    places.set(line, places.has(line) ? -1 : place);
    authors.push(undefined);
    if (place % linesPerStep === 0) yield;
  }
  for (const piece of pieces.toSorted((a, b) => b.createdAt - a.createdAt)) {
    for (const [at, place] of (yield* placesOf(piece, lines, places)).entries()) {
      if (at % linesPerStep === 0) yield;
      authors[place] ??= piece;
    }
  }
  const marks: AgentMark<Source>[] = [];
  for (const [place, author] of authors.entries()) {
    if (place % linesPerStep === 0) yield;
    if (!author) continue;
    const last = marks.at(-1);
    if (last?.end === place && last.source === author.source) marks[marks.length - 1] = { ...last, end: place + 1 };
    else marks.push({ start: place, end: place + 1, source: author.source });
  }
  return marks;
}

/**
 * A line of a piece that is certainly a line of the file. `index` is its zero-based position in the piece, and `place`
 * that in the file.
 */
interface Anchor {
  readonly index: number;
  readonly place: number;
}

/** The places of a piece's new lines in a file. */
function* placesOf(
  { oldText, newText }: Pick<WrittenPiece<unknown>, 'oldText' | 'newText'>,
  lines: readonly string[],
  places: ReadonlyMap<string, number>,
): PausableWork<readonly number[]> {
  const own = yield* unixLines(newText);
  const old = yield* unixLines(oldText);
  const oldLines = new Set(old);
  // A single line that replaced other lines is certain if none of them is left.
  const hasReplaced = own.length === 1 && oldText !== '' && old.every((line) => !places.has(line));
  const anchors: Anchor[] = [];
  for (const [index, line] of own.entries()) {
    if (index % linesPerStep === 0) yield;
    const place = places.get(line) ?? -1;
    if (place < 0 || oldLines.has(line) || !isTellingLine(line)) continue;
    const isNextTo = (by: number) => own[index + by] !== undefined && own[index + by] === lines[place + by];
    if (line.trim().length < minCertain && !isNextTo(1) && !isNextTo(-1) && !hasReplaced) continue;
    anchors.push({ index, place });
  }
  const found: number[] = [];
  for (const [at, anchor] of anchors.entries()) {
    const previous = anchors[at - 1] ?? { index: -1, place: Number.NaN };
    const next = anchors[at + 1] ?? { index: own.length, place: Number.NaN };
    const from = anchor.place - (yield* countAgreeing(anchor, previous, own, lines));
    const to = anchor.place + (yield* countAgreeing(anchor, next, own, lines));
    for (let place = from; place <= to; place += 1) {
      if (place % linesPerStep === 0) yield;
      if (!oldLines.has(lines[place] ?? '')) found.push(place);
    }
  }
  return found;
}

/**
 * The number of lines next to an anchor that agree, in the direction of `next`, up to the first one that differs. Blank
 * lines at the end don't count, because they could be from elsewhere, unless all lines up to `next` agree. Has pauses.
 */
function* countAgreeing(
  { index, place }: Anchor,
  next: Anchor,
  own: readonly string[],
  lines: readonly string[],
): PausableWork<number> {
  const by = Math.sign(next.index - index);
  const most = Math.abs(next.index - index) - 1;
  let count = 0;
  for (; count < most; count += 1) {
    if (own[index + by * (count + 1)] !== lines[place + by * (count + 1)]) break;
    if (count % linesPerStep === 0) yield;
  }
  if (count === most && next.place - place === next.index - index) return count;
  for (; count > 0 && (lines[place + by * count] ?? '').trim() === ''; count -= 1)
    if (count % linesPerStep === 0) yield;
  return count;
}
