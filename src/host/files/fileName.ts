/** Device names, which Windows doesn't allow as file names, even with an extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
/** File systems allow names of 255 bytes or UTF-16 code units; a file dialog may append an extension. */
const mostBytes = 240;
const mostCharacters = 120;

/**
 * Turns any text into a file name that is valid on all file systems and not hidden. The line range of a selection moves
 * before the extension: `basket.ts#L15-L20` becomes `basket-L15-L20.ts`.
 */
export function fileName(name: string): string {
  const plain = name
    .replace(/^(.*?)(\.[^.#]*)?#(L\d+(?:-L\d+)?)$/s, '$1-$3$2')
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}\p{Cs}]/gu, '_')
    .replace(/^[.\s]+/, '');
  // Windows removes trailing dots and spaces, so the file would get a different name.
  const short = shortened(plain).replace(/(?<![.\s])[.\s]+$/, '');
  if (short === '') return 'document';
  return deviceName.test(short) ? `_${short}` : short;
}

/** The longest prefix within both limits that doesn't end inside a character. */
function shortened(text: string): string {
  let length = 0;
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes || length + character.length > mostCharacters) break;
    length += character.length;
  }
  return text.slice(0, length);
}
