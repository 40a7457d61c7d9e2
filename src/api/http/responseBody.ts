import type { ApiError } from '../errors.ts';
import type { TransportResponse } from './transport.ts';
import { Transform, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Disposable } from '../../shared/lifecycle.ts';

/**
 * Callbacks of a {@link ResponseBody}. At most one of `onDone`, `onTooLarge`, and `onError` is called, and only once.
 */
interface ResponseBodyListener {
  onDone(body: Uint8Array): void;
  onTooLarge(): void;
  onError(error: Error): void;
  /** Called after `write` returned false, when the body accepts more data. */
  onDrain(): void;
}

/**
 * Collects the body of a response as it arrives. Decodes the content encodings gzip, deflate, and br, including
 * combinations, and stops when the decoded body exceeds `maxBytes` (R19). A body in an unknown encoding, or in more
 * than four, is not decoded.
 */
export class ResponseBody implements Disposable {
  readonly #decoders: readonly Duplex[];
  readonly #pieces: Uint8Array[] = [];
  readonly #maxBytes: number;
  readonly #listener: ResponseBodyListener;
  #sizeBytes = 0;
  #ended = false;

  constructor(contentEncoding: string | undefined, maxBytes: number, listener: ResponseBodyListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
    this.#decoders = decodersFor(contentEncoding);
    for (const [index, decoder] of this.#decoders.entries()) {
      decoder.on('error', (error: Error) => this.#finish(() => listener.onError(error)));
      const next = this.#decoders[index + 1];
      if (next) decoder.pipe(next);
    }
    this.#decoders.at(0)?.on('drain', () => listener.onDrain());
    const last = this.#decoders.at(-1);
    last?.on('data', (piece: Uint8Array) => this.#take(piece));
    last?.on('end', () => this.#succeed());
  }

  /** Adds received bytes. If this returns false, wait for `onDrain` before you write more. */
  write(piece: Uint8Array): boolean {
    if (this.#ended) return true;
    const [first] = this.#decoders;
    if (first) return first.write(piece);
    this.#take(piece);
    return true;
  }

  /** Call this after the last `write`. */
  end(): void {
    const [first] = this.#decoders;
    if (first) first.end();
    else this.#succeed();
  }

  dispose(): void {
    this.#ended = true;
    this.#pieces.length = 0;
    for (const decoder of this.#decoders) decoder.destroy();
  }

  #take(piece: Uint8Array): void {
    this.#sizeBytes += piece.byteLength;
    if (this.#sizeBytes > this.#maxBytes) this.#finish(() => this.#listener.onTooLarge());
    else this.#pieces.push(piece);
  }

  #succeed(): void {
    this.#finish((pieces) => this.#listener.onDone(Buffer.concat(pieces, this.#sizeBytes)));
  }

  #finish(notify: (pieces: readonly Uint8Array[]) => void): void {
    if (this.#ended) return;
    const pieces = [...this.#pieces];
    this.dispose();
    notify(pieces);
  }
}

/** The maximum number of content encodings of one response, because each needs a decoder. */
const mostCodings = 4;

function decodersFor(contentEncoding: string | undefined): Duplex[] {
  const names = contentEncoding?.toLowerCase().split(',') ?? [];
  const codings = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  if (codings.length > mostCodings) return [];
  const decoders = codings.reverse().map(decoderFor);
  return decoders.every((decoder) => decoder !== undefined) ? decoders : [];
}

function decoderFor(coding: string): Duplex | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  if (coding === 'deflate') return createAnyInflate();
  return undefined;
}

/**
 * Creates a decoder for the encoding `deflate`, which means the zlib format, although some services send raw deflate
 * data. The first byte distinguishes the two formats.
 */
function createAnyInflate(): Duplex {
  const state: { inflate?: Duplex } = {};
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      state.inflate ??= startInflate(piece, this);
      state.inflate.write(piece, done);
    },
    flush(done) {
      state.inflate?.once('end', () => done());
      if (state.inflate) state.inflate.end();
      else done();
    },
    destroy(error, done) {
      state.inflate?.destroy();
      done(error);
    },
  });
}

function startInflate(firstPiece: Buffer, output: Transform): Duplex {
  const zlibFormat = 8;
  const inflate = ((firstPiece[0] ?? 0) & 0x0f) === zlibFormat ? createInflate() : createInflateRaw();
  inflate.on('data', (piece: Buffer) => output.push(piece));
  inflate.on('error', (error) => output.destroy(error));
  return inflate;
}

/** The size limit of a response with a status other than 200, whose body is only an explanation. */
const maxExplanationBytes = 64 * 1024;

/** The size limit in bytes of a response with this status (R19). */
export function responseCapOf(status: number, maxResponseBytes: number): number {
  return status === 200 ? maxResponseBytes : Math.min(maxResponseBytes, maxExplanationBytes);
}

/**
 * Returns a response with an empty body in place of an error that occurred while the body was read. Returns undefined
 * if the error must be reported instead: for status 200, without a status, and for a canceled request.
 */
export function responseDespite(
  error: ApiError,
  status: number | undefined,
  headers: ReadonlyMap<string, string>,
): TransportResponse | undefined {
  if (status === undefined || status === 200 || error.kind === 'cancelled') return undefined;
  return { status, headers, body: new Uint8Array() };
}
