import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLocalFile, readLocalStart } from '../../../../src/host/files/localFile.ts';
import { contentOfText } from '../../../../src/host/editors/pickedContent.ts';

/** What is read, copied piece by piece: each piece is good until the next one only. */
async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Uint8Array[] = [];
  for await (const piece of pieces) copies.push(piece.slice());
  return Buffer.concat(copies);
}

describe('a text that is picked', () => {
  it('is UTF-8, counted in bytes, and can be read again', async () => {
    const text = '\ufeffGrüße, 世界 👋\r\n';
    const content = contentOfText(text, { name: 'greeting.txt' });
    expect(content).toMatchObject({ kind: 'file', mediaType: 'text/plain', isUnsaved: false, name: 'greeting.txt' });
    expect(content.sizeBytes).toBe(Buffer.byteLength(text));
    for (let count = 0; count < 2; count++) expect(await gathered(content.read())).toEqual(Buffer.from(text));
  });
});

describe('a file of this machine', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'picked-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([0, 1, 192 * 1024 - 1, 192 * 1024, 192 * 1024 + 1, 1_000_003])('of %i bytes is read whole', async (size) => {
    const bytes = randomBytes(size);
    const path = join(folder, `${size}.bin`);
    await writeFile(path, bytes);
    expect((await gathered(readLocalFile(path))).equals(bytes)).toBe(true);
    expect(Buffer.from(await readLocalStart(path, 100)).equals(bytes.subarray(0, 100))).toBe(true);
  });

  it('that is not there is told by the system', async () => {
    await expect(gathered(readLocalFile(join(folder, 'none')))).rejects.toThrow('ENOENT');
    await expect(readLocalStart(join(folder, 'none'), 10)).rejects.toThrow('ENOENT');
  });
});
