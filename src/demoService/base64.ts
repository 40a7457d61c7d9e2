const sextets = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Whether `text` is base64 as RFC 4648 section 4 has it: not empty, padded, without white space or other foreign
 * characters, unused bits zero. Takes time in proportion to the length, whatever the text.
 */
export function isBase64(text: string): boolean {
  if (text.length === 0 || text.length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.slice(0, text.length - padding);
  if (/[^A-Za-z0-9+/]/.test(digits)) return false;
  const unusedBits = sextets.indexOf(digits.slice(-1)) & ((1 << (padding * 2)) - 1);
  return unusedBits === 0;
}

/** How many bytes valid base64 stands for. */
export function base64SizeBytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return (data.length / 4) * 3 - padding;
}

/** The first `sizeBytes` bytes (or a few less) that valid base64 stands for, without decoding the rest. */
export function base64Start(data: string, sizeBytes: number): Buffer {
  return Buffer.from(data.slice(0, Math.floor(sizeBytes / 3) * 4), 'base64');
}
