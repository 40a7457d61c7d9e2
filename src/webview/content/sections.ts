import { MarkdownFences, mayHaveMarkdownFences } from '../../shared/text/markdownFences.ts';

/** Maximum weight of a section that is formatted in one step; roughly a number of characters. */
const sectionWeight = 24_000;
/** Additional weight of each line, in characters, because each line becomes an element or a table row. */
const lineWeight = 16;

/** A part of a long text that can be drawn separately. */
export interface Section {
  readonly text: string;
  /** False for a part that is too large and can't be divided; it is shown as source. */
  readonly isFormatted: boolean;
  /** The code and the info string if the part is one large code fence. */
  readonly fence?: { readonly code: string; readonly info: string };
}

/**
 * Divides text into sections that are quick to draw. It cuts at blank lines that are outside code fences and precede a
 * line without indentation, and before and after code fences without indentation. A part that is too large and can't be
 * divided, such as a very long line, isn't formatted.
 */
export function divide(text: string): Section[] {
  if (isQuick(text)) return [{ text, isFormatted: true }];
  const sections: Section[] = [];
  let current = '';
  let currentWeight = 0;
  for (const paragraph of paragraphs(text)) {
    const weight = weigh(paragraph);
    if (current !== '' && currentWeight + weight > sectionWeight) {
      for (const section of asSections(current)) sections.push(section);
      current = '';
      currentWeight = 0;
    }
    const code = weight > sectionWeight ? fenceIn(paragraph) : undefined;
    if (code) {
      sections.push({ text: paragraph, isFormatted: true, fence: code });
      continue;
    }
    current += paragraph;
    currentWeight += weight;
  }
  for (const section of asSections(current)) sections.push(section);
  return sections;
}

function asSections(text: string): Section[] {
  if (isQuick(text)) return [{ text, isFormatted: true }];
  return cutPlain(text).map((piece) => ({ text: piece, isFormatted: false }));
}

function isQuick(text: string): boolean {
  return weigh(text) <= sectionWeight && cellCount(text) <= maxCells;
}

/** Each cell becomes at least three tokens, and `markdown.ts` doesn't format a section with more than 8,000 tokens. */
const maxCells = 2_666;
const delimiterRow = /^[ \t>]*[|:-][ \t|:-]*$/;

/**
 * An estimate of the number of cells below the heads of the tables in a text. Short rows are filled up, so a row of
 * one character can have as many cells as the head of its table, and long rows have more.
 */
function cellCount(text: string): number {
  let cells = 0;
  let columns = 0;
  for (const { line } of lines(text)) {
    if (/^[\s>]*$/.test(line)) columns = 0;
    else if (columns > 0) cells += Math.max(columns, line.split('|').length - 2);
    else if (line.includes('|') && delimiterRow.test(line))
      columns = line.split('|').filter((cell) => cell.includes('-')).length;
  }
  return cells;
}

/** Cuts plain text into pieces of about `length` characters that are quick to lay out, at line ends if possible. */
export function cutPlain(text: string, length = sectionWeight): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = endOfPiece(text, from + length, length);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function weigh(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.length + lines * lineWeight;
}

/**
 * The end of the last line before `target` or, in a very long line, a place near `target` that doesn't split a
 * surrogate pair.
 */
function endOfPiece(text: string, target: number, length: number): number {
  if (target >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', target);
  if (lineEnd > target - length / 2) return lineEnd + 1;
  const code = text.charCodeAt(target);
  return code >= 0xdc00 && code <= 0xdfff ? target + 1 : target;
}

/**
 * Splits text into pieces between which it can be divided. Outside code fences, a line without indentation that follows
 * a blank line begins a piece. A code fence without indentation is a piece of its own, because it ends any list, quote,
 * or paragraph before it.
 */
function* paragraphs(text: string): Generator<string> {
  let start = 0;
  let fence: string | undefined;
  let afterBlank = false;
  /** Whether the current piece is a fence of its own. */
  let isCode = false;
  const ends = markdownFences(text);
  let index = -1;
  /** The index of the line that ends the open fenced code block of Markdown; see `markdownFences`. */
  let end: number | undefined;
  for (const { from, line } of lines(text)) {
    index += 1;
    const opensCode = fence === undefined && topFence.test(line);
    if (fence === undefined && from > start && (isCode || opensCode || (afterBlank && /^\S/.test(line)))) {
      yield text.slice(start, from);
      start = from;
      isCode = false;
    }
    isCode ||= opensCode;
    end ??= fence === undefined ? ends.get(index) : undefined;
    if (end === undefined || fence === undefined) fence = fenceAfter(line, fence);
    if (end === index) fence = end = undefined;
    afterBlank = line.trim() === '';
  }
  yield text.slice(start);
}

/** A line that opens a fence without indentation. The info string of a fence of backticks has no backticks. */
const topFence = /^(?:`{3,}[^`]*|~{3}[^\n]*)$/;

/** Reads a piece that is a code fence without indentation. Undefined for any other piece. */
function fenceIn(piece: string): Section['fence'] {
  const [opening = '', ...inner] = piece.split(/\r?\n/);
  const fence = topFence.test(opening) ? fenceAfter(opening, undefined) : undefined;
  if (fence === undefined) return undefined;
  const nested = markdownFences(piece).get(0);
  const end = nested === undefined ? inner.findIndex((line) => fenceAfter(line, fence) === undefined) : nested - 1;
  return { code: inner.slice(0, end < 0 ? undefined : end).join('\n'), info: opening.slice(fence.length) };
}

/**
 * The index of the last line of each fenced code block of Markdown, by the index of its first line; see
 * {@link MarkdownFences}.
 */
function markdownFences(text: string): ReadonlyMap<number, number> {
  const fences = new MarkdownFences();
  if (mayHaveMarkdownFences(text)) for (const { line } of lines(text)) fences.read(line);
  return fences.ends;
}

function* lines(text: string): Generator<{ readonly from: number; readonly line: string }> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    yield { from, line: text.slice(from, to) };
    from = to + 1;
  }
}

/** The code fence that is open after the line, given the one that was open before it. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  // A line can end with the carriage return of a Windows line break, which `.` doesn't match.
  const [, mark, info = ''] = /^\s{0,3}(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/.exec(line) ?? [];
  if (mark === undefined) return open;
  // Inline code can also begin with three backticks.
  if (open === undefined) return mark.startsWith('`') && info.includes('`') ? undefined : mark;
  return mark.startsWith(open) && info.trim() === '' ? undefined : open;
}
