const sextets = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Whether `text` is valid base64 as defined in RFC 4648, section 4: not empty, padded, without other characters, and
 * with unused bits set to zero. Runs in linear time for any input.
 */
export function isBase64(text: string): boolean {
  if (text.length === 0 || text.length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.slice(0, text.length - padding);
  if (/[^A-Za-z0-9+/]/.test(digits)) return false;
  const unusedBits = sextets.indexOf(digits.slice(-1)) & ((1 << (padding * 2)) - 1);
  return unusedBits === 0;
}

/** Decodes the first `sizeBytes` bytes (or up to 2 fewer) of valid base64, without decoding the rest. */
export function base64Start(data: string, sizeBytes: number): Buffer {
  return Buffer.from(data.slice(0, Math.floor(sizeBytes / 3) * 4), 'base64');
}
