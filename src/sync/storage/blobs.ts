import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteSource } from '../../api/http/requestBody.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { undefinedIfMissing, writeAtomically } from './atomicFile.ts';
import { type Clock, systemClock } from './clock.ts';

/** Bytes saved on disk. `sha256` is lowercase hex. */
export interface StoredBlob {
  readonly blobId: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Thrown if the input is larger than `maxBytes`; nothing was saved. */
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
/** A multiple of 3, so that each chunk can be base64-encoded without a remainder. */
const readChunkBytes = 192 * 1024;
/**
 * The minimum age at which a blob without a holder is removed: another window may still be asking the user for the
 * message that it belongs to.
 */
const sweepAfterMs = 86_400_000;

/**
 * The bytes of attachments, one file each. A draft and an outgoing message can hold the same blob during handover. Each
 * window counts the holds of the records that it has in memory, and removes a blob when it releases the last one.
 */
export class Blobs {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #holders = new Map<string, number>();

  /** `folder` is the folder of the records. */
  constructor(folder: string, log: Log, clock: Clock = systemClock) {
    this.#folder = join(folder, subfolder);
    this.#log = log;
    this.#clock = clock;
  }

  /**
   * Streams bytes to disk and resolves when they are synced. No record holds the blob yet.
   * @throws TooManyBytesError above `maxBytes`, or the error of `bytes` or of the system; in this case, nothing is
   * saved.
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

  /**
   * Opens a blob. Each read streams its bytes from disk in chunks. Reading fails if the blob is not `sizeBytes` long.
   */
  open(blobId: string, sizeBytes: number): ByteSource {
    const path = this.#path(blobId);
    return { sizeBytes, read: () => readExactly(path, sizeBytes) };
  }

  /**
   * Whether the bytes on disk are the ones that were saved; false if they are missing or can't be read, or if `signal`
   * is aborted. Never rejects.
   */
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

  /** Records that one more record needs these blobs. */
  hold(blobs: readonly { readonly blobId: string }[]): void {
    for (const { blobId } of blobs) this.#holders.set(blobId, (this.#holders.get(blobId) ?? 0) + 1);
  }

  /**
   * Records that a record no longer needs these blobs, and removes those that no other record in this window needs.
   * Never rejects.
   */
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

  /**
   * Drops a hold on these blobs without removing them, because another window took or removed the record and decides
   * what happens to them.
   */
  forget(blobs: readonly { readonly blobId: string }[]): void {
    for (const { blobId } of blobs) {
      const holders = (this.#holders.get(blobId) ?? 0) - 1;
      if (holders > 0) this.#holders.set(blobId, holders);
      else this.#holders.delete(blobId);
    }
  }

  /**
   * Removes blobs that no record holds, except recent ones. Call this at startup, after all drafts and outgoing
   * messages are loaded; don't call it if some of them could not be read, because their blobs would have no holder.
   * Rejects if the folder can't be read.
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

  /** Throws for an ID that this class can't have generated, because IDs become paths. */
  #path(blobId: string): string {
    if (!blobName.test(blobId)) throw new Error('not a blob id');
    return join(this.#folder, blobId);
  }
}

async function* readExactly(path: string, sizeBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path, 'r');
  try {
    let readBytes = 0;
    // Reuse one buffer so that reading a large file doesn't allocate memory proportional to its size.
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
