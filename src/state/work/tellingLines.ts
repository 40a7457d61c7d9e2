/** Shorter texts occur in almost any file. The number is that of characters other than white space. */
const minTelling = 12;

/** Longer texts are read only up to here. */
const maxRead = 2_000;

/** Whether a text has enough characters that it is hardly in another file by accident. */
export function isTellingText(text: string): boolean {
  return text.trim().slice(0, maxRead).replaceAll(/\s/g, '').length >= minTelling;
}

/** Whether a line is long enough that it is hardly in another file by accident. */
export function isTellingLine(line: string): boolean {
  const own = line.trim().slice(0, maxRead);
  return own.length >= minTelling && /\w{3}/.test(own);
}
