import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLocalFile, readLocalStart } from '../../../../src/host/files/localFile.ts';
import { contentOfText } from '../../../../src/host/editors/pickedContent.ts';

/** Reads all content. Copies each chunk, because a chunk is valid only until the next one. */
async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Uint8Array[] = [];
  for await (const piece of pieces) copies.push(piece.slice());
  return Buffer.concat(copies);
}

describe('picked text', () => {
  it('is UTF-8, measured in bytes, and can be read again', async () => {
    const text = '\ufeffGrüße, 世界 👋\r\n';
    const content = contentOfText(text, { name: 'greeting.txt' });
    expect(content).toMatchObject({ kind: 'file', mediaType: 'text/plain', isUnsaved: false, name: 'greeting.txt' });
    expect(content.sizeBytes).toBe(Buffer.byteLength(text));
    for (let count = 0; count < 2; count++) expect(await gathered(content.read())).toEqual(Buffer.from(text));
  });
});

describe('a local file', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'picked-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([0, 1, 192 * 1024 - 1, 192 * 1024, 192 * 1024 + 1, 1_000_003])('of %i bytes is read fully', async (size) => {
    const bytes = randomBytes(size);
    const path = join(folder, `${size}.bin`);
    await writeFile(path, bytes);
    expect((await gathered(readLocalFile(path))).equals(bytes)).toBe(true);
    expect(Buffer.from(await readLocalStart(path, 100)).equals(bytes.subarray(0, 100))).toBe(true);
  });

  it("that doesn't exist fails with the system error", async () => {
    await expect(gathered(readLocalFile(join(folder, 'none')))).rejects.toThrow('ENOENT');
    await expect(readLocalStart(join(folder, 'none'), 10)).rejects.toThrow('ENOENT');
  });
});
