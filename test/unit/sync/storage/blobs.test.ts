import { createHash, randomBytes } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { Blobs } from '../../../../src/sync/storage/blobs.ts';
import { FakeClock } from '../../../fakes/clock.ts';
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

  it('are read in chunks that need no padding in Base64, except the last', async () => {
    const { blobId, sizeBytes } = await blobs.put(pieces(new Uint8Array(700_001)), 1_000_000);
    const sizes: number[] = [];
    for await (const chunk of blobs.open(blobId, sizeBytes).read()) sizes.push(chunk.byteLength);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.slice(0, -1).filter((size) => size % 3 !== 0)).toEqual([]);
  });

  it('are not checked further after the check is aborted', async () => {
    const blob = await blobs.put(pieces(new Uint8Array(3)), 100);
    expect(await blobs.isIntact(blob, AbortSignal.abort())).toBe(false);
    expect(await blobs.isIntact(blob, new AbortController().signal)).toBe(true);
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
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    for (const { blobId } of [held, forgotten]) await utimes(join(folder.path, 'blobs', blobId), longAgo, longAgo);
    await blobs.sweep();
    expect((await names()).sort()).toEqual([held.blobId, fresh.blobId].sort());
  });

  it('are swept when they are more than a day old, without other files of the folder', async () => {
    const clock = new FakeClock();
    blobs = new Blobs(folder.path, silentLog, clock);
    await blobs.sweep();
    const { blobId } = await blobs.put(pieces(new Uint8Array(1)), 100);
    const others = ['notes.txt', `${blobId}.bak`, `old-${blobId}`];
    for (const name of others) await writeFile(join(folder.path, 'blobs', name), '');
    for (const name of [blobId, ...others])
      await utimes(join(folder.path, 'blobs', name), clock.now() / 1000, clock.now() / 1000);
    clock.jump(86_400_000);
    await blobs.sweep();
    expect(await names()).toHaveLength(4);
    clock.jump(1);
    await blobs.sweep();
    expect((await names()).sort()).toEqual(others.sort());
  });

  it('stay on disk when another window took the records that hold them, until they are swept', async () => {
    const clock = new FakeClock(Date.now() + 2 * 86_400_000);
    blobs = new Blobs(folder.path, silentLog, clock);
    const blob = await blobs.put(pieces(new Uint8Array(1)), 100);
    for (let hold = 0; hold < 3; hold++) blobs.hold([blob]);
    blobs.forget([blob]);
    await blobs.release([blob]);
    await blobs.sweep();
    expect(await names()).toEqual([blob.blobId]);
    blobs.forget([blob]);
    expect(await names()).toEqual([blob.blobId]);
    await blobs.sweep();
    expect(await names()).toEqual([]);
  });

  it('can be opened by generated IDs only', async () => {
    const { blobId } = await blobs.put(pieces(new Uint8Array(1)), 100);
    for (const foreign of ['../../etc/passwd', `../${blobId}`, `${blobId}/..`, blobId.slice(1), ''])
      expect(() => blobs.open(foreign, 1)).toThrow('not a blob id');
  });
});
