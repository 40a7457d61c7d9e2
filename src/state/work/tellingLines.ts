/**
 * The minimum number of characters in a telling text, without white space, or in a telling line. Shorter texts occur in
 * almost any file.
 */
const minTelling = 12;

/** The maximum number of characters of a text or line that are read. */
const maxRead = 2_000;

/** Whether a text is so long that it is unlikely to be in another file by accident. */
export function isTellingText(text: string): boolean {
  return text.trim().slice(0, maxRead).replaceAll(/\s/g, '').length >= minTelling;
}

/** Whether a line has a word and is so long that it is unlikely to be in another file by accident. */
export function isTellingLine(line: string): boolean {
  const own = line.trim().slice(0, maxRead);
  return own.length >= minTelling && /\w{3}/.test(own);
}
