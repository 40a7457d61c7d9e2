import type { Formats, PluralForms } from './formats.ts';
import { startOfText } from './text/cutPoint.ts';
import { visibleText } from './text/hiddenCharacters.ts';

/**
 * A sentence about a number, in the plural forms of English. The first number among its values selects the form. `one`
 * is absent if the sentence is the same for 1, or is never used for 1.
 */
export interface Counted {
  readonly one?: string;
  readonly other: string;
}

/** Translates user-visible strings. */
export interface Translate {
  /**
   * Returns the translation, with `{0}`, `{1}`, and so on replaced by the values. Numbers get the separators of the
   * display language. The English string is the key.
   */
  (message: string | Counted, ...values: readonly (string | number)[]): string;
  /** Returns all plural forms, with placeholders, for the page. */
  forms(message: Counted): PluralForms;
  readonly formats: Formats;
}

const firstStrongIsolate = '\u2068';
const popIsolate = '\u2069';

/**
 * Prepares service text (a title, a tag, a file name) for one line outside the page (R4). White space is collapsed,
 * hidden characters are written as codes such as `<U+202E>`, and the text is truncated to `maxLength` characters.
 */
export function plainLine(text: string, maxLength = 200): string {
  const folded = startOfText(text, maxLength * 4).replace(/\s+/g, ' ');
  const characters = Array.from(visibleText(folded).trim());
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : characters.join('');
}

/**
 * Like {@link plainLine}, but with bidirectional isolation, so that right-to-left text doesn't reorder the text around
 * it.
 */
export function isolatedLine(text: string, maxLength = 200): string {
  return `${firstStrongIsolate}${plainLine(text, maxLength)}${popIsolate}`;
}

/** Percent-encodes a part of a URI. Lone surrogates, which can't be encoded, become replacement characters. */
export function uriPart(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}

/** The number of characters needed to encode `sizeBytes` bytes as base64, with padding. */
export function base64Size(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3) * 4;
}

/** Characters that are drawn about twice as wide as letters: East Asian scripts, and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/**
 * Shortens a line so that it and its ellipsis are about as wide as `maxWidth` letters. Cuts it at the end of a word, or
 * inside a word that takes more than a third of the width. Returns the line unchanged if `maxWidth` is 0 or less.
 */
export function shortenedLine(line: string, maxWidth: number): string {
  if (maxWidth <= 0 || line.length * 2 <= maxWidth) return line;
  const characters = Array.from(line);
  let width = 0;
  for (const [index, character] of characters.entries()) {
    width += wide.test(character) ? 2 : 1;
    if (width > maxWidth) return `${cutAtWord(characters, Math.max(0, index - 1))}…`;
  }
  return line;
}

/** A word that would lose at most this many letters is kept whole. */
const maxOverhang = 2;

/**
 * About the first `most` characters, up to the end of a word, or exactly these if that would omit more than a third.
 * Omits a punctuation mark at the end.
 */
function cutAtWord(characters: readonly string[], most: number): string {
  const end = characters.indexOf(' ', most);
  const space = end >= 0 && end <= most + maxOverhang ? end : characters.lastIndexOf(' ', most);
  return characters
    .slice(0, space > (most * 2) / 3 ? space : most)
    .join('')
    .replace(/[\s,.;:–—-]$/, '');
}

/**
 * Lists the first `most` names, each as plain text of at most `maxLength` characters, and then the number of the others
 * if there are any.
 */
export function namesList(names: readonly string[], most: number, maxLength: number, t: Translate): string {
  const list = t.formats.list(names.slice(0, most).map((name) => plainLine(name, maxLength)));
  return names.length > most ? t('{0} and {1} more', list, names.length - most) : list;
}

/** The number of bytes that a base64 string encodes. */
export function base64SizeBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

/** Splits a line into its sentences, at white space that follows the end of a sentence. */
export function splitSentences(line: string): string[] {
  return line.split(/(?<=[.!?。！？])\s+/);
}
