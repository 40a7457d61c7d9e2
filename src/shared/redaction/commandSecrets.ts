import { type SearchedText, wordOrPeriod } from './characters.ts';
import { credentialsAfter } from './credentials.ts';
import type { Finding } from './issuerTokens.ts';
import { isSecretPhrase, type Name, nameBefore, secretAfter, secretIn, type Value, valueAfter } from './namedValues.ts';
import { randomness } from './randomness.ts';

const longestWord = 80;
/** The maximum number of characters before an option, on its line, that are searched for the name of its program. */
const longestCommand = 300;

/** Programs whose option `-p`, `-a`, or the like is a password. */
const passwordPrograms = /\b(?:sshpass|mysql\w*|redis-cli|htpasswd|mongo\w*|sqlcmd|ldap\w+|openssl|smbclient|login)\b/;
/** Programs whose option `-P` is a password, and `-p` something else. */
const capitalPrograms = /\b(?:zip|unzip|mosquitto_\w+|bcp)\b/;
/** Programs whose option `-u` can be a name and a password. */
const userPrograms = /\b(?:curl|wget|https?|xhs?|svn|lftp)\b/;
/** Programs with other options whose value is a name and a password, and the sign between the two. */
const httpLogin = { sign: ':', program: /(?:^|[\s;&|$(`"'])(?:https?|xhs?)[ "'\\]/ };
const ftpLogin = { sign: ',', program: /\blftp\b/ };
const shareLogin = { sign: '%', program: /\b(?:smbclient|rpcclient|smbget|net)\b/ };
const otherLogins: ReadonlyMap<string, typeof httpLogin> = new Map([
  ['a', httpLogin],
  ['auth', httpLogin],
  ['u', ftpLogin],
  ['user', ftpLogin],
  ['U', shareLogin],
]);
/** Options whose value can be a name and a password, and options whose value can be a password alone. */
const userOptions: ReadonlySet<string> = new Set(['u', 'U', 'user', 'proxy-user', 'basic-auth']);
const passwordOptions: ReadonlySet<string> = new Set(['p', 'P', 'a', 'w', 'pass', 'passin', 'passout']);
const noPassword = /^[$<{*[]|^(?:pass(?:word)?|secret|token|x+)$/i;
/** Words before the name of a secret that show that it isn't part of a sentence. */
const login = /\b(?:machine|login|user|set|with|role|account|ENV|ARG)\b/i;

/** Commands that read a password that another command prints. */
const passwordReader =
  /^["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?(?:chpasswd\b|passwd --stdin|sudo -S|su -c|cryptsetup\b|[^|\n]{0,100}(?:--[\w-]{0,20}password-stdin|--with-token|-pass(?:in)? stdin))/;

/** What an option means, such as "Password for the user". */
const description = /^(?=.*\s).*\b(?:pass(?:word|phrase|code)?|secret|token|key|login|user(?:name)?)\b/is;
/**
 * What separates the words of a list, also in JSON in a string, in which line breaks and quotation marks are escaped.
 */
const listGap = /^(?:[ \t\r\n]|\\{1,7}[nrt])*\\{0,7}["'`]/;
/** The maximum number of characters before an option in a list that are searched for the name of its program. */
const longestList = 200;
/** What is between a program and the list of its arguments. */
const namesArguments = /(?:\b(?:args|argv|arguments)\\{0,7}["']?\s?[:=]\s?|,\s?)$/i;
/** The start of a call whose first or second argument is an option, which the next argument describes. */
const describedOption = /\(\s{0,20}(?:["'`][^"'`\n]{1,40}["'`],\s{0,20})?["'`]$/;
/** The maximum length of what separates two words of a list, in characters. */
const longestGap = 120;

/**
 * The secret after a space at `at`, for example in `--name value`, in `password value` after a login, in
 * `PASSWORD 'value'`, in text that is piped to a program, or after an authentication scheme. `at` can also be the
 * equals sign in `--user=name:value`.
 */
export function afterSpace(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  const start = source.runStart(wordOrPeriod, at, longestWord);
  const word = text.slice(start, at);
  if (/^(?:bearer|basic)$/i.test(word)) return credentialsAfter(source, at, word.toLowerCase());
  if (text.startsWith('-p', at + 1) || text.startsWith('-u', at + 1)) return attachedValue(source, at);
  if (word === '-') return afterOptionItem(source, start);
  if (word.startsWith('-')) return afterOption(source, { text: word, start, end: at }, at);
  if (/^by$/i.test(word)) return identifiedBy(source, start, at);
  if (word === 'echo' || word === 'printf') return printedPassword(source, at);
  return afterWord(source, { text: word, start, end: at }, at);
}

/** `password value`: in a login, in a settings file, with quotation marks, or a very random value in prose. */
function afterWord(source: SearchedText, word: Name, at: number): Finding | undefined {
  const name = word.text === 'is' ? nameBefore(source, word.start) : word;
  const ofName = name && source.nameKinds.of(name.text);
  const kind = name && ofName === 'bareKey' && isSecretPhrase(source, name) ? 'secret' : ofName;
  if (!name || (kind !== 'password' && kind !== 'secret' && kind !== 'token')) return undefined;
  const encrypted = encryptedAfter(source, at);
  if (encrypted) return encrypted;
  const value = valueAfter(source, at);
  const found = secretIn(source, kind, value, 'argument');
  if (!found) return undefined;
  const text = source.text.slice(found.start, found.end);
  // In prose, only what looks very random is a secret.
  const isRandom = text.length >= 10 && /\d/.test(text) && /[A-Za-z]/.test(text) && randomness(text) > 8;
  if (isRandom || (/["']/.test(value.quote) && !/^pass$/i.test(name.text))) return found;
  const line = source.lineBefore(name.start, 120);
  const isStart = line.trim() === '' && /^(?:requirepass|masterauth|bindpw|rootpw)$/.test(name.text);
  return isStart || login.test(line) ? found : undefined;
}

/**
 * `password 7 0822455D0A16` or `secret 9 $9$...` in the configuration of a router: a type, and an encrypted password.
 */
function encryptedAfter(source: SearchedText, at: number): Finding | undefined {
  if (!'5789'.includes(source.text.charAt(at + 1))) return undefined;
  const form = /^ (?:7 (?=[0-9A-Fa-f]{8,64}\s)|[589] (?=\$\d{1,2}\$))/.exec(source.part(at, at + 80));
  if (!form) return undefined;
  return secretIn(source, 'password', valueAfter(source, at + form[0].length), 'query');
}

/** `echo name:password | chpasswd`, and a password that is piped to another program. */
function printedPassword(source: SearchedText, at: number): Finding | undefined {
  const value = valueAfter(source, source.text.startsWith(' -n ', at) ? at + 3 : at);
  const reader = passwordReader.exec(source.part(value.end, value.end + 140));
  if (!reader) return undefined;
  return reader[0].endsWith('chpasswd') ? userPassword(source, value) : secretIn(source, 'password', value, 'query');
}

/** `IDENTIFIED BY 'value'` in SQL. */
function identifiedBy(source: SearchedText, start: number, at: number): Finding | undefined {
  if (!/\bidentified\b/i.test(source.lineBefore(start, 60))) return undefined;
  return secretIn(source, 'password', valueAfter(source, at), 'query');
}

/**
 * The secret of an option in a list of words, such as `["tool", "--password", "value"]`. `at` is the comma before the
 * value, or before the option that contains the value, and `name` is the word before the comma. The words can be on
 * different lines.
 */
export function afterListedWord(source: SearchedText, name: Name | undefined, at: number): Finding | undefined {
  const { text } = source;
  const word = text.charAt(at) === ',' ? listedWordAfter(source, at) : undefined;
  if (word === undefined) return undefined;
  if (text.charAt(word) === '-') return /[pu]/.test(text.charAt(word + 1)) ? attachedInList(source, word) : undefined;
  if (name?.text.startsWith('-') !== true || !/["'`]/.test(text.charAt(name.start - 1))) return undefined;
  const found = afterOption(source, name, source.before(word - 1, '\\'), true);
  if (!found || describedOption.test(source.part(name.start - 90, name.start))) return undefined;
  return isInList(source.part(name.start - longestList, name.start)) &&
    !description.test(source.part(found.start, found.end))
    ? found
    : undefined;
}

/**
 * The secret in an item of a YAML list, below an item with an option such as `- --password`. `at` is the dash of the
 * item with the secret.
 */
function afterOptionItem(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  const lineStart = source.before(at, ' \t', 64);
  if (text.charAt(lineStart - 1) !== '\n') return undefined;
  const name = nameBefore(source, source.before(lineStart, '\r\n', 2));
  if (name?.text.startsWith('--') !== true) return undefined;
  const before = source.beforeBlanks(name.start - (/["']/.test(text.charAt(name.start - 1)) ? 1 : 0));
  if (text.charAt(before - 1) !== '-' || before === name.start) return undefined;
  const found = secretAfter(source, { ...name, text: name.text.slice(2) }, at + 1, '--');
  // The option above can be one without a value.
  const isOption = found && text.charAt(found.start) === '-';
  return found && !isOption && !description.test(source.part(found.start, found.end)) ? found : undefined;
}

/** Whether a list, object, or call that begins in the text isn't closed by the end of the text. */
function isInList(before: string): boolean {
  const opening = Math.max(before.lastIndexOf('['), before.lastIndexOf('('), before.lastIndexOf('{'));
  const closing = Math.max(before.lastIndexOf(']'), before.lastIndexOf(')'), before.lastIndexOf('}'));
  return opening > closing;
}

/** The start of the word after the comma at `at`, without its quotation mark; undefined if there is none. */
function listedWordAfter(source: SearchedText, at: number): number | undefined {
  const next = source.text.charAt(at + 1);
  if (/["'`]/.test(next)) return at + 2;
  if (!/[\s\\]/.test(next)) return undefined;
  const gap = listGap.exec(source.part(at + 1, at + 1 + longestGap));
  return gap ? at + 1 + gap[0].length : undefined;
}

/** The password in `["mysql", "-ppassword"]` and `["curl", "-uname:password"]`. `at` is the dash of the option. */
function attachedInList(source: SearchedText, at: number): Finding | undefined {
  const quote = source.text.charAt(at - 1);
  const limit = source.part(at + 2, at + 2 + longestCommand).search(/["'`\\\r\n]/);
  return quote === '' || limit < 1
    ? undefined
    : attachedFrom(source, at, { start: at + 2, end: at + 2 + limit, quote });
}

/** `--password value`, and `-u name:value` and `-p value` of some programs. */
function afterOption(source: SearchedText, name: Name, at: number, isListed = false): Finding | undefined {
  const option = name.text.replace(/^-+/, '');
  const found = afterKnownOption(source, name, option, at, isListed);
  const other = otherLogins.get(option);
  if (!other) return found;
  const ofOther = userPassword(source, valueAfter(source, at, true), other.sign);
  // The line is read only if there is something to find.
  if (!found && !ofOther) return undefined;
  return other.program.test(commandBefore(source, name.start, isListed)) ? ofOther : found;
}

/**
 * The part of a command before `at`: on the same line or, if the command is a list, in that list and in the text before
 * it that names the program.
 */
function commandBefore(source: SearchedText, at: number, isListed: boolean): string {
  if (!isListed) return source.lineBefore(at, longestCommand);
  const part = source.part(at - longestList, at);
  const opening = part.lastIndexOf('[');
  const before = part.slice(0, Math.max(0, opening));
  const program = namesArguments.test(before.slice(-40)) ? before.replace(/^.*[{}\];(]/s, '') : '';
  return program + part.slice(Math.max(0, opening));
}

function afterKnownOption(
  source: SearchedText,
  name: Name,
  option: string,
  at: number,
  isListed: boolean,
): Finding | undefined {
  const isUser = userOptions.has(option);
  const isPassword = passwordOptions.has(option);
  if (!isUser && !isPassword) return secretAfter(source, { ...name, text: option }, at, '--');
  const value = valueAfter(source, at);
  const start = source.text.startsWith('pass:', value.start) ? value.start + 5 : value.start;
  const form = value.quote === '' ? 'query' : 'option';
  const found = isUser ? userPassword(source, value) : secretIn(source, 'password', { ...value, start }, form);
  const command = found ? commandBefore(source, name.start, isListed) : '';
  const isKnown = (isUser ? userPrograms : passwordPrograms).test(command);
  return isKnown || (option === 'P' && capitalPrograms.test(command)) ? found : undefined;
}

/** The password in `mysql -ppassword` and `curl -uname:password`. */
function attachedValue(source: SearchedText, at: number): Finding | undefined {
  if (/[ \t]/.test(source.text.charAt(at + 3))) return undefined;
  const value = valueAfter(source, at + 3);
  return value.start === at + 3 ? attachedFrom(source, at + 1, value) : undefined;
}

/** The secret in the value that immediately follows the option `-p` or `-u` at `at`. */
function attachedFrom(source: SearchedText, at: number, value: Value): Finding | undefined {
  const isUser = source.text.charAt(at + 1) === 'u';
  const found = isUser ? userPassword(source, value) : secretIn(source, 'password', value, 'query');
  const command = found ? commandBefore(source, at, value.quote !== '') : '';
  return (isUser ? userPrograms : /\b(?:mysql|mariadb)/).test(command) ? found : undefined;
}

/** The password in `name:password`, or with another sign between them. */
function userPassword(source: SearchedText, value: Value, sign = ':'): Finding | undefined {
  const user = source.part(value.start, value.end);
  const colon = user.indexOf(sign);
  const password = user.slice(colon + 1);
  if (colon < 0 || password.length < 3 || noPassword.test(password)) return undefined;
  const start = value.start + colon + 1;
  return { start, end: value.end, rule: 'User and password of a command', isCertain: password.length >= 8 };
}
