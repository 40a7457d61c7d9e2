import { addressSecretAt } from './addresses.ts';
import { assignedSecretAt } from './assignments.ts';
import { SearchedText, tilde, wordOrPeriod } from './characters.ts';
import { type Finding, issuerTokenAt, unknownTokenIn } from './issuerTokens.ts';
import { keyBlockAt, puttyKeyAt } from './keyBlocks.ts';

/** Begins a sequence that changes the color of text in a terminal. */
const terminalEscape = '\u001b';

/** The kinds of characters that the loop over a text distinguishes. */
const [nothing, word, joiner, separator, escape] = [0, 1, 2, 3, 4];
const kinds = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));

/** A shorter word isn't a token of an unknown issuer. */
const shortestUnknown = 20;
/** A longer word is read in several steps. */
const longestWord = 32_768;

/** The kind of a character. Reads nothing outside the array, because that would be slow. */
function kindOfCode(code: number): number {
  return code < 128 ? (kinds[code] ?? nothing) : nothing;
}

function kindOf(character: string): number {
  if (/[A-Za-z0-9]/.test(character)) return word;
  if (/[-_]/.test(character)) return joiner;
  if (/[=:> ,(~]/.test(character)) return separator;
  return character === '\\' || character === '%' || character === terminalEscape ? escape : nothing;
}

/** The last two characters of names, options, schemes, and other words that a space can separate from a secret. */
const endings = 'er ic rd wd ss se et en ey th pw -u -U -p -P -a -w by is ho tf';
const isEnding = new Uint8Array(128 * 128);
for (const ending of endings.split(' ')) {
  const [first = '', second = ''] = ending;
  for (const one of [first, first.toUpperCase()]) {
    for (const two of [second, second.toUpperCase()]) isEnding[one.charCodeAt(0) * 128 + two.charCodeAt(0)] = 1;
  }
}

/**
 * Searches a text for likely secrets, once from its start to its end. The search can be paused after any number of
 * characters, which doesn't change what it finds. Its work is proportional to the length of the text: candidates begin
 * at a word, a separator, or a marker, and each is judged once, by a limited part of the text.
 */
export class SecretScanner {
  /** The secrets found so far, in the order of the text; they don't overlap. */
  readonly findings: Finding[] = [];
  readonly #source: SearchedText;
  #at = 0;
  /** The start of the current run of letters, digits, hyphens, and underscores. */
  #wordStart = 0;

  constructor(text: string) {
    this.#source = new SearchedText(text);
  }

  /** The number of characters that were examined; some are examined more than once. */
  get examined(): number {
    return this.#source.examined;
  }

  /** Continues for about `length` characters. Returns whether the text has been searched completely. */
  advance(length: number): boolean {
    const { text } = this.#source;
    const stop = Math.min(text.length, this.#at + length);
    while (this.#at < stop) {
      const code = text.charCodeAt(this.#at);
      const kind = kindOfCode(code);
      this.#source.examined++;
      if (kind === word) this.#readWord();
      else if (kind === joiner) this.#readJoiner();
      else this.#readOther(kind);
    }
    if (this.#at < text.length) return false;
    this.#endWord();
    return true;
  }

  /** Reads letters and digits. A secret with its issuer's prefix begins at the start of a word. */
  #readWord(): void {
    const start = this.#at;
    const { text } = this.#source;
    const token = issuerTokenAt(this.#source, start);
    if (token) {
      this.#take(token);
      return;
    }
    const limit = Math.min(text.length, start + longestWord);
    let end = start + 1;
    while (end < limit && kindOfCode(text.charCodeAt(end)) === word) end++;
    this.#source.examined += end - start;
    this.#at = end;
  }

  #readJoiner(): void {
    const { text } = this.#source;
    const block = text.startsWith('----', this.#at) ? keyBlockAt(this.#source, this.#at) : undefined;
    if (block) this.#take(block);
    else this.#at++;
  }

  #readOther(kind: number): void {
    this.#endWord();
    const length = kind === escape ? escapeLength(this.#source.text, this.#at) : 1;
    const found =
      kind === separator || isEncodedEquals(this.#source.text, this.#at, length)
        ? this.#atSeparator(length)
        : undefined;
    if (found) {
      this.#take(found);
      return;
    }
    this.#at += length;
    this.#wordStart = this.#at;
  }

  #endWord(): void {
    const isLong = this.#at - this.#wordStart >= shortestUnknown;
    const found = isLong ? unknownTokenIn(this.#source, this.#wordStart, this.#at) : undefined;
    if (found) this.#take(found);
  }

  #atSeparator(length: number): Finding | undefined {
    const source = this.#source;
    const { text } = source;
    const at = this.#at;
    switch (text.charAt(at)) {
      case ':':
        return text.startsWith('//', at + 1)
          ? addressSecretAt(source, at)
          : (puttyKeyAt(source, at) ?? assignedSecretAt(source, at));
      case '=':
      case '%':
      case '\\':
        return assignedSecretAt(source, at, length);
      case ' ':
        return endsName(text, at) || beginsOption(text, at + 1) || beginsItem(text, at)
          ? assignedSecretAt(source, at)
          : undefined;
      case '>':
        return /[\w"']/.test(text.charAt(at - 1)) ? assignedSecretAt(source, at) : undefined;
      case ',':
        return /["'`]/.test(text.charAt(at - 1)) ? assignedSecretAt(source, at) : undefined;
      case '(':
        return /["'`]/.test(text.charAt(at + 1)) ? assignedSecretAt(source, at) : undefined;
      default:
        return azureSecretAt(source, at);
    }
  }

  /** Adds a secret and continues after it. Parts that belong to an earlier one are left out. */
  #take(found: Finding): void {
    const start = Math.max(found.start, this.findings.at(-1)?.end ?? 0);
    if (start < found.end) this.findings.push({ ...found, start });
    this.#at = Math.max(this.#at, found.end);
    this.#wordStart = this.#at;
  }
}

/** A client secret of Microsoft Entra ID: three characters, a digit, `Q~`, and a random text. `at` is the tilde. */
function azureSecretAt(source: SearchedText, at: number): Finding | undefined {
  const start = at - 5;
  if (!/[\w~.-]{3}\dQ~/.test(source.text.slice(start, at + 1))) return undefined;
  const end = source.runEnd(wordOrPeriod | tilde, at + 1);
  const length = end - at - 1;
  return length >= 31 && length <= 36 ? { start, end, rule: 'Microsoft Entra secret', isCertain: true } : undefined;
}

/** Whether the word before a space can be a name, an option, a scheme, or another word before a secret. */
function endsName(text: string, at: number): boolean {
  const [first, second] = [text.charCodeAt(at - 2), text.charCodeAt(at - 1)];
  return first < 128 && second < 128 && isEnding[first * 128 + second] === 1;
}

/**
 * Whether the word after a space can be an option with its value, the value of an option of openssl, or the value after
 * a word that ends with `SecureString`, such as the PowerShell command `ConvertTo-SecureString`.
 */
function beginsOption(text: string, at: number): boolean {
  const isOption = text.startsWith('-p', at) || text.startsWith('-u', at) || text.startsWith('pass:', at);
  return isOption || text.startsWith('SecureString', at - 13);
}

/** Whether the character before a space can be the dash of an item of a list. */
function beginsItem(text: string, at: number): boolean {
  return text.charAt(at - 1) === '-' && /\s/.test(text.charAt(at - 2));
}

/** Whether an escape sequence represents an equals sign. */
function isEncodedEquals(text: string, at: number, length: number): boolean {
  return length > 1 && /%3d|\\u003d/i.test(text.slice(at, at + length));
}

/**
 * The length of an escape sequence, after which a word can begin: `\n`, `\u003d`, `%3D`, or a color of a terminal; 1 if
 * there is none.
 */
function escapeLength(text: string, at: number): number {
  const isTerminal = text[at] === terminalEscape;
  const form = isTerminal ? /^\[[\d;]{0,16}[A-Za-z]/ : /^(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[nrtbfv0]|%[0-9a-f]{2})/i;
  const start = isTerminal ? at + 1 : at;
  const sequence = form.exec(text.slice(start, start + 20));
  return sequence ? start - at + sequence[0].length : 1;
}
