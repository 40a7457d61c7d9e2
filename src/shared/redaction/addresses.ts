import { lineCharacters, plusSlash, type SearchedText, wordOrPeriod } from './characters.ts';
import type { Finding } from './issuerTokens.ts';
import { randomness } from './randomness.ts';

/** Addresses whose path is a secret: whoever knows it can post. */
const webhooks =
  /^(?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d|[a-z0-9-]+\.webhook\.office\.com\/webhook|hooks\.zapier\.com\/hooks\/|hooks\.airtable\.com\/workflows\/|maker\.ifttt\.com\/trigger\/|[a-z0-9.-]+\.logic\.azure\.com(?::443)?\/workflows\/|chat\.googleapis\.com\/v1\/spaces\/|open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/|qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=|outlook\.office\.com\/webhook\/)/i;
const longestAddress = 600;
/** Placeholders for passwords, and passwords in examples. */
const placeholder =
  /^(?:p(?:ass)?|pass(?:word|wd|phrase)?|pwd|pw|secret|token|key|api[_-]?key|my[_-]?(?:password|secret|pass)|credentials?|x+|\*+|\.+|…|[a-z]|port|path|host)$|^[$<{[(%]|[{}]|^your|\[redacted\]|^x-oauth-basic$|^x-access-token$/i;

/**
 * The secret of an address at `at`, which is the colon of `://`: the password before the host, a token in place of the
 * user, or a path that allows whoever knows it to post.
 */
export function addressSecretAt(source: SearchedText, at: number): Finding | undefined {
  const start = at + 3;
  const schemeStart = source.runStart(schemeCharacters, at, 24);
  if (schemeStart === at) return undefined;
  const end = Math.min(source.runEnd(lineCharacters, start), start + longestAddress);
  const address = source.text.slice(start, end);
  if (webhooks.test(address)) {
    const length = address.search(/[<>()[\]{}|,;"]|$/);
    const isTooShort = length < 45 || /[<{$]|\.\.\.|xxxx/i.test(address.slice(0, length + 1));
    return isTooShort
      ? undefined
      : { start: schemeStart, end: start + length, rule: 'Webhook address', isCertain: true };
  }
  return userSecret(source, start, address);
}

/** The password in `jdbc:oracle:thin:name/password@host`. `at` is the colon after `thin`. */
export function oracleSecretAt(source: SearchedText, at: number): Finding | undefined {
  if (!source.text.startsWith('oracle:thin', at - 11)) return undefined;
  const [login, user = '', password = ''] = /^:(\w{1,64})\/([^\s@"'/]{3,128})@/.exec(source.part(at, at + 200)) ?? [];
  if (login === undefined || placeholder.test(password)) return undefined;
  const start = at + user.length + 2;
  return { start, end: start + password.length, rule: 'Password in an address', isCertain: password.length >= 8 };
}

const schemeCharacters = wordOrPeriod | plusSlash;

/** The password, or the token, between the scheme and the host. */
function userSecret(source: SearchedText, start: number, address: string): Finding | undefined {
  const authority = source.part(start, start + address.search(/[/?#<>]|$/));
  const host = authority.lastIndexOf('@');
  if (host <= 0 || !/[A-Za-z0-9[$%{]/.test(authority.charAt(host + 1))) return undefined;
  const colon = authority.indexOf(':');
  if (colon < 0 || colon > host) {
    const user = authority.slice(0, host);
    const isToken = user.length >= 16 && /\d/.test(user) && randomness(user) > 8;
    return isToken ? { start, end: start + host, rule: 'Token in an address', isCertain: true } : undefined;
  }
  const user = authority.slice(0, colon);
  const password = authority.slice(colon + 1, host);
  if (/[()[\]{},;|<>]/.test(user.replace(/\$?\{\w+\}/, '')) || password.length < 3) return undefined;
  if (password.length < 6 && !(/\d/.test(password) && /\D/.test(password))) return undefined;
  if (placeholder.test(password) || password.toLowerCase() === user.toLowerCase()) return undefined;
  const isCertain =
    password.length >= 8 && randomness(password) >= 2 && !/localhost|127\.0\.0\.1|example/i.test(address);
  return { start: start + colon + 1, end: start + host, rule: 'Password in an address', isCertain };
}
