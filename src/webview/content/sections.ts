/** Up to so much is formatted in one go; about as many characters. */
const sectionWeight = 24_000;
/** Every line costs as much as this many characters: it becomes an element, or a row of a table. */
const lineWeight = 16;

/** A part of a long text that can be drawn by itself. */
export interface Section {
  readonly text: string;
  /** False for a part without a place to divide it: it is shown as it was written. */
  readonly isFormatted: boolean;
}

/**
 * Divides a text so that no part takes long to draw: at blank lines outside of code fences that are followed by a line
 * at the margin. A part that cannot be divided, such as one enormous line, is marked as not to be formatted.
 */
export function divide(text: string): Section[] {
  if (weigh(text) <= sectionWeight) return [{ text, isFormatted: true }];
  const sections: Section[] = [];
  let current = '';
  let currentWeight = 0;
  for (const paragraph of paragraphs(text)) {
    const weight = weigh(paragraph);
    if (current !== '' && currentWeight + weight > sectionWeight) {
      sections.push(...asSections(current));
      current = '';
      currentWeight = 0;
    }
    current += paragraph;
    currentWeight += weight;
  }
  sections.push(...asSections(current));
  return sections;
}

function asSections(text: string): Section[] {
  if (weigh(text) <= sectionWeight) return [{ text, isFormatted: true }];
  return cutPlain(text).map((piece) => ({ text: piece, isFormatted: false }));
}

/** Cuts a text that is shown as it is into pieces, each of which is laid out quickly; at ends of lines where it can. */
export function cutPlain(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = endOfPiece(text, from + sectionWeight);
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

/** The end of the line near `target`, or, in a line without end, a place that does not cut a character in two. */
function endOfPiece(text: string, target: number): number {
  if (target >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', target);
  if (lineEnd > target - sectionWeight / 2) return lineEnd + 1;
  const code = text.charCodeAt(target);
  return code >= 0xdc00 && code <= 0xdfff ? target + 1 : target;
}

/** Pieces of the text, in order and complete, each of which begins at the margin and outside of a code fence. */
function* paragraphs(text: string): Generator<string> {
  let start = 0;
  let fence: string | undefined;
  let afterBlank = false;
  for (const { from, line } of lines(text)) {
    if (fence === undefined && afterBlank && from > start && /^\S/.test(line)) {
      yield text.slice(start, from);
      start = from;
    }
    fence = fenceAfter(line, fence);
    afterBlank = line.trim() === '';
  }
  yield text.slice(start);
}

function* lines(text: string): Generator<{ readonly from: number; readonly line: string }> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    yield { from, line: text.slice(from, Math.min(to, from + 1_000)) };
    from = to + 1;
  }
}

/** The code fence that is open after the line, given the one open before it. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const marks = /^\s{0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  const mark = marks?.[1];
  if (mark === undefined) return open;
  if (open === undefined) return mark;
  const closes = mark.startsWith(open) && marks?.[2]?.trim() === '';
  return closes ? undefined : open;
}
