/** Translates a user-visible string and inserts values for `{0}`, `{1}`, and so on. The English string is the key. */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/**
 * Characters that can make text look like other text or change its visual order: bidirectional overrides, embeddings,
 * and isolates, zero-width spaces, byte order marks, tag characters, and control characters.
 */
const disguises =
  // eslint-disable-next-line no-control-regex -- the pattern is meant to match control characters
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

const firstStrongIsolate = '\u2068';
const popIsolate = '\u2069';

/**
 * Prepares service text (a title, a tag, a file name) for one line outside the page (R4). White space is collapsed,
 * deceptive characters are shown in the form `<U+202E>`, and the text is truncated to `maxLength` characters.
 */
export function plainLine(text: string, maxLength = 200): string {
  const folded = text.slice(0, maxLength * 4).replace(/[\s\u2028\u2029]+/g, ' ');
  const visible = folded.replace(disguises, (character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? '';
    return `<U+${code}>`;
  });
  const characters = Array.from(visible.trim());
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : characters.join('');
}

/**
 * Like {@link plainLine}, but with bidirectional isolation, so that right-to-left text doesn't reorder the text around
 * it.
 */
export function isolatedLine(text: string, maxLength = 200): string {
  return `${firstStrongIsolate}${plainLine(text, maxLength)}${popIsolate}`;
}

/** Formats a size: `900 B`, `1.2 KB`, `3.4 MB`. 1 KB is 1,000 bytes, as in file dialogs. */
export function byteSize(sizeBytes: number): string {
  if (sizeBytes < 1_000) return `${sizeBytes} B`;
  // A size that would be rounded to 1000 KB is shown as 1.0 MB.
  const [value, unit] = sizeBytes < 999_500 ? [sizeBytes / 1_000, 'KB'] : [sizeBytes / 1_000_000, 'MB'];
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** The number of characters needed to encode `sizeBytes` bytes as base64, with padding. */
export function base64Size(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3) * 4;
}

/** Formats a count with the separators of the locale, for example `1,200`. */
export function wholeNumber(count: number): string {
  // The first call to toLocaleString in a window is slow, and small numbers don't need it.
  return Math.abs(count) < 1_000 ? String(count) : count.toLocaleString();
}

/**
 * The first `most` names, each as plain text of at most `maxLength` characters, and then the number of the others if
 * there are any.
 */
export function firstNames(names: readonly string[], most: number, maxLength: number, t: Translate): string[] {
  const shown = names.slice(0, most).map((name) => plainLine(name, maxLength));
  const moreCount = names.length - shown.length;
  return moreCount > 0 ? [...shown, t('and {0} more', wholeNumber(moreCount))] : shown;
}

/** The number of bytes that a base64 string encodes. */
export function base64SizeBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

/** The size of a text in UTF-8, in bytes. */
export function textSizeBytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
