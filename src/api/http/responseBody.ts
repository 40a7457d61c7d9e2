import type { ApiError } from '../errors.ts';
import type { TransportAnswer } from '../transport/transport.ts';
import { Transform, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Disposable } from '../../shared/lifecycle.ts';

/** What a capped body tells its owner; exactly one of `onDone`, `onTooLarge` and `onError`, at most once. */
export interface AnswerBodyListener {
  onDone(body: Uint8Array): void;
  onTooLarge(): void;
  onError(error: Error): void;
  /** After a `write` that answered false: more may be written. */
  onDrain(): void;
}

/**
 * Collects an answer's body as it arrives: undoes `content-encoding` (gzip, deflate, br, also stacked) piece by piece
 * and stops as soon as more than `maxBytes` came out (R19). An unknown encoding is left as it came.
 */
export class AnswerBody implements Disposable {
  readonly #decoders: readonly Duplex[];
  readonly #pieces: Uint8Array[] = [];
  readonly #maxBytes: number;
  readonly #listener: AnswerBodyListener;
  #sizeBytes = 0;
  #ended = false;

  constructor(contentEncoding: string | undefined, maxBytes: number, listener: AnswerBodyListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
    this.#decoders = decodersFor(contentEncoding);
    const [first] = this.#decoders;
    const last = this.#decoders.at(-1);
    if (!first || !last) return;
    for (const [index, decoder] of this.#decoders.entries()) {
      decoder.on('error', (error: Error) => this.#finish(() => listener.onError(error)));
      const next = this.#decoders[index + 1];
      if (next) decoder.pipe(next);
    }
    first.on('drain', () => listener.onDrain());
    last.on('data', (piece: Uint8Array) => this.#take(piece));
    last.on('end', () => this.#succeed());
  }

  /** Takes bytes as they came from the network. False: wait for `onDrain` before the next. */
  write(piece: Uint8Array): boolean {
    if (this.#ended) return true;
    const [first] = this.#decoders;
    if (first) return first.write(piece);
    this.#take(piece);
    return true;
  }

  /** The network has no more. */
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
    if (this.#ended) return;
    this.#sizeBytes += piece.byteLength;
    if (this.#sizeBytes > this.#maxBytes) this.#finish(() => this.#listener.onTooLarge());
    else this.#pieces.push(piece);
  }

  #succeed(): void {
    const body = this.#ended ? new Uint8Array() : Buffer.concat(this.#pieces, this.#sizeBytes);
    this.#finish(() => this.#listener.onDone(body));
  }

  #finish(tell: () => void): void {
    if (this.#ended) return;
    this.dispose();
    tell();
  }
}

function decodersFor(contentEncoding: string | undefined): Duplex[] {
  const names = (contentEncoding ?? '').toLowerCase().split(',');
  const codings = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  const decoders = codings.reverse().map(decoderFor);
  return decoders.every((decoder) => decoder !== undefined) ? decoders : [];
}

function decoderFor(coding: string): Duplex | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  if (coding === 'deflate') return createAnyInflate();
  return undefined;
}

/** `deflate` should mean zlib's format, but services send the raw one too: the first byte tells which it is. */
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

/** What an answer other than 200 may hold; its status says what matters, its body at most explains. */
const maxExplanationBytes = 64 * 1024;

/** The cap on the body of an answer of this status (R19). */
export function answerCapOf(status: number, maxAnswerBytes: number): number {
  return status === 200 ? maxAnswerBytes : Math.min(maxAnswerBytes, maxExplanationBytes);
}

/**
 * The answer to give although its body could not be read: status and headers of any other status than 200 are worth
 * more than the trouble with the explanation. Undefined where the error has to be told.
 */
export function answerDespite(
  error: ApiError,
  status: number | undefined,
  headers: ReadonlyMap<string, string>,
): TransportAnswer | undefined {
  if (status === undefined || status === 200 || error.kind === 'cancelled') return undefined;
  return { status, headers, body: new Uint8Array() };
}
