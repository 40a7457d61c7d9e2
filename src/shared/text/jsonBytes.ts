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

  /** The start of a text, without a character that is cut off. */
  textStart(start: number, length: number): string {
    return new TextDecoder().decode(this.bytes.subarray(start, start + length), { stream: true });
  }

  /** Where the text begins: after a byte order mark, which decoders remove. */
  get start(): number {
    const [first, second, third] = this.bytes;
    return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  }

  /** The first index from `from` on that isn't white space. */
  afterSpace(from: number): number {
    const { bytes } = this;
    let at = from;
    while (isSpace(bytes[at])) at += 1;
    return at;
  }

  /** The last index before `to` that isn't white space. */
  beforeSpace(to: number): number {
    let at = to - 1;
    while (isSpace(this.bytes[at])) at -= 1;
    return at;
  }

  /**
   * The end of a piece of a string that begins at `from`: the closing quote, or at least `length` bytes later, between two
   * characters and not in an escape.
   * @throws SyntaxError if the text ends.
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

/** Without a set, because a response can have megabytes of white space. */
function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;
}
