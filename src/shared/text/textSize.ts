/** The size of a text in UTF-8, in bytes. Only for the host; encoding the text would take up to ten times as long. */
export function textSizeBytes(text: string): number {
  return Buffer.byteLength(text);
}
