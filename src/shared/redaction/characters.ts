import { NameKinds } from './secretNames.ts';

/** Sets of characters, as bits: a character belongs to a set if its entry in the table has one of the bits. */
export const alphanumeric = 1;
export const dashes = 2;
export const period = 4;
export const plusSlash = 8;
export const equals = 16;
export const tilde = 32;
/** Characters that end a value in code, a query, or a list, but not in a line of a settings file. */
const punctuation = 64;
/**
 * Other signs, such as `$` and `:`, and everything outside ASCII except the ellipsis. ASCII white space, control
 * characters, quotation marks, and the backslash are in no set.
 */
export const other = 128;

/** Letters, digits, hyphen, and underscore, as in base64url. */
export const wordCharacters = alphanumeric | dashes;
/** The characters of names, which can consist of parts with periods between them. */
export const wordOrPeriod = wordCharacters | period;
/** Standard base64. */
export const base64Characters = alphanumeric | plusSlash | equals;
/** Everything that a value without quotation marks can contain in a line of a settings file. */
export const lineCharacters = 255;
/** The same in code or in a query. */
export const codeCharacters = lineCharacters & ~punctuation;

const bits = Uint8Array.from({ length: 128 }, (_, code) => bitsOf(String.fromCharCode(code)));

function bitsOf(character: string): number {
  if (/[A-Za-z0-9]/.test(character)) return alphanumeric;
  if (/[\s"'`\\]/.test(character) || character < ' ') return 0;
  const sets = { '-_': dashes, '.': period, '+/': plusSlash, '=': equals, '~': tilde, ',;&()[]{}<>|': punctuation };
  return Object.entries(sets).find(([characters]) => characters.includes(character))?.[1] ?? other;
}

/**
 * Whether a character belongs to a set. Characters outside ASCII belong to {@link other}, except the ellipsis, which is
 * in no set.
 */
export function isIn(set: number, code: number): boolean {
  return ((code < 128 ? (bits[code] ?? 0) : code === 0x2026 ? 0 : other) & set) !== 0;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A longer run of characters isn't a secret. This maximum also limits the work of one step. */
const longestRun = 32_768;

/**
 * The last three runs of characters of a set. They are stored as numbers, not as objects, because a text can have a run
 * every few characters.
 */
class LatestRuns {
  readonly #starts = new Float64Array(3);
  readonly #ends = new Float64Array(3);
  #next = 0;

  /** The end of the run that contains `at`; undefined if none does. */
  endAround(at: number): number | undefined {
    for (let run = 0; run < 3; run++) {
      const end = this.#ends[run] ?? 0;
      if (at < end && at >= (this.#starts[run] ?? 0)) return end;
    }
    return undefined;
  }

  /** Remembers a run instead of the oldest one. */
  add(start: number, end: number): void {
    this.#starts[this.#next] = start;
    this.#ends[this.#next] = end;
    this.#next = (this.#next + 1) % 3;
  }
}

/**
 * A text that is searched once from its start to its end, with a count of the characters that were examined. Runs of
 * characters are remembered, so that candidates inside a run don't search for its end again.
 */
export class SearchedText {
  readonly text: string;
  /** The number of characters that were examined. A character counts each time it is examined. */
  examined = 0;
  readonly nameKinds = new NameKinds();
  readonly #runs = new Map<number, LatestRuns>();
  /** The end of the last `Cookie` header that was judged, so that headers inside it aren't judged again. */
  cookiesEnd = 0;
  /** The types of JSON Web Keys. */
  readonly keyTypes = new KeyTypes(this);

  constructor(text: string) {
    this.text = text;
  }

  /** The characters from `start` to `end`. A negative `start` counts as 0. */
  part(start: number, end: number): string {
    const part = this.text.slice(Math.max(0, start), end);
    this.examined += part.length;
    return part;
  }

  /**
   * The end of the run of characters of `set` that contains `from` or begins there, at most {@link longestRun}
   * characters later; `from` if there is none.
   */
  runEnd(set: number, from: number): number {
    const runs = this.#runsOf(set);
    const known = runs.endAround(from);
    if (known !== undefined) return known;
    const limit = Math.min(this.text.length, from + longestRun);
    let end = from;
    while (end < limit && isIn(set, this.text.charCodeAt(end))) end++;
    this.examined += end - from + 1;
    runs.add(from, end);
    return end;
  }

  #runsOf(set: number): LatestRuns {
    const known = this.#runs.get(set);
    if (known) return known;
    const runs = new LatestRuns();
    this.#runs.set(set, runs);
    return runs;
  }

  /** The start of the run of characters of `set` that ends before `to`; at most `most` characters before `to`. */
  runStart(set: number, to: number, most: number): number {
    const limit = Math.max(0, to - most);
    let start = to;
    while (start > limit && isIn(set, this.text.charCodeAt(start - 1))) start--;
    this.examined += to - start + 1;
    return start;
  }

  /** The first index from `from` on that has no space or tab; at most 64 are skipped. */
  afterBlanks(from: number): number {
    let at = from;
    while (at - from < 64 && isBlank(this.text.charCodeAt(at))) at++;
    this.examined += at - from + 1;
    return at;
  }

  /** The index after the last character before `to` that isn't one of `characters`; at most `most` are skipped. */
  before(to: number, characters: string, most = 40): number {
    const limit = Math.max(0, to - most);
    let at = to;
    while (at > limit && characters.includes(this.text.charAt(at - 1))) at--;
    this.examined += to - at + 1;
    return at;
  }

  /** The index after the last character before `to` that is no space or tab; at most 64 are skipped. */
  beforeBlanks(to: number): number {
    return this.before(to, ' \t', 64);
  }

  /** The part of the line before `to`; at most `most` characters. */
  lineBefore(to: number, most: number): string {
    const part = this.part(Math.max(0, to - most), to);
    return part.slice(Math.max(part.lastIndexOf('\n'), part.lastIndexOf('\r')) + 1);
  }
}

/** The maximum distance between the type and a private member of a JSON Web Key with 4,096 bits, in characters. */
const longestKey = 3_000;

/**
 * Finds the types of JSON Web Keys near parts of a text, which must be queried in the order of the text. Each part is
 * searched once.
 */
class KeyTypes {
  readonly #source: SearchedText;
  #searchedTo = 0;
  #last: number | undefined;

  constructor(source: SearchedText) {
    this.#source = source;
  }

  /** Whether the type of a key is near the text from `start` to `end`. */
  isNear(start: number, end: number): boolean {
    // A type can begin before the end of what was searched.
    const from = Math.max(start - longestKey, this.#searchedTo - 4);
    this.#searchedTo = Math.max(this.#searchedTo, end + longestKey);
    const part = this.#source.part(from, this.#searchedTo);
    for (const { index } of part.matchAll(/\bkty\b/g)) this.#last = from + index;
    return this.#last !== undefined && this.#last >= start - longestKey;
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
