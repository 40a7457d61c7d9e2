import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { parsedJson } from '../../shared/longJson.ts';
import { Pace, type PausableWork } from '../../shared/slices.ts';
import { JsonBytes } from '../../shared/text/jsonBytes.ts';

/** The size and checksum of the bytes of an item, to recognize the same bytes in a later response. */
export interface WireMark {
  readonly sizeBytes: number;
  /** The CRC-32 of the bytes. */
  readonly checksum: number;
}

/** A long item of an earlier response. */
export interface KnownItem {
  readonly id: string;
  /** Unix ms. */
  readonly createdAt: number;
  readonly wireMark: WireMark;
}

/** A long item of a response: a known item, or the value of a new one. */
type LongItem = { readonly known: KnownItem } | { readonly value: unknown; readonly wireMark: WireMark };

/** Shorter items are parsed with the rest of the response. */
const longBytes = 64_000;
/** The numbers of bytes after which the work pauses. */
const scanStepBytes = 64_000;
const checksumStepBytes = 1024 * 1024;
/** The nesting depth of an item: the response is an object, and the list is one of its fields. */
const itemDepth = 3;

const quote = 0x22;
const listStart = 0x5b;
const listEnd = 0x5d;
const objectStart = 0x7b;
const objectEnd = 0x7d;
/** What can follow an item: a comma, the end of the list, or white space. */
const endings: ReadonlySet<number | undefined> = new Set([0x2c, listEnd, 0x20, 0x0a, 0x0d, 0x09]);

/**
 * Parses one response, and the long items of its lists separately, so that an item that is byte for byte the same as in
 * an earlier response isn't parsed again. In the parsed response, each long item is replaced by a random name, which
 * the service can't know.
 */
export class LongItems {
  /** By size, then by checksum. */
  readonly #known = new Map<number, Map<number, KnownItem>>();
  readonly #names = randomUUID();
  readonly #items = new Map<unknown, LongItem>();
  /** The parts of the response between its long items, and the names that replace these items. */
  readonly #pieces: Uint8Array[] = [];
  /** The index of the first byte of the response that isn't in a piece yet. */
  #from = 0;
  /**
   * The number of bytes that may still be read to recognize known items. The limit is proportional to the size of the
   * response.
   */
  #bytesLeft = 0;

  constructor(known: readonly KnownItem[]) {
    for (const item of known) {
      const { sizeBytes, checksum } = item.wireMark;
      const sameSize = this.#known.get(sizeBytes) ?? new Map<number, KnownItem>();
      this.#known.set(sizeBytes, sameSize.set(checksum, item));
    }
  }

  /** The long item with this name; undefined for any other value. */
  get(name: unknown): LongItem | undefined {
    return this.#items.get(name);
  }

  /** Parses the response like `parsedJson`. Call this once. */
  *parse(body: Uint8Array): PausableWork<unknown> {
    if (body.byteLength < longBytes) return yield* parsedJson(body);
    try {
      yield* this.#takeOut(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    } catch {
      return undefined;
    }
    if (this.#items.size === 0) return yield* parsedJson(body);
    this.#pieces.push(body.subarray(this.#from));
    return yield* parsedJson(Buffer.concat(this.#pieces));
  }

  /**
   * Replaces the long items of the response with names.
   * @throws SyntaxError if a string has no end, or a long item isn't valid JSON.
   */
  *#takeOut(body: Buffer): PausableWork<void> {
    this.#bytesLeft = 2 * body.byteLength;
    const json = new JsonBytes(body);
    const pace = new Pace(scanStepBytes);
    let depth = 0;
    let isInList = false;
    /** Where the current item begins; -1 if it isn't an object in a list. */
    let start = -1;
    for (let at = 0; at < body.byteLength; at += 1) {
      const from = at;
      const code = body[at];
      if (code === quote) {
        at = json.endOfStringPiece(at + 1, scanStepBytes);
        for (; body[at] !== quote; at = json.endOfStringPiece(at, scanStepBytes)) yield;
      } else if (code === listStart || code === objectStart) {
        depth += 1;
        if (depth === itemDepth - 1) isInList = code === listStart;
        if (depth === itemDepth) start = isInList && code === objectStart ? at : -1;
        const known = start === at ? yield* this.#knownAt(body, at) : undefined;
        if (known) {
          at += known.wireMark.sizeBytes - 1;
          this.#put({ known }, body, start, at + 1);
          depth -= 1;
        }
      } else if (code === listEnd || code === objectEnd) {
        const isLong = depth === itemDepth && start >= 0 && at + 1 - start >= longBytes;
        if (isLong) yield* this.#read(body, start, at + 1);
        depth -= 1;
      }
      if (pace.isOver(at - from)) yield;
    }
  }

  /** The known item that begins at the byte index `start`; undefined if there is none, or if the limit is reached. */
  *#knownAt(body: Buffer, start: number): PausableWork<KnownItem | undefined> {
    for (const [sizeBytes, sameSize] of this.#known) {
      const end = start + sizeBytes;
      const canEnd = body[end - 1] === objectEnd && endings.has(body[end]);
      this.#bytesLeft -= canEnd ? sizeBytes : 1;
      if (this.#bytesLeft < 0) return undefined;
      const known = canEnd ? sameSize.get(yield* checksumOf(body.subarray(start, end))) : undefined;
      if (known) return known;
    }
    return undefined;
  }

  *#read(body: Buffer, start: number, end: number): PausableWork<void> {
    const bytes = body.subarray(start, end);
    const value = yield* parsedJson(bytes);
    if (value === undefined) throw new SyntaxError();
    const wireMark = { sizeBytes: bytes.byteLength, checksum: yield* checksumOf(bytes) };
    this.#put({ value, wireMark }, body, start, end);
  }

  #put(item: LongItem, body: Buffer, start: number, end: number): void {
    const name = `${this.#names}-${this.#items.size}`;
    this.#items.set(name, item);
    this.#pieces.push(body.subarray(this.#from, start), Buffer.from(JSON.stringify(name)));
    this.#from = end;
  }
}

function* checksumOf(bytes: Uint8Array): PausableWork<number> {
  let checksum = 0;
  for (let start = 0; start < bytes.byteLength; start += checksumStepBytes) {
    checksum = crc32(bytes.subarray(start, start + checksumStepBytes), checksum);
    yield;
  }
  return checksum;
}
