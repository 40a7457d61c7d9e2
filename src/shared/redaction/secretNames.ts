import { randomness } from './randomness.ts';

/**
 * What the name of a value says about it. The less a name says, the more random its value must look: `password` and
 * `secret` name secrets, `token` also names parts of a syntax, `key` names keys of all kinds, and `bareKey` is the name
 * "key" alone. A signature or a code is a secret only directly after an equals sign, as in the query of an address.
 */
export type NameKind = 'password' | 'secret' | 'token' | 'key' | 'bareKey' | 'signature';

/** Every name of a secret contains one of these parts. This quick check excludes most other names. */
const stem =
  /pass|pwd|pswd|pw$|psk$|kennwort|secret|token|key|auth|cred|sig|mac$|jwt|pat$|sas$|code$|securestring|bearer|connectionstring|phrase$|mnemonic$/i;

/** A text that looks more random than this isn't a name, but a part of encoded data. */
const mostRandomName = 8;

/** Words that also name a secret in the middle of the name of an environment variable. */
const variableWord = /^(?:token|secret|password|passwd|apikey)$/;

/** Words at the end of a name that don't change what it names. */
const additions = new Set(
  (
    'base value val str string b64 base64 hex raw plain plaintext prod production dev development staging stage test live ' +
    'sandbox local default primary secondary main old new current previous env v1 v2 v3 data 1 2 3 4 5 6 7 8 9'
  ).split(' '),
);

const passwords =
  /(?:passw(?:or)?d|passwort|kennwort|passphrase|passcode|pwd|pswd|requirepass|masterauth|securestring|bindpw|rootpw|adminpw|userpw|mnemonic|(?:seed|recovery|backup|wallet|secret)phrase)$/;
const passWord =
  /^ ?pass$|^ pw$|(?:db|user|smtp|imap|my|root|admin|mail|email|sql|mysql|login|ftp|sftp|http|proxy|redis|mongo|pg|ssh|rabbitmq|mq)pass$/;
const secrets =
  /(?:secret|credentials?|creds|secretkey|secretaccesskey|apikey|apitoken|accesskey|privatekey|signingkey|encryptionkey|cryptkey|masterkey|accountkey|sharedkey|appkey|applicationkey|adminkey|authkey|licensekey|storagekey|servicekey|servicerolekey|deploykey|writekey|subscriptionkey|functionkey|hostkey|sessionkey|clientkeydata|presharedkey|psk|hmackey|sshkey|sigkey|privatemac|connectionstring|authtoken|accesstoken|refreshtoken|bearertoken|securitytoken|sessiontoken|clienttoken|usertoken|bottoken|idtoken|oauthtoken|personaltoken|deploytoken|servicetoken|webhooktoken|apppassword|patoken|accesspat|apipat)$/;
const tokens = /(?:token|jwt|auth|authorization|bearer)$/;
const signatures = /^(?:sig|code|sas)$|signature$/;
/** Words before `key` or `token` in names that name no secret, such as `public_key`, `primaryKey`, and `max_tokens`. */
const harmlessWords =
  'public|publishable|pub|foreign|primary|cache|sort|partition|storage|row|group|query|translation|i18n|locale|message|react|object|map|' +
  'hash|lookup|index|item|unique|composite|idempotency|site|registry|routing|shortcut|hot|config|setting|context|dict|property|' +
  'prop|sibling|parent|child|node|state|json|yaml|field|column|param|option|header|page|continuation|cancellation|cancel|' +
  'sync|resume|design|eos|bos|pad|unk|mask|sep|cls|stop|start|end|open|close|next|prev|last|first|lex|syntax|semantic|' +
  'count|max|min|num|total|input|output|prompt|completion|color|theme|css|keyword|type|arrow|function|escape|enter|shift|any|which';
const isHarmlessWord = new RegExp(`^(?:${harmlessWords})$`);
const isHarmless = new RegExp(
  `^(?:${harmlessWords}|mon|tur|hoc|don)(?:key|token)s?$|^(?:no|with|is|has|use|show|hide|require|requires)(?:auth|token|password)$`,
);

/**
 * What a name says about its value; undefined if it doesn't name a secret. The words of the name can be joined in any
 * style, such as `apiKey` and `api-key`. In the name of an environment variable, words before the last one also count.
 */
export function kindOfName(name: string): NameKind | undefined {
  if (!stem.test(name) || (/[A-Za-z]\d+[A-Za-z]/.test(name) && randomness(name) > mostRandomName)) return undefined;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  const isVariable = /^[A-Z][A-Z\d_]+(?:[a-z][a-z_\d]*)?$/.test(name) && words.length > 1;
  const inner = isVariable && words.slice(0, -1).some((word) => variableWord.test(word)) ? 'key' : undefined;
  while (words.length > 1 && additions.has(words.at(-1) ?? '') && words.at(-2) !== 'secure') words.pop();
  const last = (words.at(-1) ?? '').replace(/(?<=[a-z])\d+$/, '');
  return kindOfWords(words.slice(0, -1), last) ?? inner;
}

function kindOfWords(before: readonly string[], last: string): NameKind | undefined {
  const all = before.join('') + last;
  if (isHarmless.test(last) || (isHarmlessWord.test(before.at(-1) ?? '') && /^(?:key|token)s?$/.test(last)))
    return undefined;
  if (passwords.test(all) || passWord.test(before.length > 0 ? ` ${last}` : last)) return 'password';
  if (secrets.test(all)) return 'secret';
  if (tokens.test(all)) return 'token';
  if (signatures.test(all)) return 'signature';
  return last.endsWith('key') && (before.length > 0 || last !== 'key') ? 'key' : all === 'key' ? 'bareKey' : undefined;
}

const mostNames = 500;

/** The kinds of the names in a text, which usually contains the same names many times. */
export class NameKinds {
  readonly #kinds = new Map<string, NameKind | undefined>();

  /** Like {@link kindOfName}. */
  of(name: string): NameKind | undefined {
    if (this.#kinds.has(name)) return this.#kinds.get(name);
    if (this.#kinds.size >= mostNames) this.#kinds.clear();
    const kind = kindOfName(name);
    this.#kinds.set(name, kind);
    return kind;
  }
}
