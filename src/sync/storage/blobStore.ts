import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteSource } from '../../api/http/requestBody.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { undefinedIfMissing, writeAtomically } from './atomicFile.ts';
import { type Clock, systemClock } from './clock.ts';

/** Bytes that were put on disk. `sha256` is in lower-case hex. */
export interface StoredBlob {
  readonly blobId: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The bytes handed over are more than were allowed; nothing was kept. */
class TooManyBytesError extends Error {
  override readonly name = 'TooManyBytesError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

const subfolder = 'blobs';
const blobName = /^[0-9a-f-]{36}$/;
/** A multiple of 3, so that pieces become base64 without a rest to copy. */
const readChunkBytes = 192 * 1024;
/** A blob nobody holds is swept only when it is older: another window may be about to write the draft it is for. */
const sweepAfterMs = 600_000;

/**
 * The bytes of attachments, one file each. A draft and an outgoing message can hold the same blob while one is handed
 * over to the other; it is removed when nobody holds it any more.
 */
export class Blobs {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #holders = new Map<string, number>();

  /** `folder` is that of the records. */
  constructor(folder: string, log: Log, clock: Clock = systemClock) {
    this.#folder = join(folder, subfolder);
    this.#log = log;
    this.#clock = clock;
  }

  /**
   * Streams bytes to disk; when it resolves they are synced. Nobody holds them yet.
   * @throws TooManyBytesError above `maxBytes`, or the error of `bytes` or of the system; nothing is kept then.
   */
  async put(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredBlob> {
    const blobId = randomUUID();
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const counted = async function* () {
      for await (const chunk of bytes) {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > maxBytes) throw new TooManyBytesError(maxBytes);
        hash.update(chunk);
        yield chunk;
      }
    };
    await writeAtomically(this.#path(blobId), counted(), { clock: this.#clock });
    return { blobId, sizeBytes, sha256: hash.digest('hex') };
  }

  /** The bytes of a blob, read from disk in pieces each time; reading fails where they are not `sizeBytes` long. */
  open(blobId: string, sizeBytes: number): ByteSource {
    const path = this.#path(blobId);
    return { sizeBytes, read: () => readExactly(path, sizeBytes) };
  }

  /** Whether the bytes on disk are those that were put there. False also where they are gone. */
  async isIntact({ blobId, sizeBytes, sha256 }: StoredBlob, signal?: AbortSignal): Promise<boolean> {
    try {
      const hash = createHash('sha256');
      for await (const chunk of this.open(blobId, sizeBytes).read()) {
        if (signal?.aborted) return false;
        hash.update(chunk);
      }
      return hash.digest('hex') === sha256;
    } catch (error) {
      this.#log.warn(`blobs: ${blobId}: ${reasonOf(error)}`);
      return false;
    }
  }

  /** One more record needs these blobs. */
  hold(blobs: readonly { readonly blobId: string }[]): void {
    for (const { blobId } of blobs) this.#holders.set(blobId, (this.#holders.get(blobId) ?? 0) + 1);
  }

  /** A record that needed these blobs is gone; those nobody needs are removed. Never rejects. */
  async release(blobs: readonly { readonly blobId: string }[]): Promise<void> {
    for (const { blobId } of blobs) {
      const holders = (this.#holders.get(blobId) ?? 0) - 1;
      if (holders > 0) this.#holders.set(blobId, holders);
      else {
        this.#holders.delete(blobId);
        await this.#remove(blobId);
      }
    }
  }

  /** A record that needed these blobs went to another window, or was removed there: what becomes of them is not ours. */
  forget(blobs: readonly { readonly blobId: string }[]): void {
    for (const { blobId } of blobs) {
      const holders = (this.#holders.get(blobId) ?? 0) - 1;
      if (holders > 0) this.#holders.set(blobId, holders);
      else this.#holders.delete(blobId);
    }
  }

  /**
   * Removes what nobody holds: on start, after every draft and outgoing message was loaded. Not to be called when some
   * of them could not be read, as their bytes have no holder then.
   */
  async sweep(): Promise<void> {
    for (const name of (await undefinedIfMissing(readdir(this.#folder))) ?? []) {
      if (!blobName.test(name) || this.#holders.has(name)) continue;
      const modifiedMs = await stat(join(this.#folder, name)).then(
        (status) => status.mtimeMs,
        () => Number.POSITIVE_INFINITY,
      );
      if (this.#clock.now() - modifiedMs > sweepAfterMs && !this.#holders.has(name)) await this.#remove(name);
    }
  }

  async #remove(blobId: string): Promise<void> {
    try {
      await rm(this.#path(blobId), { force: true });
    } catch (error) {
      this.#log.warn(`blobs: ${blobId} could not be removed: ${reasonOf(error)}`);
    }
  }

  /** Only ids of our own making become paths. */
  #path(blobId: string): string {
    if (!blobName.test(blobId)) throw new Error('not a blob id');
    return join(this.#folder, blobId);
  }
}

async function* readExactly(path: string, sizeBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path, 'r');
  try {
    let readBytes = 0;
    // One for all pieces: new ones would be garbage of the file's size.
    const buffer = new Uint8Array(readChunkBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.byteLength);
      if (bytesRead === 0) break;
      readBytes += bytesRead;
      if (readBytes > sizeBytes) break;
      yield buffer.subarray(0, bytesRead);
    }
    if (readBytes !== sizeBytes) throw new Error(`expected ${sizeBytes} bytes, found ${readBytes}`);
  } finally {
    await file.close();
  }
}
