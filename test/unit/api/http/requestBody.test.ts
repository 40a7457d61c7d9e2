import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeBase64, jsonBody, messageBody } from '../../../../src/api/http/requestBody.ts';
import type { RequestBody } from '../../../../src/api/http/transport.ts';

/** A source that yields `bytes` in chunks of the given sizes from one reused buffer, as a file reader may do. */
function source(bytes: Uint8Array, sizes: readonly number[] = [], sizeBytes = bytes.byteLength) {
  return {
    sizeBytes,
    // oxlint-disable-next-line typescript/require-await -- a source is asynchronous by its type
    async *read() {
      const shared = new Uint8Array(bytes.byteLength);
      let offset = 0;
      for (const size of [...sizes, bytes.byteLength]) {
        const piece = bytes.subarray(offset, offset + size);
        shared.fill(0xee);
        shared.set(piece);
        yield shared.subarray(0, piece.byteLength);
        offset += piece.byteLength;
      }
    },
  };
}

async function join(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return Buffer.concat(pieces);
}

async function wholeOf(body: RequestBody): Promise<string> {
  const whole = await join(body.chunks());
  expect(whole.byteLength).toBe(body.sizeBytes);
  return whole.toString();
}

describe('streaming base64', () => {
  it("equals Buffer's own encoding for any bytes in any chunks", async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), sizes, async (bytes, pieceSizes) => {
        const encoded = await join(encodeBase64(source(bytes, pieceSizes)));
        expect(encoded.toString()).toBe(Buffer.from(bytes).toString('base64'));
      }),
      { numRuns: 500 },
    );
  });

  it('yields chunks of bounded size for a large source in one chunk', async () => {
    const bytes = Buffer.alloc(1_000_003, 'Lineside');
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeBase64(source(bytes))) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe(bytes.toString('base64'));
    expect(Math.max(...pieces.map((piece) => piece.byteLength))).toBeLessThanOrEqual(64 * 1024);
  });

  it('yields no empty chunks for a source in small ones', async () => {
    for (const size of [1, 2, 3, 4]) {
      const pieces: Uint8Array[] = [];
      for await (const piece of encodeBase64(source(Buffer.alloc(6), [size, 0, size]))) pieces.push(piece);
      expect(pieces.filter(({ byteLength }) => byteLength === 0)).toEqual([]);
    }
  });

  it.each([
    ['longer', 2],
    ['shorter', 4],
  ])('fails with a specific error if the source is %s than declared', async (_name, sizeBytes) => {
    const body = messageBody({
      text: '',
      files: [{ bytes: source(Buffer.from('abc'), [1], sizeBytes), mediaType: 'a/b', name: 'n' }],
    });
    await expect(join(body.chunks())).rejects.toMatchObject({
      kind: 'invalidRequest',
      code: 'SIZE_CHANGED',
      message: 'The size of an attachment changed while the message was being sent.',
    });
  });

  it('never yields more than the declared size', async () => {
    const bytes = source(Buffer.alloc(200_000), [60_000, 60_000, 60_000], 100_000);
    const body = messageBody({ text: '', images: [{ bytes }] });
    let givenBytes = 0;
    const reading = async () => {
      for await (const chunk of body.chunks()) givenBytes += chunk.byteLength;
    };
    await expect(reading()).rejects.toMatchObject({ code: 'SIZE_CHANGED' });
    expect(givenBytes).toBeGreaterThan(0);
    expect(givenBytes).toBeLessThan(body.sizeBytes);
  });

  it("fails with a specific error if the source can't be read", async () => {
    const broken = {
      sizeBytes: 1,
      // oxlint-disable-next-line require-yield, typescript/require-await -- it fails before its first piece
      async *read(): AsyncGenerator<Uint8Array> {
        throw new Error('EACCES');
      },
    };
    const body = messageBody({ text: '', images: [{ bytes: broken }] });
    await expect(join(body.chunks())).rejects.toMatchObject({
      kind: 'invalidRequest',
      code: 'ATTACHMENT_UNREADABLE',
      message: 'An attachment could not be read while the message was being sent.',
    });
  });
});

