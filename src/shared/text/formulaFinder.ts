import { type Evidence, findMathematics } from './mathematics.ts';
import { Places } from './places.ts';

/**
 * Maximum distance between the delimiters of a formula, in characters. An opening delimiter without a closing one stays
 * text.
 */
const maxLength = 4_000;
/** The maximum number of characters between a formula that is alone on its line and the start or end of the line. */
const maxIndent = 40;

/** A variable that is at most this many characters before a formula, on the same line, shows that the line is code. */
const maxLineLength = 400;

/** A formula in a line of text. */
interface Formula {
  readonly source: string;
  /** Whether the formula is drawn on a line of its own. */
  readonly isBlock: boolean;
  /** The index after the closing delimiter. */
  readonly end: number;
}

/** The delimiters of two characters, and how to search for them. */
const delimiters = { $$: /\$\$/g, '\\(': /\\\(/g, '\\)': /\\\)/g, '\\[': /\\\[/g, '\\]': /\\\]/g } as const;
type Delimiter = keyof typeof delimiters;
export type Closing = '$$' | '\\)' | '\\]';

/** Letters of scripts that are written without spaces between words, or that attach endings to other scripts. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\u30fc]/u;
const wordSign = /[\p{L}\p{N}_$\\]/u;
/** The characters that can precede and follow a formula that has neither commands nor scripts. */
const signBefore = /[\s([*_~\-,"\u2010-\u2026\u00ab\u3000-\u303f\uff01-\uff65]/;
const signAfter = /[\s)\]*_~\-,.;:!?"\u2010-\u2026\u00bb\u3000-\u303f\uff01-\uff65]/;

/**
 * Finds the formulas in a text. Its methods must be called with rising indexes, so that it reads no part of the text
 * twice.
 */
export class FormulaFinder {
  readonly #text: string;
  readonly #isStrict: boolean;
  readonly #places = new Map<Delimiter, Places>();
  #quotingTags: ReadonlySet<string> | undefined;
  /** The index of the last dollar sign that begins no formula, but a variable or a price; -1 if there is none. */
  #textAt = -1;
  /** The index of the last such dollar sign that a letter or an underscore follows; -1 if there is none. */
  #nameAt = -1;

  /** @param isStrict whether only commands and scripts show that something is a formula. */
  constructor(text: string, isStrict: boolean) {
    this.#text = text;
    this.#isStrict = isStrict;
  }

  /** The index of the next delimiter; `Infinity` if there is none. */
  next(delimiter: Delimiter, from: number): number {
    let places = this.#places.get(delimiter);
    if (!places) {
      places = new Places(this.#text, new RegExp(delimiters[delimiter]));
      this.#places.set(delimiter, places);
    }
    return places.from(from);
  }

  /** The formula whose opening delimiter is at `at`; undefined if there is none that ends by `end`. */
  at(at: number, end: number): Formula | undefined {
    const last = Math.min(end, at + maxLength);
    const open = this.#text.charAt(at + 1);
    if (this.#text[at] === '$') {
      const found = open === '$' ? this.#double(at, last, '$$') : this.#single(at, last);
      if (!found) this.#textAt = at;
      if (!found && /[A-Za-z_]/.test(open)) this.#nameAt = at;
      return found;
    }
    return open === '(' || open === '[' ? this.#double(at, last, open === '(' ? '\\)' : '\\]') : undefined;
  }

  /**
   * Whether the text between two delimiters is a formula, if nothing else is on their lines. Text directly between
   * escaped square brackets can also be a task or a citation, so it needs more evidence.
   */
  isBlock(between: string, close: Closing): boolean {
    const source = between.trim();
    const isEscaped = close === '\\]' && source.length === between.length;
    return this.#isEnough(findMathematics(source, true), isEscaped ? 'script' : 'value');
  }

  #single(at: number, end: number): Formula | undefined {
    const text = this.#text;
    if (/[\s.;:,?!_)\]}]/.test(text.charAt(at + 1))) return undefined;
    let close = at + 1;
    while (text[close] !== '$') {
      close += text[close] === '\\' ? 2 : 1;
      if (close >= end) return undefined;
    }
    if (/\s/.test(text.charAt(close - 1))) return undefined;
    const found = { source: text.slice(at + 1, close), isBlock: false, end: close + 1 };
    return this.#isFormula(found, at, this.#isQuotingTag(found.source) ? 'command' : 'value') ? found : undefined;
  }

  /** The formula between two delimiters, which have two characters each. */
  #double(at: number, end: number, close: Closing): Formula | undefined {
    const place = this.next(close, at + 2);
    if (place + 2 > end) return undefined;
    // Another opening delimiter would make the search for mathematics read the same text again.
    if (close !== '$$' && this.next(close === '\\)' ? '\\(' : '\\[', at + 2) < place) return undefined;
    const between = this.#text.slice(at + 2, place);
    const found = { source: between.trim(), isBlock: close !== '\\)', end: place + 2 };
    const isFound =
      found.isBlock && this.#isAlone(at, found.end)
        ? this.isBlock(between, close)
        : this.#isFormula(found, at, found.isBlock ? 'script' : 'value');
    return isFound ? found : undefined;
  }

  #isFormula({ source, end }: Formula, at: number, least: Evidence): boolean {
    const text = this.#text;
    const before = codePointBefore(text, at);
    const after = String.fromCodePoint(text.codePointAt(end) ?? 32);
    if (isPartOfWord(before) || (isPartOfWord(after) && !/^th\b/.test(text.slice(end, end + 3)))) return false;
    const evidence = findMathematics(source, false);
    if (!this.#isEnough(evidence, least)) return false;
    if (evidence === 'command' || evidence === 'script') {
      return !/[@#%&`{]/.test(before) && !/^[{@#`]/.test(after) && !isCommandBefore(text, at);
    }
    if (this.#isAmongVariables(source, at)) return false;
    const isBracket = text[at] === '\\';
    if (isBracket && (/["']/.test(before) || isCommandBefore(text, at))) return false;
    if (/(?:(?:^|[\s;&|(])(?:echo|printf|puts)|%\w{1,20}%)\s["']?$/.test(text.slice(Math.max(0, at - 24), at)))
      return false;
    return (
      isBeside(before, signBefore, text.slice(Math.max(0, at - 6), at)) &&
      isBeside(after, signAfter, text.slice(end, end + 6))
    );
  }

  /** Whether what looks like a simple formula follows variables or prices, so that it can be one of them itself. */
  #isAmongVariables(source: string, at: number): boolean {
    if (this.#isInLine(this.#nameAt, at, maxLineLength)) return true;
    if (!this.#isInLine(this.#textAt, at, maxLineLength)) return false;
    return /^\d/.test(source) || (at - this.#textAt <= maxIndent && !/\s/.test(this.#text.slice(this.#textAt, at)));
  }

  /** Whether a place is known, and at most `distance` characters before `at` on the same line. */
  #isInLine(place: number, at: number, distance: number): boolean {
    return place >= 0 && place < at && at - place <= distance && !this.#text.slice(place, at).includes('\n');
  }

  #isEnough(evidence: Evidence, least: Evidence): boolean {
    const order = ['none', 'value', 'expression', 'script', 'command'];
    const needed = this.#isStrict && least !== 'command' ? 'script' : least;
    return order.indexOf(evidence) >= order.indexOf(needed);
  }

  /** Whether the lines of a formula contain nothing else, except for punctuation after it. */
  #isAlone(at: number, end: number): boolean {
    const before = this.#text.slice(Math.max(0, at - maxIndent), at);
    const isFirst = /\n[ \t]*$/.test(before) || (at < maxIndent && before.trim() === '');
    return isFirst && /^[ \t]*(?:[.,;:\u3002\uff0c]\s*)?(?:\n|$)/.test(this.#text.slice(end, end + maxIndent));
  }

  /** Whether `source` is a tag between dollar signs with which SQL quotes a text, as in `AS $body$ SELECT`. */
  #isQuotingTag(source: string): boolean {
    const quoting =
      /(?:\b(?:as|do|execute)\s{1,9}|\(\s{0,9})\$([A-Za-z_]\w{0,60})\$\s{0,9}(?:select|begin|declare|insert|update|delete|create)\b/gi;
    this.#quotingTags ??= new Set([...this.#text.matchAll(quoting)].map(([, tag = '']) => tag));
    return this.#quotingTags.has(source);
  }
}

function codePointBefore(text: string, at: number): string {
  const last = text.charAt(at - 1);
  return /[\udc00-\udfff]/.test(last) ? text.slice(Math.max(0, at - 2), at) : last;
}

/** Whether a sign next to a formula belongs to a word, an amount of money, or a variable. */
function isPartOfWord(sign: string): boolean {
  return wordSign.test(sign) && !unspaced.test(sign);
}

/** Whether a formula without commands and scripts can be next to a sign. Tags for line breaks are signs, too. */
function isBeside(sign: string, allowed: RegExp, around: string): boolean {
  if (sign === '' || unspaced.test(sign) || allowed.test(sign)) return true;
  return allowed === signBefore
    ? /(?:\$\/|<br ?\/?>)$/i.test(around)
    : /^(?:'s?(?![\w$'])|\/\$|th\b|<(?:br\b|\/))/i.test(around);
}

/** Whether a shell command precedes an escaped bracket, which is then one of its arguments. */
function isCommandBefore(text: string, at: number): boolean {
  return (
    text[at] === '\\' &&
    /(?:^|\s)(?:expr|test|find(?: \S+)?|\[|!|-[aon]|&&|\|\||if) $/.test(text.slice(Math.max(0, at - 40), at))
  );
}
