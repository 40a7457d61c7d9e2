import { createGzip } from 'node:zlib';

const chunkBytes = 1024 * 1024;

/** Compresses about `sizeBytes` of JSON (one long string) to roughly a thousandth of that size. */
export async function gzipBomb(sizeBytes: number): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const pieces: Buffer[] = [];
  const filler = Buffer.alloc(chunkBytes, 'a');
  const feeding = (async () => {
    gzip.write('{"messages":["');
    for (let written = 0; written < sizeBytes; written += chunkBytes) {
      if (!gzip.write(filler)) await new Promise((resolve) => gzip.once('drain', resolve));
    }
    gzip.end('"],"pagination":{"hasMore":false}}');
  })();
  for await (const piece of gzip) pieces.push(piece as Buffer);
  await feeding;
  return Buffer.concat(pieces);
}
