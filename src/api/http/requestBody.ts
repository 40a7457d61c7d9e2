import { base64Size } from '../../shared/text.ts';
import { ApiError } from '../errors.ts';
import type { RequestBody } from './transport.ts';

/**
 * Bytes that can be read several times, in chunks. A chunk is valid until the next one is requested, because the source
 * may reuse its buffer.
 */
export interface ByteSource {
  readonly sizeBytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A file of an outgoing message (spec 4.4). In the request, `type` is `base64`, and `data` is encoded from `bytes`. */
interface OutgoingFile {
  readonly bytes: ByteSource;
  readonly mediaType: string;
  readonly name: string;
  /**
   * Relative to the workspace folder, with forward slashes; undefined for a file outside the folder. Never absolute
   * (R36).
   */
  readonly path?: string | undefined;
  /** Set only for notebook cells: the text of their outputs (spec 10.11). */
  readonly parsedData?: string | undefined;
}

/** An image of an outgoing message (spec 4.4). */
interface OutgoingImage {
  readonly bytes: ByteSource;
  /** Not part of the specification. Set only for a service that rejects images without it (spec 10.9). */
  readonly mediaType?: string | undefined;
}

/** A message to add to a session (spec 4.4). */
export interface OutgoingMessage {
  readonly text: string;
  readonly images?: readonly OutgoingImage[] | undefined;
  readonly files?: readonly OutgoingFile[] | undefined;
  readonly computerId?: string | undefined;
}

/** A part of the body: literal text, text to escape inside a JSON string, or bytes to encode as base64. */
type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'escaped'; readonly text: string }
  | { readonly kind: 'base64'; readonly bytes: ByteSource };

/** The length of the pieces in which text is escaped, in UTF-16 code units. */
const textPieceLength = 64 * 1024;
/** A multiple of 3, so that a piece usually leaves no bytes that would have to be copied to the next one. */
const base64PieceBytes = 48 * 1024;
const minChunkBytes = 32 * 1024;

/** The body of a small request, in one chunk. */
export function jsonBody(value: unknown): RequestBody {
  return bodyOf([{ kind: 'literal', text: JSON.stringify(value) }]);
}

/**
 * The body of a POST request that adds a message (spec 4.4). Attachments are encoded as they are read, so the body
 * never holds a whole attachment in memory.
 *
 * All errors are ApiErrors of kind `invalidRequest`. `chunks` throws with code `SIZE_CHANGED` if an attachment doesn't
 * have the announced size, and with `ATTACHMENT_UNREADABLE` if it can't be read.
 *
 * @throws ApiError with code `ABSOLUTE_PATH` for a `path` that is not relative or has a `..` segment.
 */
export function messageBody(message: OutgoingMessage): RequestBody {
  const { text, images = [], files = [], computerId } = message;
  const segments = [
    literal('{"text":'),
    ...stringSegments(text),
    ...listSegments('images', images, imageSegments),
    ...listSegments('files', files, fileSegments),
    ...fieldSegments('computerId', computerId),
    literal('}'),
  ];
  return bodyOf(segments);
}

function literal(text: string): Segment {
  return { kind: 'literal', text };
}

function stringSegments(text: string): Segment[] {
  return [literal('"'), { kind: 'escaped', text }, literal('"')];
}

function fieldSegments(name: string, value: string | undefined): Segment[] {
  return value === undefined ? [] : [literal(`,"${name}":`), ...stringSegments(value)];
}

function dataSegments(bytes: ByteSource): Segment[] {
  return [literal(',"data":"'), { kind: 'base64', bytes }, literal('"')];
}

function listSegments<T>(name: string, items: readonly T[], segmentsOf: (item: T) => Segment[]): Segment[] {
  if (items.length === 0) return [];
  const inner = items.flatMap((item, index) => [literal(index === 0 ? '{' : ',{'), ...segmentsOf(item), literal('}')]);
  return [literal(`,"${name}":[`), ...inner, literal(']')];
}

function imageSegments(image: OutgoingImage): Segment[] {
  return [literal('"type":"base64"'), ...fieldSegments('mediaType', image.mediaType), ...dataSegments(image.bytes)];
}

