import { inlineTagPattern, OpenTags } from '../../shared/text/inlineTags.ts';
import { dunderNamePattern } from '../../shared/text/dunderNames.ts';
import { Places } from '../../shared/text/places.ts';
import { withoutPause } from '../../shared/slices.ts';
import { MarkdownFences } from '../../shared/text/markdownFences.ts';

/** The number of characters that are read between two pauses. */
const pieceLength = 6_000;
/** Lines with more characters stay as they are. The page doesn't format them either. */
const maxLineLength = 24_000;

/**
 * Extracts the visible text from Markdown, without the markers of emphasis, links, headings, lists, and code. Reads the
 * text a fixed number of times, whatever it contains. `isPrompt` is whether a person wrote the text; names such as
 * `__init__` then keep their underscores.
 */
export function markdownToPlainText(text: string, isPrompt = false): string {
  return withoutPause(plainTextOf(text, isPrompt));
}

/** Like {@link markdownToPlainText}, but with pauses for `inSlices`. */
export function* plainTextOf(text: string, isPrompt = false): Generator<undefined, string> {
  const reader = new PlainTextReader(yield* markdownFences(text), isPrompt);
  const pieces: string[] = [];
  for (let from = 0; from <= text.length;) {
    const end = from + pieceLength;
    const lines: string[] = [];
    for (; from <= text.length && from < end; from += 1) {
      const newline = text.indexOf('\n', from);
      const stop = newline < 0 ? text.length : newline;
      const line = reader.read(text.slice(from, stop));
      if (line !== undefined) lines.push(line);
      from = stop;
    }
    if (lines.length > 0) pieces.push(lines.join('\n'));
    if (from <= text.length) yield;
  }
  return pieces.join('\n');
}

/**
 * For each code block of Markdown, which can contain fences, the index of the line that ends it, by the index of the
 * line that opens it. Empty if a fence stays open.
 */
function* markdownFences(text: string): Generator<undefined, ReadonlyMap<number, number>> {
  const fences = new MarkdownFences();
  let read = 0;
  for (let from = 0; from <= text.length;) {
    const newline = text.indexOf('\n', from);
    const stop = newline < 0 ? text.length : newline;
    fences.read(text.slice(from, Math.min(stop, from + maxLineLength)));
    read += stop - from + 1;
    from = stop + 1;
    if (read < pieceLength) continue;
    read = 0;
    yield;
  }
  return fences.ends;
}

/** Reads Markdown line by line, and remembers the code block that a line is in. */
class PlainTextReader {
  readonly #ends: ReadonlyMap<number, number>;
  readonly #isPrompt: boolean;
  #fence: string | undefined;
  #index = -1;
  /** The index of the line that ends the open code block, if the block is Markdown and its end is known. */
  #end: number | undefined;

  constructor(ends: ReadonlyMap<number, number>, isPrompt: boolean) {
    this.#ends = ends;
    this.#isPrompt = isPrompt;
  }

