import { type SearchedText, wordOrPeriod } from './characters.ts';
import { credentialsAfter } from './credentials.ts';
import type { Finding } from './issuerTokens.ts';
import { type Name, nameBefore, secretAfter, secretIn, type Value, valueAfter } from './namedValues.ts';
import { randomness } from './randomness.ts';

const longestWord = 80;
/** How much of the line before an option is searched for the name of its program. */
const longestCommand = 300;

/** Programs whose option `-p`, `-a`, or the like is a password. */
const passwordPrograms =
  /\b(?:sshpass|mysql\w*|redis-cli|htpasswd|mongo\w*|sqlcmd|ldap\w+|openssl|smbclient)\b|\b(?:docker|podman|helm|az|oc)\b.{0,60}\blogin\b/;
/** Programs whose option `-u` can be a name and a password. */
const userPrograms = /\b(?:curl|wget|https?|xh|svn|lftp)\b/;
const noPassword = /^[$<{*[]|^(?:pass(?:word)?|secret|token|x+)$/i;
/** Words before the name of a secret that isn't part of a sentence. */
const login = /\b(?:machine|login|user|set|with|role|account|ENV|ARG)\b/i;

/** `--name value`, `password value` after a login, `PASSWORD 'value'`, and what follows an authentication scheme. */
export function afterSpace(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  const start = source.runStart(wordOrPeriod, at, longestWord);
  const word = text.slice(start, at);
  const scheme = /^(?:bearer|basic)$/i.exec(word)?.[0].toLowerCase();
  if (scheme !== undefined) return credentialsAfter(source, at, scheme);
  if (text.startsWith('-p', at + 1) || text.startsWith('-u', at + 1)) return attachedValue(source, at);
  if (word.startsWith('-')) return afterOption(source, { text: word, start, end: at }, at);
  if (/^by$/i.test(word)) return identifiedBy(source, start, at);
  return afterWord(source, { text: word, start, end: at }, at);
}

/** `password value`: in a login, in a settings file, with quotation marks, or a very random value in prose. */
function afterWord(source: SearchedText, word: Name, at: number): Finding | undefined {
  const name = word.text === 'is' ? nameBefore(source, word.start) : word;
  const kind = name && source.nameKinds.of(name.text);
  if (!name || (kind !== 'password' && kind !== 'secret' && kind !== 'token')) return undefined;
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

/** `IDENTIFIED BY 'value'` in SQL. */
function identifiedBy(source: SearchedText, start: number, at: number): Finding | undefined {
  if (!/\bidentified\b/i.test(source.lineBefore(start, 60))) return undefined;
  return secretIn(source, 'password', valueAfter(source, at), 'query');
}

/** `--password value`, and `-u name:value` and `-p value` of some programs. */
function afterOption(source: SearchedText, name: Name, at: number): Finding | undefined {
  const option = name.text.replace(/^-+/, '');
  const isUser = /^(?:u|U|user|proxy-user|basic-auth)$/.test(option);
  const isPassword = /^(?:p|P|a|w|pass|passin|passout)$/.test(option);
  if (!isUser && !isPassword) return secretAfter(source, { ...name, text: option }, at, '()');
  const value = valueAfter(source, at);
  const start = source.text.startsWith('pass:', value.start) ? value.start + 5 : value.start;
  const found = isUser ? userPassword(source, value) : secretIn(source, 'password', { ...value, start }, 'query');
  const command = found ? source.lineBefore(name.start, longestCommand) : '';
  return (isUser ? userPrograms : passwordPrograms).test(command) ? found : undefined;
}

/** The password in `mysql -ppassword` and `curl -uname:password`. */
function attachedValue(source: SearchedText, at: number): Finding | undefined {
  const value = valueAfter(source, at + 3);
  if (value.start !== at + 3) return undefined;
  const isUser = source.text.charAt(at + 2) === 'u';
  const found = isUser ? userPassword(source, value) : secretIn(source, 'password', value, 'query');
  const command = found ? source.lineBefore(at, longestCommand) : '';
  return (isUser ? userPrograms : /\b(?:mysql|mariadb)/).test(command) ? found : undefined;
}

/** The password in `name:password`. */
function userPassword(source: SearchedText, value: Value): Finding | undefined {
  const user = source.part(value.start, value.end);
  const colon = user.indexOf(':');
  const password = user.slice(colon + 1);
  if (colon < 0 || password.length < 3 || noPassword.test(password)) return undefined;
  const start = value.start + colon + 1;
  return { start, end: value.end, rule: 'User and password of a command', isCertain: password.length >= 8 };
}
