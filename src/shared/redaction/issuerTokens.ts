import { base64Characters, isIn, type SearchedText, wordCharacters } from './characters.ts';
import { type IssuerRule, issuerRules, wordRules } from './issuerRules.ts';
import { isAlphabet, randomness } from './randomness.ts';

/** A part of a text that is probably a secret. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** The name of the rule, as in docs/secrets.md. */
  readonly rule: string;
  /** Whether it is almost certainly a secret, so that it is worth a question. */
  readonly isCertain: boolean;
}

interface PrefixRule {
  readonly prefix: string;
  /** Whether the prefix and any text after it also occur in encoded binary data. */
  readonly isLoose: boolean;
  readonly rule: IssuerRule;
}

/** The rules by the first two characters of their prefixes, longest prefix first. */
const byStart = new Map<number, PrefixRule[]>();
for (const rule of issuerRules) {
  for (const prefix of rule.prefixes) {
    const isLoose = !rule.shape && /^[A-Za-z0-9]{1,8}$/.test(prefix);
    const start = prefix.charCodeAt(0) * 128 + prefix.charCodeAt(1);
    byStart.set(start, [...(byStart.get(start) ?? []), { prefix, isLoose, rule }]);
  }
}
for (const rules of byStart.values()) rules.sort((a, b) => b.prefix.length - a.prefix.length);
const isStart = Uint8Array.from({ length: 128 * 128 }, (_, start) => (byStart.has(start) ? 1 : 0));

const longestToken = 8_192;
const longestLoose = 400;
const longestShaped = 300;
/** What has the form of its issuer, but looks less random, stands for a secret: `aaaa...`. */
const leastOfShaped = -8;

/** The secret that begins at `at`, which is the start of a word, according to its issuer's prefix. */
export function issuerTokenAt(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  if (first >= 128 || second >= 128 || isStart[first * 128 + second] !== 1) return undefined;
  for (const { prefix, isLoose, rule } of byStart.get(first * 128 + second) ?? []) {
    if (!text.startsWith(prefix, at) || (isLoose && at > 0 && '+/'.includes(text.charAt(at - 1)))) continue;
    const end = tokenEnd(source, at, at + prefix.length, rule, isLoose);
    if (end !== undefined) return { start: at, end, rule: rule.name, isCertain: true };
  }
  return webTokenAt(source, at);
}

/** A JSON Web Token: two to five parts in base64url with periods between them. */
function webTokenAt(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  if (!text.startsWith('eyJ', at)) return undefined;
  const headerEnd = source.runEnd(wordCharacters, at);
  if (headerEnd - at < 8 || text[headerEnd] !== '.') return undefined;
  let end = source.runEnd(wordCharacters, headerEnd + 1);
  if (end - headerEnd <= 8) return undefined;
  for (let part = 2; part < 5 && text[end] === '.'; part++) end = source.runEnd(wordCharacters, end + 1);
  if (end - at > longestToken) return undefined;
  return { start: at, end: text[end - 1] === '.' ? end - 1 : end, rule: 'JSON Web Token', isCertain: true };
}

function tokenEnd(
  source: SearchedText,
  start: number,
  from: number,
  rule: IssuerRule,
  isLoose: boolean,
): number | undefined {
  let end = source.runEnd(rule.alphabet, from);
  while (end > from && source.text[end - 1] === '.') end--;
  const { shape } = rule;
  const longest = shape ? longestShaped : isLoose ? longestLoose : longestToken;
  if (end - from < rule.min || end - start > longest) return undefined;
  const body = source.text.slice(from, end);
  source.examined += shape ? body.length : Math.min(body.length, 64);
  if (shape) return shape.test(body) && randomness(body) > leastOfShaped ? end : undefined;
  return randomness(body) > leastRandomness(body.length) ? end : undefined;
}

/** A short text is less certain to look random, and the prefix already says what it is. */
function leastRandomness(length: number): number {
  return length < 20 ? -3 : 0;
}

/** Words that say, as the last part of a prefix, that a secret follows. */
const secretWords = new Set(
  (
    'sk rk pk key apikey token tok secret sec pat sat api live test prod sandbox auth access refresh oauth bot app admin ' +
    'svc service priv private cred pw pass webhook jwt at rt'
  ).split(' '),
);
/** First parts of IDs, which aren't secret, and of hashes. */
const idWords = new Set(
  (
    'toolu srvtoolu call chatcmpl msg resp req run thread asst file batch evt cus sub in pi pm ch price prod acct cs si cn seti ' +
    'sha sha1 sha256 sha384 sha512 md5 chunk index org proj user team sess session conv item step rs fc id ref hash commit vs ws ig mcp ci rev ' +
    'img image blob tree layer sum digest checksum etag build node cache lock job task trace span event page row doc note chat ' +
    'container volume network v version release snapshot key'
  ).split(' '),
);
const mostPrefixParts = 4;
const longestPrefixPart = 12;
const isVersion = /^v?\d{1,2}$/;

/**
 * A secret of an unknown issuer that is a whole word of letters, digits, hyphens, and underscores: a prefix that says so, and a
 * random text.
 */
export function unknownTokenIn(source: SearchedText, start: number, end: number): Finding | undefined {
  const length = end - start;
  if (length < 20 || length > 200) return undefined;
  if (start > 0 && isIn(base64Characters, source.text.charCodeAt(start - 1))) return undefined;
  const word = source.text.slice(start, end);
  source.examined += length;
  const fixed = wordRules.find(({ shape }) => shape.test(word));
  if (fixed) return { start, end, rule: fixed.name, isCertain: true };
  return hasSecretPrefix(word) ? { start, end, rule: 'Prefix and random text', isCertain: false } : undefined;
}

function hasSecretPrefix(word: string): boolean {
  const parts = word.split(/[_-]/);
  if (idWords.has(parts[0] ?? '') || word.includes('--')) return false;
  let from = 0;
  let isNamed = false;
  for (const [index, part] of parts.slice(0, Math.min(mostPrefixParts, parts.length - 1)).entries()) {
    if (part.length > longestPrefixPart) return false;
    from += part.length + 1;
    isNamed = isSecretWord(part.toLowerCase()) || (isNamed && isVersion.test(part));
    const body = word.slice(from);
    if (isNamed && body.length >= 16 && digitsIn(body) >= 2 && randomness(body) > 6) return true;
    if (index === 0 && /^[A-Z]?[a-z]+\d?$/.test(part) && isGenerated(word.charAt(from - 1), body)) return true;
  }
  return false;
}

/** Also names of issuers with such a word, for example `acmetoken`. */
function isSecretWord(part: string): boolean {
  return secretWords.has(part) || /[a-z](?:key|token|tok|secret|api)$/.test(part);
}

function digitsIn(text: string): number {
  return text.replace(/\D+/g, '').length;
}

/** Whether a text after a prefix that says nothing was probably generated. Hashes often follow a hyphen. */
function isGenerated(separator: string, text: string): boolean {
  if (text.length < 32 || digitsIn(text) < 3 || randomness(text) <= 14 || isAlphabet(text)) return false;
  return (/[A-Z]/.test(text) && /[a-z]/.test(text)) || (separator === '_' && text.length >= 40);
}