  /** The visible text of the next line; undefined if the line begins or ends a code block. */
  read(line: string): string | undefined {
    this.#index += 1;
    const mark = fenceOf(line);
    if (this.#fence === undefined) {
      this.#fence = mark;
      this.#end = mark === undefined ? undefined : this.#ends.get(this.#index);
      return mark === undefined ? readLine(line, this.#isPrompt) : undefined;
    }
    if (this.#end !== undefined && this.#index < this.#end) return line;
    if (mark?.startsWith(this.#fence) !== true) return line;
    this.#fence = undefined;
    return undefined;
  }
}

/** The backticks or tildes with which a line begins or ends a code block. The line can be in a block quote. */
function fenceOf(line: string): string | undefined {
  if (!line.includes('```') && !line.includes('~~~')) return undefined;
  const start = line.search(/[^\s>]/);
  return start < 0 ? undefined : /^(?:`{3,}|~{3,})/.exec(line.slice(start))?.[0];
}

function readLine(line: string, isPrompt: boolean): string {
  if (line.length > maxLineLength) return line;
  const content = line.replace(/^\s*(?:>\s?|#{1,6}\s+|[-*+]\s+|\d{1,9}[.)]\s+)+/, '');
  // Most lines have none of these signs.
  if (!/[`*~_\\<]|\]\(/.test(content)) return content;
  const pieces = piecesOf(content);
  const read = content.includes('<') ? withoutTags(pieces) : pieces;
  return read.map(({ text, isLiteral }) => (isLiteral ? text : readSpan(text, isPrompt))).join('');
}

/** The content of a code span, a comment, or the text between two of them. */
interface Piece {
  readonly text: string;
  readonly isLiteral: boolean;
}

function piecesOf(line: string): readonly Piece[] {
  const starts = new Places(line, /`|<!--/g);
  const commentEnds = new Places(line, /-->/g);
  const pieces: Piece[] = [];
  let end = 0;
  for (let from = starts.from(0); from < Infinity;) {
    const isCode = line[from] === '`';
    const start = isCode ? endOfRun(line, from) : from;
    const close = isCode ? placeOf(line, '`', start) : commentEnds.from(from + 4) + 3;
    if (close === Infinity || (!isCode && isEscaped(line, from))) {
      from = starts.from(isCode ? start : from + 4);
      continue;
    }
    pieces.push({ text: line.slice(end, from), isLiteral: false }, { text: line.slice(start, close), isLiteral: true });
    end = isCode ? endOfRun(line, close) : close;
    from = starts.from(end);
  }
  return [...pieces, { text: line.slice(end), isLiteral: false }];
}

/** The first place of a sign at or after `start`; `Infinity` if there is none. */
function placeOf(text: string, sign: string, start: number): number {
  const at = text.indexOf(sign, start);
  return at < 0 ? Infinity : at;
}

/** A tag, the index of its piece of the line, and the indexes in that piece at which it starts and ends (exclusive). */
interface PlacedTag {
  readonly tag: string;
  readonly piece: number;
  readonly at: number;
  readonly end: number;
}

/**
 * Removes the tags that the page draws: pairs, which can enclose code spans, and `<br>`, which becomes a line break. In
 * a table, both tags of a pair are in the same cell.
 */
function withoutTags(pieces: readonly Piece[]): readonly Piece[] {
  const isTableRow = pieces[0]?.text.trimStart().startsWith('|') === true;
  let open = new OpenTags<PlacedTag>();
  const drawn = new Map<number, PlacedTag[]>();
  const draw = (...tags: readonly PlacedTag[]) => {
    for (const tag of tags) {
      const known = drawn.get(tag.piece);
      if (known) known.push(tag);
      else drawn.set(tag.piece, [tag]);
    }
  };
  const tagOrBar = new RegExp(`${inlineTagPattern('g').source}|\\|`, 'gi');
  for (const [piece, { text, isLiteral }] of pieces.entries()) {
    for (const { 0: source, 1: slash, 2: name = 'br', index: at } of text.matchAll(tagOrBar)) {
      if (isEscaped(text, at)) continue;
      if (source === '|' && isTableRow) open = new OpenTags();
      if (source === '|' || isLiteral || text.startsWith('](', at - 2)) continue;
      const tag = { tag: name.toLowerCase(), piece, at, end: at + source.length };
      const opening = slash === '/' ? open.close(tag.tag) : undefined;
      if (opening) draw(opening, tag);
      else if (tag.tag === 'br') draw(tag);
      else if (slash === '') open.add(tag);
    }
  }
  return pieces.map((piece, index) => ({
    ...piece,
    text: withoutPlaces(piece.text, drawn.get(index) ?? [], index === pieces.length - 1),
  }));
}

/** A piece without these tags. A `<br>` is a line break, unless the line ends there. */
function withoutPlaces(text: string, tags: readonly PlacedTag[], isLast: boolean): string {
  const lineEnd = isLast ? text.trimEnd().length : Infinity;
  let read = '';
  let from = 0;
  for (const { tag, at, end } of [...tags].sort((one, other) => one.at - other.at)) {
    read += text.slice(from, at) + (tag === 'br' && end < lineEnd ? '\n' : '');
    from = end;
  }
  return read + text.slice(from);
}

/** Whether an odd number of backslashes precedes this character. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

/** The end of the backticks that begin at `start`. */
function endOfRun(text: string, start: number): number {
  let end = start;
  while (text[end] === '`') end++;
  return end;
}

function readSpan(span: string, isPrompt: boolean): string {
  const unlinked = span.includes('](') ? withoutLinks(span) : span;
  const unstressed = /[*~]/.test(unlinked) ? withoutPairs(unlinked, signs()) : unlinked;
  const plain = unstressed.includes('_') ? withoutPairs(unstressed, underscores(isPrompt)) : unstressed;
  return plain.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** Replaces links and images with their labels. */
function withoutLinks(text: string): string {
  const targets = new LinkTargets(text);
  let read = '';
  let end = 0;
  for (let open = text.indexOf('['); open >= 0;) {
    const close = text.indexOf(']', open);
    if (close < 0) break;
    const after = targets.endAt(close + 1);
    if (after !== undefined) {
      const start = open > end && text[open - 1] === '!' ? open - 1 : open;
      read += text.slice(end, start) + text.slice(open + 1, close);
      end = after;
    }
    // Without a target here, no bracket before `close` begins a link.
    open = text.indexOf('[', after ?? close + 1);
  }
  return read + text.slice(end);
}

/** Finds the targets of links in a text, with their parentheses and titles. */
class LinkTargets {
  readonly #text: string;
  readonly #stops: Places;
  /** The ends of targets in angle brackets, which can contain spaces. */
  readonly #bracketEnds: Places;
  #titleAt = -1;
  #titleEnd: number | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#stops = new Places(text, /[)\s]/g);
    this.#bracketEnds = new Places(text, />\)/g);
  }

  /** The end of the target that begins at `start`; undefined if there is none. `start` must increase with each call. */
  endAt(start: number): number | undefined {
    if (this.#text[start] !== '(') return undefined;
    if (this.#text[start + 1] === '<') {
      const end = this.#bracketEnds.from(start + 2);
      return end === Infinity ? undefined : end + 2;
    }
    const stop = this.#stops.from(start + 1);
    return this.#text[stop] === ')' ? stop + 1 : this.#endAfterTitle(stop);
  }

  /**
   * The end of a target whose title follows the white space at `at`. The last result is kept, because several targets
   * can reach the same white space.
   */
  #endAfterTitle(at: number): number | undefined {
    if (this.#titleAt !== at) {
      const title = /\s+"[^"]*"\)/y;
      title.lastIndex = at;
      this.#titleAt = at;
      this.#titleEnd = title.test(this.#text) ? title.lastIndex : undefined;
    }
    return this.#titleEnd;
  }
}

/** The markers at the beginning and at the end of emphasized text. Both have the same length. */
interface Marker {
  readonly length: number;
  readonly begin: RegExp;
  readonly end: RegExp;
}

/**
 * The markers of emphasis and of struck-through text. Of those that begin at the same place, longer ones come first.
 */
function signs(): readonly Marker[] {
  return [
    { length: 3, begin: /\*\*\*(?=\S)/g, end: /(?<=\S)\*\*\*/g },
    { length: 2, begin: /\*\*(?=\S)/g, end: /(?<=\S)\*\*/g },
    { length: 1, begin: /\*(?=\S)/g, end: /(?<=\S)\*/g },
    { length: 2, begin: /~~(?=\S)/g, end: /(?<=\S)~~/g },
  ];
}

/** Underscores inside words aren't emphasis, nor are those of names such as `__init__` in a prompt. */
function underscores(isPrompt: boolean): readonly Marker[] {
  return [
    { length: 3, begin: /(?<![\p{L}\p{N}_])___(?=\S)/gu, end: /(?<=\S)___(?![\p{L}\p{N}_])/gu },
    { length: 2, begin: /(?<![\p{L}\p{N}_])__(?=\S)/gu, end: /(?<=\S)__(?![\p{L}\p{N}_])/gu },
    { length: 1, begin: /(?<![\p{L}\p{N}_])_(?=\S)/gu, end: /(?<=\S)_(?![\p{L}\p{N}_])/gu },
  ].map((marker) => (isPrompt ? { ...marker, begin: withoutNames(marker.begin) } : marker));
}

function withoutNames({ source, flags }: RegExp): RegExp {
  return new RegExp(`(?!${dunderNamePattern('gu').source})${source}`, flags);
}

/** Removes pairs of markers from a text in linear time. Text between two markers is kept as it is. */
function withoutPairs(text: string, markers: readonly Marker[]): string {
  const places = markers.map(({ length, begin, end }) => {
    return { length, begins: new Places(text, begin), ends: new Places(text, end) };
  });
  let read = '';
  let end = 0;
  for (let at = 0; ;) {
    const from = at;
    at = places.reduce((least, { begins }) => Math.min(least, begins.from(from)), Infinity);
    if (at === Infinity) return read + text.slice(end);
    const begun = places.filter(({ begins }) => begins.from(at) === at);
    const pair = begun.find(({ length, ends }) => ends.from(at + length + 1) < Infinity);
    if (pair === undefined) {
      at += 1;
      continue;
    }
    const close = pair.ends.from(at + pair.length + 1);
    read += text.slice(end, at) + text.slice(at + pair.length, close);
    at = end = close + pair.length;
  }
}

/** Removes the Markdown markers that a list row can't render: headings, quotes, bullets, bold, italic, and code. */
export function lineWithoutMarks(line: string): string {
  const content = line.replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|```.*$)+/, '').replace(/\*\*(.+?)\*\*/g, '$1');
  return withoutPairs(content, lineItalics())
    .replace(/`([^`]+)`/g, '$1')
    .trim();
}

function lineItalics(): readonly Marker[] {
  return [
    { length: 1, begin: /(?<!\w)_(?!\s)/g, end: /(?<!\s)_(?!\w)/g },
    { length: 1, begin: /(?<!\w)\*(?!\s)/g, end: /(?<!\s)\*(?!\w)/g },
  ];
}
