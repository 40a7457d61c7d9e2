import { createHash, randomBytes } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { Blobs } from '../../../../src/sync/storage/blobStore.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

async function* pieces(bytes: Uint8Array, sizeBytes = 1000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += sizeBytes) {
    await Promise.resolve();
    yield bytes.subarray(start, start + sizeBytes);
  }
}

async function whole(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk.slice());
  return Buffer.concat(chunks);
}

describe('the bytes of attachments (R34, R36)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let blobs: Blobs;
  const names = () => readdir(join(folder.path, 'blobs'));

  beforeEach(async () => {
    folder = await temporaryFolder();
    blobs = new Blobs(folder.path, silentLog);
  });
  afterEach(() => folder.remove());

  it('are returned unchanged on every read, with size and hash', async () => {
    const bytes = randomBytes(700_000);
    const blob = await blobs.put(pieces(bytes), 1_000_000);
    expect(blob).toMatchObject({ sizeBytes: 700_000, sha256: createHash('sha256').update(bytes).digest('hex') });
    const source = blobs.open(blob.blobId, blob.sizeBytes);
    expect((await whole(source.read())).equals(bytes)).toBe(true);
    expect((await whole(source.read())).equals(bytes)).toBe(true);
    expect(await blobs.isIntact(blob)).toBe(true);
  });

  it('are rejected above the limit, and nothing is stored', async () => {
    await expect(blobs.put(pieces(randomBytes(5000)), 4999)).rejects.toMatchObject({
      name: 'TooManyBytesError',
      maxBytes: 4999,
    });
    expect(await names()).toEqual([]);
    await expect(blobs.put(pieces(randomBytes(5000)), 5000)).resolves.toMatchObject({ sizeBytes: 5000 });
  });

  it('are not stored if reading fails', async () => {
    const broken = async function* () {
      yield await Promise.resolve(new Uint8Array(10));
      throw new Error('gone');
    };
    await expect(blobs.put(broken(), 100)).rejects.toThrow('gone');
    expect(await names()).toEqual([]);
  });

  it('are reported as not intact if they changed, were truncated, or are missing on disk', async () => {
    const blob = await blobs.put(pieces(new TextEncoder().encode('hello')), 100);
    const path = join(folder.path, 'blobs', blob.blobId);
    for (const damaged of ['hellO', 'hell', 'hello!']) {
      await writeFile(path, damaged);
      expect(await blobs.isIntact(blob)).toBe(false);
    }
    await expect(whole(blobs.open(blob.blobId, blob.sizeBytes).read())).rejects.toThrow('expected 5 bytes, found 6');
    await blobs.release([blob]);
    expect(await blobs.isIntact(blob)).toBe(false);
  });

  it('are kept until every hold on them is released', async () => {
    const blob = await blobs.put(pieces(new Uint8Array(3)), 100);
    blobs.hold([blob]);
    blobs.hold([blob]);
    await blobs.release([blob]);
    expect(await names()).toEqual([blob.blobId]);
    await blobs.release([blob]);
    expect(await names()).toEqual([]);
  });

  it('are swept if nothing holds them and they are not new', async () => {
    const [held, fresh, forgotten] = [
      await blobs.put(pieces(new Uint8Array(1)), 100),
      await blobs.put(pieces(new Uint8Array(2)), 100),
      await blobs.put(pieces(new Uint8Array(3)), 100),
    ];
    blobs.hold([held]);
    const longAgo = new Date(Date.now() - 86_400_000);
    for (const { blobId } of [held, forgotten]) await utimes(join(folder.path, 'blobs', blobId), longAgo, longAgo);
    await blobs.sweep();
    expect((await names()).sort()).toEqual([held.blobId, fresh.blobId].sort());
  });

  it('can be opened by generated IDs only', () => {
    expect(() => blobs.open('../../etc/passwd', 1)).toThrow('not a blob id');
  });
});
