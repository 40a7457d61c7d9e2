import { describe, expect, it } from 'vitest';
import { mediaTypeOf, sampleBytes } from '../../../../src/host/files/mediaType.ts';

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('the media type detected from the first bytes of a file', () => {
  it.each([
    ['application/pdf', bytes('%PDF-1.7\n', [0xff])],
    ['image/png', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a])],
    ['image/jpeg', bytes([0xff, 0xd8, 0xff, 0xe0])],
    ['image/gif', bytes('GIF89a')],
    ['image/webp', bytes('RIFF', [1, 2, 3, 4], 'WEBPVP8 ')],
    ['application/zip', bytes('PK', [3, 4, 0])],
    ['application/gzip', bytes([0x1f, 0x8b, 8])],
    ['text/plain', bytes('just words\n')],
    ['text/plain', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['text/plain', bytes([0xef, 0xbb, 0xbf], 'Grüße, 世界 👋')],
    ['application/octet-stream', bytes('words', [0], 'and a zero')],
    ['application/octet-stream', bytes([0xc4], 'pfel in Latin 1')],
    ['application/octet-stream', bytes('RIFF', [1, 2, 3, 0], 'WAVE')],
  ])('is %s', (mediaType, sample) => expect(mediaTypeOf(sample)).toBe(mediaType));

  it('is text if the sample ends in the middle of a character', () => {
    const text = Buffer.from(`${'x'.repeat(sampleBytes - 2)}👋 and on`);
    expect(mediaTypeOf(text.subarray(0, sampleBytes))).toBe('text/plain');
  });
});