describe('a message body', () => {
  it('is the JSON of the message, with exactly the declared size', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 50 });
    const file = fc.record({ data: fc.uint8Array({ maxLength: 50 }), name: text, parsedData: fc.option(text) });
    await fc.assert(
      fc.asyncProperty(text, fc.array(file, { maxLength: 3 }), fc.option(text), async (words, files, computerId) => {
        const body = messageBody({
          text: words,
          files: files.map(({ data, name, parsedData }) => ({
            bytes: source(data),
            mediaType: 'text/plain',
            name,
            parsedData: parsedData ?? undefined,
          })),
          computerId: computerId ?? undefined,
        });
        const expectedFiles = files.map(({ data, name, parsedData }) => ({
          type: 'base64',
          mediaType: 'text/plain',
          name,
          ...(parsedData !== null && { parsedData }),
          data: Buffer.from(data).toString('base64'),
        }));
        expect(JSON.parse(await wholeOf(body))).toEqual({
          text: words,
          ...(files.length > 0 && { files: expectedFiles }),
          ...(computerId !== null && { computerId }),
        });
      }),
    );
  });

  it('keeps long text intact, regardless of where it is split', async () => {
    for (const unit of ['\u{1f600}', 'x\u{1f600}', '\ud800', '"\\\n\u0000ü']) {
      const text = unit.repeat(100_000);
      expect(JSON.parse(await wholeOf(messageBody({ text })))).toEqual({ text });
    }
  });

  it('is sent in chunks of at least 32 KiB, and in one chunk if it is small', async () => {
    const sizesOf = async ({ chunks }: RequestBody) => {
      const sizes: number[] = [];
      for await (const { byteLength } of chunks()) sizes.push(byteLength);
      return sizes;
    };
    // The text is between {"text":" and "}.
    const ofText = (length: number) => sizesOf(messageBody({ text: 'x'.repeat(length) }));
    expect(await ofText(5)).toEqual([16]);
    expect(await ofText(32 * 1024 - 10)).toEqual([32 * 1024, 1]);
    expect(await ofText(32 * 1024 - 9)).toEqual([32 * 1024, 2]);
    expect(await ofText(64 * 1024 + 1)).toEqual([64 * 1024 + 9, 3]);
    const image = { bytes: source(Buffer.alloc(24 * 1024)) };
    expect(await sizesOf(messageBody({ text: '', images: [image] }))).toHaveLength(2);
    expect(await sizesOf(jsonBody('x'.repeat(32 * 1024)))).toEqual([32 * 1024 + 2]);
  });

  it('contains only the type and data of each image', async () => {
    const images = ['a', 'b'].map((letter) => ({ bytes: source(Buffer.from(letter)) }));
    const data = ['a', 'b'].map((letter) => Buffer.from(letter).toString('base64'));
    expect(JSON.parse(await wholeOf(messageBody({ text: '', images })))).toEqual({
      text: '',
      images: data.map((encoded) => ({ type: 'base64', data: encoded })),
    });
  });

  it.each(['a', 'a/b', 'a..b/..c', 'a/b:c', '1:a'])('can have the path %s', async (path) => {
    const file = { bytes: source(Buffer.from('a')), mediaType: 'a/b', name: 'n', path };
    expect(JSON.parse(await wholeOf(messageBody({ text: '', files: [file] })))).toMatchObject({ files: [{ path }] });
  });

  it.each(['/etc/passwd', 'C:\\a', 'c:/a', '\\\\server\\share', 'file:///a', '../a', 'a/../../b', 'a\\..\\b'])(
    'rejects the path %s',
    (path) => {
      const file = { bytes: source(Buffer.from('a')), mediaType: 'a/b', name: 'n', path };
      expect(() => messageBody({ text: '', files: [file] })).toThrow('relative');
    },
  );

  it('can be streamed more than once', async () => {
    const body = messageBody({ text: 'a', images: [{ bytes: source(Buffer.from('abc')) }] });
    expect(await wholeOf(body)).toBe(await wholeOf(body));
    expect(await wholeOf(jsonBody({ ü: 1 }))).toBe('{"ü":1}');
  });
});
