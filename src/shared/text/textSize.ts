/**
 * The size of a text in UTF-8, in bytes. Only for the host, because the page has no `Buffer`. Encoding the text to
 * measure it would take up to ten times as long.
 */
export function textSizeBytes(text: string): number {
  return Buffer.byteLength(text);
}
