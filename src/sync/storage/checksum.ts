import { crc32 } from 'node:zlib';

/** The characters before the JSON text: a CRC-32 in 8 hex digits, and a space. */
const prefixLength = 9;

/** Encodes a value as a line: the CRC-32 of its JSON text in 8 hex digits, a space, the JSON text, and a line break. */
export function withChecksum(value: unknown): string {
  const json = JSON.stringify(value);
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

/** The JSON texts of the lines that {@link withChecksum} encoded, up to the first damaged or incomplete line. */
export function* checkedLines(text: string): Generator<string, void, undefined> {
  for (let start = 0; ;) {
    const end = text.indexOf('\n', start);
    if (end === -1) return;
    const json = text.slice(start + prefixLength, end);
    if (Number.parseInt(text.slice(start, start + 8), 16) !== crc32(json)) return;
    yield json;
    start = end + 1;
  }
}

/** The text of a line without its checksum, which is not verified; the whole text if it has no checksum. */
export function withoutChecksum(text: string): string {
  return /^[0-9a-f]{8} /.test(text) ? text.slice(prefixLength) : text;
}
