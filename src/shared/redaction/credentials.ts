import { base64Characters, type SearchedText, tilde, wordOrPeriod } from './characters.ts';
import type { Finding } from './issuerTokens.ts';
import { randomness } from './randomness.ts';
import { judgeValue } from './secretValues.ts';

const longestCredentials = 8_192;
/** Cookies of a header, up to a quotation mark, a backslash, or the end of the line. */
const cookies = /[^\r\n"'`\\]{0,4096}/y;
const credentialCharacters = wordOrPeriod | base64Characters | tilde;

/**
 * The credentials after the scheme `bearer` or `basic`, which begin at `at`, after any blanks. Undefined if they don't
 * look like a secret.
 */
export function credentialsAfter(source: SearchedText, at: number, scheme: string): Finding | undefined {
  const start = source.afterBlanks(at);
  const end = source.runEnd(credentialCharacters, start);
  if (end - start > longestCredentials) return undefined;
  const text = source.part(start, end);
  const isLogin = scheme === 'basic' && isEncodedLogin(text);
  const score = randomness(text);
  const isRandom = text.length >= 16 && /[A-Za-z]/.test(text) && (/\d/.test(text) ? score > 2 : score > 12);
  return isLogin || isRandom
    ? { start, end, rule: `${scheme === 'basic' ? 'Basic' : 'Bearer'} credentials`, isCertain: true }
    : undefined;
}

/** The value of an `Authorization` header, after the scheme. */
function authorization(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  let start = source.afterBlanks(at);
  while (/["'`]/.test(text.charAt(start)) && start < at + 4) start = source.afterBlanks(start + 1);
  const schemeEnd = source.runEnd(wordOrPeriod, start);
  if (schemeEnd - start <= 20 && text.charAt(schemeEnd) === ' ') {
    const scheme = text.slice(start, schemeEnd).toLowerCase();
    if (scheme === 'basic' || scheme === 'bearer') return credentialsAfter(source, schemeEnd, scheme);
    start = source.afterBlanks(schemeEnd);
  }
  const end = source.runEnd(credentialCharacters, start);
  const value = text.slice(start, Math.min(end, start + 4_096));
  const verdict = judgeValue(value, 'secret', 'line');
  return verdict && { start, end, rule: 'Authorization header', isCertain: verdict === 'certain' };
}

/**
 * The secret in an `Authorization` or `Cookie` header with this name, whose value begins at `at`, after any blanks.
 * Undefined for other names, and for values that don't look like secrets.
 */
export function headerSecretAfter(source: SearchedText, name: string, at: number): Finding | undefined {
  if (name.length < 'cookie'.length) return undefined;
  if (/^(?:proxy-)?authorization$/i.test(name)) return authorization(source, at);
  return /^(?:set-)?cookie$/i.test(name) ? cookie(source, at) : undefined;
}

/** The values of a `Cookie` header up to the end of the line or of a string, if one of them looks random. */
function cookie(source: SearchedText, at: number): Finding | undefined {
  let start = source.afterBlanks(at);
  // JSON in a string has backslashes before quotation marks, and a header with several values is a list.
  while (/["'`[\\]/.test(source.text.charAt(start)) && start < at + 8) start = source.afterBlanks(start + 1);
  if (start < source.cookiesEnd) return undefined;
  cookies.lastIndex = start;
  const [found = ''] = cookies.exec(source.text) ?? [];
  const line = source.part(start, start + found.length);
  source.cookiesEnd = start + line.length;
  const isRandom = line.split(/[;=]\s*/).some((part) => part.length >= 16 && /\d/.test(part) && randomness(part) > 8);
  return isRandom ? { start, end: start + line.length, rule: 'Cookie', isCertain: false } : undefined;
}

/** A method, its parameters, a salt, and a hash, as `crypt` writes them. */
const passwordHash =
  /^!{0,2}\$(?:[1567]|2[abxy]?|g?y|md5|sha1|apr1|scrypt|argon2(?:id|i|d)|pbkdf2[\w-]{0,16})\$[\w./+=,$-]{20,400}/;

/** The hash of a password in `name:hash`, a line of a list of accounts. `at` is the colon. */
export function passwordHashAt(source: SearchedText, at: number): Finding | undefined {
  if (!/[!$]/.test(source.text.charAt(at + 1))) return undefined;
  const [hash] = passwordHash.exec(source.part(at + 1, at + 500)) ?? [];
  if (hash === undefined || !/^[+ -]?[\w.@-]{1,64}$/.test(source.lineBefore(at, 80))) return undefined;
  return { start: at + 1, end: at + 1 + hash.length, rule: 'Password hash', isCertain: true };
}

/** A shorter text isn't a name and a password in base64. */
export const shortestLogin = 8;

/** Whether a text is a name, a colon, and a password in base64. */
export function isEncodedLogin(text: string): boolean {
  if (text.length < shortestLogin || text.length > 1_024 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  try {
    const login = atob(text);
    const colon = login.indexOf(':');
    const isPair = colon >= 0 && colon < login.length - 1 && !login.slice(0, colon).includes(' ');
    return isPair && /^[\x20-\x7e]+$/.test(login);
  } catch {
    return false;
  }
}
