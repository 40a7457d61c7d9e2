import { isAlphabet, randomness } from './randomness.ts';
import type { NameKind } from './secretNames.ts';

/**
 * How a value is written: between quotation marks, as an argument after its name, between quotation marks after an
 * option of a command, as a line of a settings file, in code, in a query or a connection string, or as an environment
 * variable in capital letters.
 */
export type ValueForm = 'quoted' | 'argument' | 'option' | 'line' | 'code' | 'query' | 'environment';

/** Whether a value is a secret: almost certainly, probably, or not. */
type Verdict = 'certain' | 'likely' | undefined;

const longestValue = 4_096;

/** A reference to a value elsewhere, or a part of a template. */
const reference = /^[$%@&#][\w{(]|^<|^[{([*]|^%[sdv@]$|\.\.\.|…|process\.env|os\.environ|getenv|secrets\./i;
/**
 * What a secret never contains: a template, a mark of a redacted secret, or most characters from U+0800 on, such as
 * those of Asian scripts.
 */
const never = /\$\{|\{\{|\[redacted|[\u0800-\ud7ff\uf900-\uffef]/i;
/** A version, or a number in hexadecimal notation. */
const number = /^[\^~<>=v ]*\d+(?:\.\d+)+|^0x[0-9a-f]{1,16}$/i;
/** Text that is a placeholder for a value. */
const placeholder =
  /^(?:x{3,}|\.{3,}|-{3,}|_{3,}|0{4,}|null|none|undefined|true|false|nil|yes|no|empty|string|text)$|your[_-]?|change[_-]?(?:me|it|this)|example|placeholder|replace|redacted|insert|dummy|xxxx|\*\*\*|_here\b|-here\b|todo|lorem|ipsum/i;
const wordsOfSecrets =
  /^(?:my|the|some|a|an|user|test|new|old|current|wrong|invalid|hidden|input|confirm|forgot|reset|default|admin|root|super|secure|strong|super|top|very|fake|mock|demo|sample|foo|bar|baz|api|app|client|access|auth|db)?[\s_.-]?(?:pass|passwd|password|passphrase|pwd|secret|token|key|credentials?)[\s_.-]?(?:\d{0,4}|here|value|text|string|field|input|name|hash|word|id|key|token)[!?]?$/i;
const address = /^(?:[a-z][a-z+.-]{1,12}:\/\/|\.{0,2}\/[\w.-]+(?:\/|$)|~\/|[A-Z]:\\|[\w-]+(?:\.[\w-]+)*\/[\w.-]+\/)/i;
/** The words from which a wallet is recovered. */
const recoveryPhrase = /^(?:[a-z]{3,8} ){11,23}[a-z]{3,8}$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const name = /^[A-Za-z_$][\w$]*/;

/** The minimum length and randomness of secrets, by what their names say. */
const minimums: Readonly<Record<NameKind, { readonly length: number; readonly score: number }>> = {
  password: { length: 6, score: -Infinity },
  secret: { length: 8, score: 2 },
  token: { length: 16, score: 3 },
  signature: { length: 20, score: 6 },
  bareKey: { length: 24, score: 14 },
  key: { length: 20, score: 8 },
};

/** The minimum length of a secret with a name of this kind, in characters. */
export function shortestValue(kind: NameKind): number {
  return minimums[kind].length;
}

/** Judges whether a value is a secret, by the kind of its name and the form in which it is written. */
export function judgeValue(value: string, kind: NameKind, form: ValueForm): Verdict {
  const { length } = value;
  if (length < minimums[kind].length || length > longestValue) return undefined;
  const score = randomness(value);
  if (score < minimums[kind].score) return undefined;
  const start = value.slice(0, 200);
  if (never.test(start) || (score < 10 && reference.test(start))) return undefined;
  if (placeholder.test(start) || wordsOfSecrets.test(start)) return undefined;
  if (kind !== 'password' && ((address.test(start) && score < 8) || (/\s/.test(start) && score < 12))) return undefined;
  if (form === 'code' && isCode(value, score)) return undefined;
  switch (kind) {
    case 'password':
      return judgePassword(start, score, form);
    case 'secret':
    case 'token':
      return judgeRandom(start, score);
    case 'signature':
      return form === 'quoted' ? undefined : judgeRandom(start, score);
    case 'bareKey':
      return isMixed(start) && !/^(?:AAAA|MI[GIHEA])/.test(start) ? judgeRandom(start, score) : undefined;
    case 'key':
      return uuid.test(start) ? undefined : judgeRandom(start, score);
  }
}

function judgeRandom(value: string, score: number): Verdict {
  if (!hasTwoKinds(value, score) || isAlphabet(value)) return undefined;
  return value.length >= 16 && score >= 8 ? 'certain' : 'likely';
}

/** Whether a text has uppercase letters, lowercase letters, and digits, and at most 64 characters. */
function isMixed(value: string): boolean {
  return value.length <= 64 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
}

/** Whether a text has digits and either letters or at least 32 characters, or has no digits and looks very random. */
function hasTwoKinds(value: string, score: number): boolean {
  return /\d/.test(value) ? /[A-Za-z]/.test(value) || value.length >= 32 : score > 8;
}

/** A password that a person chose can consist of words, so digits, signs, and the form of the value count, too. */
function judgePassword(value: string, score: number, form: ValueForm): Verdict {
  if (address.test(value) && (score < 4 || form === 'environment')) return undefined;
  if (recoveryPhrase.test(value)) return 'certain';
  if (/\s/.test(value)) {
    if (form === 'option') return 'likely';
    return form === 'quoted' && score > 8 && !/\s.*\s/.test(value) ? 'likely' : undefined;
  }
  if (number.test(value)) return undefined;
  if (/^\d+$/.test(value)) return form === 'line' || value.length < 8 ? undefined : 'likely';
  if (value.length >= 10 && score >= 6) return 'certain';
  if (form === 'environment') return value.length >= 8 || score >= 0 ? 'certain' : 'likely';
  const hasMark = /[^A-Za-z0-9_.\-/]/.test(value);
  const hasDigit = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (form === 'argument') return ((hasMark || hasDigit) && score >= 2) || score >= 6 ? 'likely' : undefined;
  if (form === 'quoted' || form === 'query' || form === 'option') {
    return hasMark || hasDigit || score >= 4 || (value.length >= 8 && /[A-Za-z][-_.][A-Za-z]/.test(value))
      ? 'likely'
      : undefined;
  }
  if (form === 'line') return isCode(value, score) || !(hasMark || hasDigit || score >= 4) ? undefined : 'likely';
  return (hasDigit || hasMark) && score >= 3 ? 'likely' : undefined;
}

/** Whether a value is a name, a type, a number, or an expression. */
function isCode(value: string, score: number): boolean {
  const start = name.exec(value)?.[0];
  if (start === undefined) return /^[-\d.]+$/.test(value);
  const isWord = randomness(start) < 3 && !/[A-Za-z]\d+[A-Za-z]/.test(start);
  const rest = value.slice(start.length);
  if (rest === '') return isWord && !/\d/.test(start);
  return /^(?:[.([<?!|:;,)]|&[a-z]|\]|\})/.test(rest) && (isWord || score < 6);
}
