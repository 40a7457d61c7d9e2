const mark = '[redacted]';

/** The shortest part of a secret to look for. Shorter parts would match unrelated text. */
const minPartLength = 8;
/** The maximum number of encodings around a secret, for example HTML inside a URL inside JSON. */
const maxDecodings = 3;

/**
 * Replaces secrets in `text` with `[redacted]`, and also any part of a secret that has at least 8 characters and half
 * of the secret's length. Finds them in uppercase and lowercase, as plain text, JSON-escaped, percent-encoded,
 * HTML-escaped, in up to three of these encodings inside each other, and encoded as base64 or base64url, even inside a
 * longer encoded string such as a whole header. The time is proportional to the length, but there are no pauses, so use
 * it only for errors and lines of the log, whose parts are at most 500 characters long.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const forms = [...new Set(secrets.flatMap(formsOf).map(lowerCase))];
  const views = forms.length === 0 ? [] : viewsOf(text);
  const found = views.flatMap((view) => forms.flatMap((form) => rangesIn(view, form)));
  found.sort((left, right) => left.start - right.start);
  let result = '';
  let copiedTo = 0;
  for (const { start, end } of found) {
    if (start >= copiedTo) result += text.slice(copiedTo, start) + mark;
    copiedTo = Math.max(copiedTo, end);
  }
  return result + text.slice(copiedTo);
}

/** The forms of a secret to search for in a decoded text: the secret itself, and base64, which isn't decoded. */
function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const encoded = [toBase64(secret), ...innerBase64(secret)];
  return [secret, ...encoded, ...encoded.map(toBase64Url)];
}

/**
 * The base64 fragments that `secret` produces in a longer encoded string: one for each possible offset within a 3-byte
 * group. Omits the characters at both ends that also depend on neighboring bytes.
 */
function innerBase64(secret: string): string[] {
  const sizeBytes = new TextEncoder().encode(secret).byteLength;
  const forms = [0, 1, 2].map((offset) => {
    const encoded = toBase64('\0'.repeat(offset) + secret);
    const start = Math.ceil((offset * 8) / 6);
    return encoded.slice(start, Math.floor(((offset + sizeBytes) * 8) / 6));
  });
  return forms.filter((form) => form.length >= minPartLength);
}

function toBase64Url(base64: string): string {
  return base64
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/(?<!=)=+$/, '');
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/**
 * A decoded text, and the index in the original text at which each of its characters starts. The last index is the end
 * of the original text.
 */
interface View {
  readonly text: string;
  readonly starts: readonly number[];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The text in lower case, and the results of decoding it one to three times, as far as each step changes it. */
function viewsOf(text: string): View[] {
  let last: View = { text: lowerCase(text), starts: Array.from({ length: text.length + 1 }, (_, index) => index) };
  const views = [last];
  while (views.length <= maxDecodings) {
    const next = decoded(last);
    if (next.text === last.text) break;
    views.push(next);
    last = next;
  }
  return views;
}

/** Lowercases ASCII letters only, so that the length stays the same. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const encodedCharacter =
  /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(["'\\/]))|((?:%[0-9a-f]{2})+)|&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));?/g;
const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded({ text, starts }: View): View {
  let result = '';
  const resultStarts: number[] = [];
  const copy = (from: number, to: number) => {
    result += text.slice(from, to);
    for (const start of starts.slice(from, to)) resultStarts.push(start);
  };
  let copiedTo = 0;
  for (const match of text.matchAll(encodedCharacter)) {
    const [whole, unicode, byte, escaped, percent, decimal, hex, name] = match;
    const character =
      escaped ?? namedEntities[name ?? ''] ?? codePoint(decimal, 10) ?? codePoint(unicode ?? byte ?? hex, 16);
    copy(copiedTo, match.index);
    const units =
      percent === undefined ? [[character ?? whole, match.index] as const] : percentDecoded(percent, match.index);
    for (const [unit, index] of units) {
      result += lowerCase(unit);
      for (let left = unit.length; left > 0; left--) resultStarts.push(starts[index] ?? 0);
    }
    copiedTo = match.index + whole.length;
  }
  copy(copiedTo, text.length);
  return { text: result, starts: [...resultStarts, starts.at(-1) ?? 0] };
}

function codePoint(digits: string | undefined, radix: number): string | undefined {
  if (digits === undefined) return undefined;
  const code = Number.parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Decodes a run of `%xx`, as UTF-8 where it is valid and as Latin-1 otherwise. Each character comes with its index. */
function percentDecoded(run: string, index: number): (readonly [string, number])[] {
  const units: (readonly [string, number])[] = [];
  for (let at = 0; at < run.length;) {
    const first = Number.parseInt(run.slice(at + 1, at + 3), 16);
    const length = first < 0xc0 ? 3 : first < 0xe0 ? 6 : first < 0xf0 ? 9 : 12;
    const character = percentDecodedOrNone(run.slice(at, at + length));
    units.push([character ?? String.fromCharCode(first), index + at]);
    at += character === undefined ? 3 : length;
  }
  return units;
}

function percentDecodedOrNone(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The ranges of the original text that show `form` or a large enough part of it. Every such part covers one of the
 * blocks into which the text is divided, so only these blocks are searched for.
 */
function rangesIn({ text, starts }: View, form: string): Range[] {
  const shortest = Math.min(form.length, Math.max(minPartLength, Math.ceil(form.length / 2)));
  const blockLength = Math.floor((shortest + 1) / 2);
  const ranges: Range[] = [];
  for (let at = 0; at + blockLength <= text.length; at += blockLength) {
    const block = text.slice(at, at + blockLength);
    for (let place = form.indexOf(block); place !== -1; place = form.indexOf(block, place + 1)) {
      let before = 0;
      while (place > before && at > before && form[place - before - 1] === text[at - before - 1]) before++;
      let after = blockLength;
      while (place + after < form.length && at + after < text.length && form[place + after] === text[at + after])
        after++;
      if (before + after < shortest) continue;
      ranges.push({ start: starts[at - before] ?? 0, end: starts[at + after] ?? 0 });
    }
  }
  return ranges;
}