function fileSegments(file: OutgoingFile): Segment[] {
  if (file.path !== undefined && !isRelativePath(file.path)) {
    const message = 'The path of an attachment must be relative.';
    throw new ApiError('invalidRequest', message, { sent: 'no', code: 'ABSOLUTE_PATH' });
  }
  return [
    literal('"type":"base64"'),
    ...fieldSegments('mediaType', file.mediaType),
    ...fieldSegments('name', file.name),
    ...fieldSegments('path', file.path),
    ...fieldSegments('parsedData', file.parsedData),
    ...dataSegments(file.bytes),
  ];
}

/** Whether `path` has no root, drive, scheme, or `..` segment (R36). */
function isRelativePath(path: string): boolean {
  return !/^([\\/]|[A-Za-z][A-Za-z0-9+.-]*:)/.test(path) && !path.split(/[\\/]/).includes('..');
}

function bodyOf(segments: readonly Segment[]): RequestBody {
  return {
    sizeBytes: segments.reduce((total, segment) => total + sizeOf(segment), 0),
    chunks: () => gathered(piecesOf(segments)),
  };
}

async function* piecesOf(segments: readonly Segment[]): AsyncGenerator<Uint8Array> {
  for (const segment of segments) yield* chunksOf(segment);
}

/** Joins small pieces into larger chunks, because each chunk may be sent as a separate packet. */
async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    waitingBytes += piece.byteLength;
    if (waitingBytes < minChunkBytes) continue;
    yield joined(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
  }
  if (waitingBytes > 0) yield joined(waiting, waitingBytes);
}

// A single piece, the usual case for a large attachment, is not copied.
function joined(pieces: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const [only, ...others] = pieces;
  return only && others.length === 0 ? only : Buffer.concat(pieces, sizeBytes);
}

function sizeOf(segment: Segment): number {
  if (segment.kind === 'base64') return base64Size(segment.bytes.sizeBytes);
  let sizeBytes = 0;
  for (const piece of textPiecesOf(segment)) sizeBytes += Buffer.byteLength(piece);
  return sizeBytes;
}

async function* chunksOf(segment: Segment): AsyncGenerator<Uint8Array> {
  if (segment.kind === 'base64') yield* encodeBase64(segment.bytes);
  else for (const piece of textPiecesOf(segment)) yield Buffer.from(piece);
}

function* textPiecesOf({ kind, text }: Exclude<Segment, { kind: 'base64' }>): Generator<string> {
  if (kind === 'literal') {
    yield text;
    return;
  }
  // If a surrogate pair is split here, its halves are escaped separately, and a JSON parser joins them again.
  for (let start = 0; start < text.length; start += textPieceLength) {
    yield JSON.stringify(text.slice(start, start + textPieceLength)).slice(1, -1);
  }
}

/**
 * Encodes a source as base64, in pieces. The 1 or 2 bytes left after the last group of 3 are carried over to the next
 * piece.
 *
 * @throws ApiError with code `SIZE_CHANGED` or `ATTACHMENT_UNREADABLE`; see {@link messageBody}.
 */
export async function* encodeBase64(source: ByteSource): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  let seenBytes = 0;
  for await (const chunk of readWhole(source)) {
    seenBytes += chunk.byteLength;
    if (seenBytes > source.sizeBytes) throw sizeChangedError();
    for (let start = 0; start < chunk.byteLength; start += base64PieceBytes) {
      const part = chunk.subarray(start, start + base64PieceBytes);
      const piece = rest.byteLength === 0 ? viewOf(part) : Buffer.concat([rest, part]);
      const wholeGroupsBytes = piece.byteLength - (piece.byteLength % 3);
      if (wholeGroupsBytes > 0) yield base64Of(piece.subarray(0, wholeGroupsBytes));
      // A copy, because the source may reuse its buffer.
      rest = Buffer.from(piece.subarray(wholeGroupsBytes));
    }
  }
  if (seenBytes !== source.sizeBytes) throw sizeChangedError();
  if (rest.byteLength > 0) yield base64Of(rest);
}

async function* readWhole(source: ByteSource): AsyncGenerator<Uint8Array> {
  try {
    yield* source.read();
  } catch (cause) {
    const message = 'An attachment could not be read while the message was being sent.';
    throw new ApiError('invalidRequest', message, { sent: 'maybe', code: 'ATTACHMENT_UNREADABLE', cause });
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function base64Of(bytes: Buffer): Uint8Array {
  return Buffer.from(bytes.toString('base64'), 'latin1');
}

function sizeChangedError(): ApiError {
  const message = 'The size of an attachment changed while the message was being sent.';
  return new ApiError('invalidRequest', message, { sent: 'maybe', code: 'SIZE_CHANGED' });
}
