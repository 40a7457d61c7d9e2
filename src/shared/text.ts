/**
 * Translates a sentence for people and fills `{0}`, `{1}`, ... in. Handed in by whoever may import the editor; the
 * English sentence is the key.
 */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/**
 * Characters that can make text pretend to be other text or to stand elsewhere: bidirectional overrides, embeddings and
 * isolates, zero-width spaces, byte order marks, tag characters, control characters.
 */
const disguises =
  // eslint-disable-next-line no-control-regex -- control characters are part of what has to be made visible
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

const firstStrongIsolate = '\u2068';
const popIsolate = '\u2069';

/**
 * Server text for a single line outside the page: a title, a tag, a file name (R4). White space is folded, characters
 * that disguise are shown as `<U+202E>`, and the whole is cut at `maxLength` characters.
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

/** Like {@link plainLine}, and isolated, so that right-to-left text does not reorder what stands beside it. */
export function isolatedLine(text: string, maxLength = 200): string {
  return `${firstStrongIsolate}${plainLine(text, maxLength)}${popIsolate}`;
}

/** A number of bytes for people: `900 B`, `1.2 KB`, `3.4 MB` (1 KB is 1,000 bytes, as file dialogs show it). */
export function byteSize(sizeBytes: number): string {
  if (sizeBytes < 1_000) return `${sizeBytes} B`;
  // What would round to 1000 KB is already 1.0 MB.
  const [value, unit] = sizeBytes < 999_500 ? [sizeBytes / 1_000, 'KB'] : [sizeBytes / 1_000_000, 'MB'];
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** The length of `sizeBytes` bytes as base64, which is what travels. */
export function base64Size(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3) * 4;
}

/** A count for people, with the separators of this machine: `1,200`. */
export function wholeNumber(count: number): string {
  // The first format of a window takes longer than drawing a conversation; small numbers need none.
  return Math.abs(count) < 1_000 ? String(count) : count.toLocaleString();
}

/** How many bytes a base64 text stands for. */
export function base64SizeBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
