import type { PausableWork } from '../slices.ts';

/**
 * The lines of a text, without their line breaks, which are LF or CR LF. Much faster for many short lines than
 * splitting at a regular expression.
 */
export function linesOf(text: string): readonly string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}

/** The number of characters that are split between two pauses. */
const splitLength = 8_000;
/** The number of lines of a piece of a list. A power of two. */
const pieceLines = 8_192;

/** The lines of a long text. They are in pieces of a fixed size, because one large array takes too long to grow. */
export class LineList {
  readonly #pieces: string[][] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The line at an index; an empty one if there is none. */
  get(index: number): string {
    return this.#pieces[Math.floor(index / pieceLines)]?.[index % pieceLines] ?? '';
  }

  /** Replaces the line at an index. Does nothing if there is none. */
  set(index: number, line: string): void {
    const piece = this.#pieces[Math.floor(index / pieceLines)];
    if (piece && index < this.#length) piece[index % pieceLines] = line;
  }

  push(line: string): void {
    if (this.#length % pieceLines === 0) this.#pieces.push([]);
    this.#pieces.at(-1)?.push(line);
    this.#length += 1;
  }

  /** Removes the last line. */
  pop(): void {
    const piece = this.#pieces.at(-1);
    if (!piece) return;
    piece.pop();
    this.#length -= 1;
    if (piece.length === 0) this.#pieces.pop();
  }

  /** The lines, joined with line feeds. Has pauses for `inSlices`. */
  *joined(): PausableWork<string> {
    let text = '';
    for (const [index, piece] of this.#pieces.entries()) {
      text += (index === 0 ? '' : '\n') + piece.join('\n');
      yield;
    }
    return text;
  }
}

/** The pieces of a text, of about 8,000 characters each. They never split a CR LF, but can split a surrogate pair. */
export function* piecesOf(text: string): Generator<string, undefined> {
  for (let from = 0; from < text.length;) {
    const end = from + splitLength;
    const to = text.startsWith('\r\n', end - 1) ? end + 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}

/**
 * Splits a text at its line feeds, with pauses for `inSlices`. `prepare` returns the text to split for each piece, and
 * gets no piece that splits a CR LF.
 */
export function* splitLines(text: string, prepare = (piece: string) => piece): PausableWork<LineList> {
  const lines = new LineList();
  lines.push('');
  for (const piece of piecesOf(text)) {
    const [first = '', ...others] = prepare(piece).split('\n');
    const last = lines.length - 1;
    lines.set(last, lines.get(last) + first);
    for (const line of others) lines.push(line);
    yield;
  }
  return lines;
}
