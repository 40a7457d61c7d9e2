import type { PausableWork } from '../slices.ts';

/** The lines of a text, without their line breaks. Much faster for many short lines than splitting at an expression. */
export function linesOf(text: string): readonly string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}

/** The number of characters that are split, and the number of lines that are joined, between two pauses. */
const splitLength = 8_000;
const joinedLines = 8_000;

/**
 * Splits a text at its line feeds, with pauses for `inSlices`. `prepare` receives the text in pieces, and never only one
 * half of a CR LF.
 */
export function* splitLines(text: string, prepare = (piece: string) => piece): PausableWork<string[]> {
  const lines = [''];
  for (let from = 0; from < text.length;) {
    const end = from + splitLength;
    const to = text.startsWith('\r\n', end - 1) ? end + 1 : end;
    const [first = '', ...others] = prepare(text.slice(from, to)).split('\n');
    lines.push((lines.pop() ?? '') + first);
    for (const line of others) lines.push(line);
    from = to;
    yield;
  }
  return lines;
}

/** Joins lines with line feeds, with pauses for `inSlices`. */
export function* joinLines(lines: readonly string[]): PausableWork<string> {
  let text = '';
  for (let from = 0; from < lines.length; from += joinedLines) {
    text += (from === 0 ? '' : '\n') + lines.slice(from, from + joinedLines).join('\n');
    yield;
  }
  return text;
}
