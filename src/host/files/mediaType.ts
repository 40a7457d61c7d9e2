/** Number of bytes at the start of a file that are used to detect its media type. */
export const sampleBytes = 8_192;

const signatures: readonly (readonly [mediaType: string, offset: number, bytes: readonly number[]])[] = [
  ['application/pdf', 0, [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
  ['application/zip', 0, [0x50, 0x4b, 0x03, 0x04]],
  ['application/gzip', 0, [0x1f, 0x8b]],
];

/**
 * Detects the media type of a file from its first bytes (spec 10.12): the type of a known signature, `text/plain` for
 * UTF-8 without null bytes, otherwise `application/octet-stream`.
 */
export function mediaTypeOf(sample: Uint8Array): string {
  const known = signatures.find(([, offset, bytes]) => bytes.every((byte, index) => sample[offset + index] === byte));
  if (known) return known[0];
  return isUtf8Text(sample) ? 'text/plain' : 'application/octet-stream';
}

/** Whether the bytes can be the start of UTF-8 text. The last character may be incomplete. */
function isUtf8Text(sample: Uint8Array): boolean {
  if (sample.some((byte) => byte === 0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}
