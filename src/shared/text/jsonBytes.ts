import type { PausableWork } from '../slices.ts';

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
const space = 0x20;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** UTF-8 bytes of JSON, which are decoded in pieces, because decoding tens of megabytes takes tens of milliseconds. */
export class JsonBytes {
  readonly bytes: Uint8Array;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** @throws TypeError if the bytes aren't valid UTF-8. */
  text(start: number, end: number): string {
    return this.#decoder.decode(this.bytes.subarray(start, end));
  }

  /** The text of at most `length` bytes from `start` on, without a character that is cut off at the end. */
  textStart(start: number, length: number): string {
    return new TextDecoder().decode(this.bytes.subarray(start, start + length), { stream: true });
  }

  /** The index at which the text begins: after the byte order mark, if there is one. */
  get start(): number {
    const [first, second, third] = this.bytes;
    return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  }

  /** The first index from `from` on that isn't white space. Pauses after every `length` bytes. */
  *afterSpace(from: number, length: number): PausableWork<number> {
    let at = from;
    for (;;) {
      const end = this.endOfSpacePiece(at, length);
      if (end < at + length) return end;
      at = end;
      yield;
    }
  }

  /** The end of the white space that begins at `from`, or of its first `length` bytes. */
  endOfSpacePiece(from: number, length: number): number {
    const { bytes } = this;
    // An index beyond the end would make the loop ten times as slow, also in later calls.
    const most = Math.min(from + length, bytes.length);
    let at = from;
    while (at < most && isSpace(bytes[at])) at += 1;
    return at;
  }

  /**
   * The end of a piece of a string that begins at `from`: the closing quote, or at least `length` bytes later, between
   * two characters and not in an escape.
   * @throws SyntaxError if the text ends before the piece.
   */
  endOfStringPiece(from: number, length: number): number {
    const { bytes } = this;
    const least = from + length;
    let at = from;
    for (; at < least; at += 1) {
      const byte = bytes[at];
      if (byte === quote) return at;
      if (byte === backslash) at += bytes[at + 1] === letterU ? 5 : 1;
    }
    while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
    if (at >= bytes.length) throw new SyntaxError();
    return at;
  }
}

/** Whether a byte is white space in JSON. Compares without a `Set`, because a response can have megabytes of it. */
export function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;
}
