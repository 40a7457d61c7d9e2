import { base64Characters, isIn, type SearchedText, wordCharacters } from './characters.ts';
import { type IssuerRule, issuerRules, wordRules } from './issuerRules.ts';
import { isAlphabet, mostExamined, randomness } from './randomness.ts';

/** A part of a text that is probably a secret. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** The name of the rule, as in docs/secrets.md. */
  readonly rule: string;
  /** Whether it is almost certainly a secret, so that Lineside asks the user before it attaches the text. */
  readonly isCertain: boolean;
}

interface PrefixRule {
  readonly prefix: string;
  /** Whether the prefix and a text that the rule accepts can also occur in encoded binary data. */
  readonly isLoose: boolean;
  readonly rule: IssuerRule;
}

const prefixRules = issuerRules
  .flatMap((rule) => rule.prefixes.map((prefix): PrefixRule => ({ prefix, isLoose: isLoose(prefix, rule), rule })))
  .sort((a, b) => b.prefix.length - a.prefix.length);

function isLoose(prefix: string, { shape }: IssuerRule): boolean {
  return !shape && /^[A-Za-z0-9]{1,8}$/.test(prefix);
}

/** The index in `byStart` for the first two characters of a word. */
function startOf(text: string, at: number): number {
  return text.charCodeAt(at) * 128 + text.charCodeAt(at + 1);
}

/** The rules by the first two characters of their prefixes, longest prefix first. */
const byStart = Array.from<PrefixRule[] | undefined>({ length: 128 * 128 });
for (const rule of prefixRules) (byStart[startOf(rule.prefix, 0)] ??= []).push(rule);

const longestToken = 8_192;
const longestLoose = 400;
const longestShaped = 300;
/** A text with the shape of a rule must look more random than this. Others are placeholders, such as `aaaa...`. */
const leastOfShaped = -8;

/** The secret that begins at `at`, the start of a word: one with its issuer's prefix, or a JSON Web Token. */
export function issuerTokenAt(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  const rules = byStart[startOf(text, at)];
  if (!rules) return undefined;
  for (const { prefix, isLoose, rule } of rules) {
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
  const body = source.part(from, Math.min(end, from + (shape ? longestShaped : mostExamined)));
  if (shape) return shape.test(body) && randomness(body) > leastOfShaped ? end : undefined;
  return randomness(body) > leastRandomness(body.length) ? end : undefined;
}

/**
 * What the {@link randomness} of a token without its prefix must exceed. `length` is the length of that part. Short
 * tokens may look less random, because the prefix already says what they are.
 */
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

/**
 * A secret that is a whole word of letters, digits, hyphens, and underscores: one with a fixed form, or one of an
 * unknown issuer, which has a prefix and a text that looks random.
 */
export function unknownTokenIn(source: SearchedText, start: number, end: number): Finding | undefined {
  if (end - start > 200) return undefined;
  if (isIn(base64Characters, source.text.charCodeAt(start - 1))) return undefined;
  const word = source.part(start, end);
  const fixed = wordRules.find(({ shape }) => shape.test(word));
  if (fixed) return { start, end, rule: fixed.name, isCertain: true };
  return hasSecretPrefix(word) ? { start, end, rule: 'Prefix and random text', isCertain: false } : undefined;
}

function hasSecretPrefix(word: string): boolean {
  const parts = word.split(/[_-]/);
  if (idWords.has(parts[0] ?? '') || word.includes('--')) return false;
  let from = 0;
  for (const [index, part] of parts.slice(0, mostPrefixParts).entries()) {
    if (part.length > longestPrefixPart) return false;
    from += part.length + 1;
    const body = word.slice(from);
    if (isSecretWord(part.toLowerCase()) && body.length >= 16 && digitsIn(body) >= 2 && randomness(body) > 6)
      return true;
    if (index === 0 && /^[A-Z]?[a-z]+\d?$/.test(part) && isGenerated(word.charAt(from - 1), body)) return true;
  }
  return false;
}

/**
 * Whether a part of a prefix says that a secret follows. A name of an issuer that ends with such a word also counts,
 * for example `acmetoken`.
 */
function isSecretWord(part: string): boolean {
  return secretWords.has(part) || /[a-z](?:key|token|tok|secret|api)$/.test(part);
}

function digitsIn(text: string): number {
  return text.replace(/\D+/g, '').length;
}

/**
 * Whether a text after a prefix that says nothing was probably generated. After a hyphen, a text in a single case is
 * more likely a hash.
 */
function isGenerated(separator: string, text: string): boolean {
  if (text.length < 32 || digitsIn(text) < 3 || randomness(text) <= 14 || isAlphabet(text)) return false;
  return (/[A-Z]/.test(text) && /[a-z]/.test(text)) || (separator === '_' && text.length >= 40);
}
