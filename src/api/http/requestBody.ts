import { ApiError } from '../errors.ts';
import type { RequestBody } from '../transport/transport.ts';

/**
 * Bytes that can be read more than once, in pieces, without holding them whole. A piece is good until the next one is
 * asked for: the buffer behind it may be filled anew.
 */
export interface ByteSource {
  readonly sizeBytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A file to send with a message (spec 4.4): `type: "base64"` and `data` are made from `bytes` while it is written. */
export interface OutgoingFile {
  readonly bytes: ByteSource;
  readonly mediaType: string;
  readonly name: string;
  /** Relative to the workspace folder, with forward slashes; absent outside it. Never absolute (R36). */
  readonly path?: string | undefined;
  /** Accepted by the spec, not filled by the interface: its meaning is not specified. */
  readonly parsedData?: string | undefined;
}

/** An image to send with a message (spec 4.4): the wire carries `type` and `data` only. */
export interface OutgoingImage {
  readonly bytes: ByteSource;
  /** Sent only to a service that was learned to ask for it. */
  readonly mediaType?: string | undefined;
}

/** A message to add to a session (spec 4.4). */
export interface OutgoingMessage {
  readonly text: string;
  readonly images?: readonly OutgoingImage[] | undefined;
  readonly files?: readonly OutgoingFile[] | undefined;
  readonly computerId?: string | undefined;
}

/** What a service was learned to want beyond the spec. */
export interface MessageBodyOptions {
  /** Also send `mediaType` with images. */
  readonly imageMediaType?: boolean | undefined;
}

/** A stretch of the body: written as it is, escaped inside a JSON string, or encoded as base64. */
type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'escaped'; readonly text: string }
  | { readonly kind: 'base64'; readonly bytes: ByteSource };

/** Code units of text escaped in one go, and bytes encoded in one go (a multiple of 3). */
const textPieceLength = 64 * 1024;
const base64PieceBytes = 48 * 1024;
const minChunkBytes = 32 * 1024;

/** The body of a small request, in one piece. */
export function jsonBody(value: unknown): RequestBody {
  return bodyOf([{ kind: 'literal', text: JSON.stringify(value) }]);
}

/**
 * The body of POST a message (spec 4.4). Attachments are read and encoded while the body is written, so that neither
 * they nor their base64 are ever whole in memory. Its `chunks` throw an ApiError of kind `invalidRequest` where an
 * attachment turns out longer or shorter than it said (code SIZE_CHANGED) or cannot be read (ATTACHMENT_UNREADABLE).
 * Throws one itself for a `path` that is not relative (ABSOLUTE_PATH).
 */
export function messageBody(message: OutgoingMessage, options: MessageBodyOptions = {}): RequestBody {
  const { text, images = [], files = [], computerId } = message;
  const segments = [
    literal('{"text":'),
    ...stringSegments(text),
    ...listSegments('images', images, (image) => imageSegments(image, options)),
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

function imageSegments(image: OutgoingImage, { imageMediaType = false }: MessageBodyOptions): Segment[] {
  const mediaType = imageMediaType ? image.mediaType : undefined;
  return [literal('"type":"base64"'), ...fieldSegments('mediaType', mediaType), ...dataSegments(image.bytes)];
}

function fileSegments(file: OutgoingFile): Segment[] {
  if (file.path !== undefined && !isRelativePath(file.path)) {
    const message = 'The path of an attachment has to be relative.';
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

/** No root, no drive or scheme, no way upwards (R36). */
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

/** The same bytes in chunks of some size: each chunk may become a packet of its own. */
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

/** A single piece is handed on as it is: large attachments come in pieces that need no copy. */
function joined(pieces: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const [only, ...others] = pieces;
  return only && others.length === 0 ? only : Buffer.concat(pieces, sizeBytes);
}

function sizeOf(segment: Segment): number {
  if (segment.kind === 'base64') return base64Length(segment.bytes.sizeBytes);
  let sizeBytes = 0;
  for (const piece of textPiecesOf(segment)) sizeBytes += Buffer.byteLength(piece);
  return sizeBytes;
}

function base64Length(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3) * 4;
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
  // A surrogate pair may be cut: JSON joins the two escaped halves again.
  for (let start = 0; start < text.length; start += textPieceLength) {
    yield JSON.stringify(text.slice(start, start + textPieceLength)).slice(1, -1);
  }
}

/**
 * Base64 of a source's bytes, in pieces. Only whole groups of 3 bytes are encoded before the end; what is left of a
 * chunk, at most 2 bytes, waits for the next.
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
      // A copy: a source may fill its buffer anew.
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
    const message = 'An attachment could not be read while it was being sent.';
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
  const message = 'An attachment changed its size while it was being sent.';
  return new ApiError('invalidRequest', message, { sent: 'maybe', code: 'SIZE_CHANGED' });
}
