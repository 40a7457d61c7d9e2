import { replaceHidden } from '../../shared/text/hiddenCharacters.ts';

/** Device names, which Windows doesn't allow as file names, even with an extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
/** File systems allow names of 255 bytes or UTF-16 code units; a file dialog may append an extension. */
const mostBytes = 240;
const mostCharacters = 120;

/**
 * Turns any text into a file name that is valid on all file systems and not hidden, without hidden characters and
 * without blanks that move its extension out of view. A long name keeps its extension.
 * The line range of a selection moves before the extension: `basket.ts#L15-L20` becomes `basket-L15-L20.ts`.
 */
export function fileName(name: string): string {
  const selected = name.replace(/^(.*?)(\.[^.#]*)?#(L\d+(?:-L\d+)?)$/s, '$1-$3$2');
  const plain = replaceHidden(selected, () => '_')
    .replace(/[\\/:*?"<>|\t\n]/g, '_')
    .replace(/\p{Zs}+/gu, ' ')
    .replace(/^[.\s]+/, '');
  const extension = /\.[^.\s]{1,10}$/u.exec(plain)?.[0] ?? '';
  const stem = shortened(plain.slice(0, plain.length - extension.length), extension);
  // Windows removes trailing dots and spaces, so the file would get a different name.
  const short = `${stem}${extension}`.replace(/(?<![.\s])[.\s]+$/, '');
  if (short === '') return 'document';
  return deviceName.test(short) ? `_${short}` : short;
}

/** The longest prefix that is within both limits together with its extension and doesn't end inside a character. */
function shortened(text: string, extension: string): string {
  const mostLength = mostCharacters - extension.length;
  let length = 0;
  let bytes = Buffer.byteLength(extension);
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes || length + character.length > mostLength) break;
    length += character.length;
  }
  return text.slice(0, length);
}
