import { oracleSecretAt } from './addresses.ts';
import { isDigit, type SearchedText, wordCharacters } from './characters.ts';
import { afterListedWord, afterSpace } from './commandSecrets.ts';
import { headerSecretAfter, passwordHashAt } from './credentials.ts';
import type { Finding } from './issuerTokens.ts';
import { keyMemberAfter } from './jsonWebKeys.ts';
import { type Name, nameBefore, secretAfter, secretIn, valueAfter } from './namedValues.ts';

/**
 * A secret after a separator at `at`, in the forms `name = value`, `name: value`, `name => value`, `<name>value<`,
 * `'name', 'value'`, `name('value')`, `--name value`, and `'--name', 'value'`. `length` is the length of the separator,
 * which is more than 1 for an encoded equals sign.
 */
export function assignedSecretAt(source: SearchedText, at: number, length = 1): Finding | undefined {
  const separator = source.text.charAt(at);
  if (separator === ':') return afterColon(source, at);
  if (separator === '=' || length > 1) return afterEquals(source, at, at + length);
  if (separator === '>') return afterTag(source, at);
  if (separator === ' ') return afterSpace(source, at);
  return inArguments(source, at);
}

function afterEquals(source: SearchedText, at: number, separatorEnd: number): Finding | undefined {
  const { text } = source;
  const end = source.before(at, ':+?!=<>|', 3);
  const declared = nameBefore(source, end);
  if (declared === undefined) return undefined;
  let after = separatorEnd;
  while (after < separatorEnd + 2 && '=>'.includes(text.charAt(after))) after++;
  if (/^--(?:proxy-)?user$/.test(declared.text)) return afterSpace(source, at);
  const isTight = end === at && declared.end === at && after === separatorEnd && !/\s/.test(text.charAt(after));
  const found =
    headerSecretAfter(source, declared.text, after) ?? secretAfter(source, declared, after, isTight ? '=' : ' = ');
  const isText = !found && /["'`]/.test(text.charAt(source.afterBlanks(after)));
  const typed = isText ? nameBeforeType(source, declared) : undefined;
  return found ?? (typed && secretAfter(source, typed, after, ' = '));
}

/** The name in `name: Type = value`, `name Type = value`, or `name: &'lifetime Type = value`. */
function nameBeforeType(source: SearchedText, type: Name): Name | undefined {
  const end = source.before(type.start, ' \t&*:');
  if (end === type.start) return undefined;
  const lifetime = /&'\w{1,30}$/.exec(source.part(end - 32, end));
  return nameBefore(source, lifetime ? source.before(end - lifetime[0].length, ' \t:') : end);
}

function afterColon(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  if ('=:/'.includes(text.charAt(at + 1))) return undefined;
  const name = nameBefore(source, at);
  if (name === undefined) return passwordFileEntry(source, at);
  return (
    headerSecretAfter(source, name.text, at + 1) ??
    secretAfter(source, name, at + 1, ': ') ??
    keyMemberAfter(source, name, at + 1) ??
    passwordHashAt(source, at) ??
    tokenAround(source, at) ??
    oracleSecretAt(source, at) ??
    passwordFileEntry(source, at)
  );
}

/** `<name>value</name>`, `<string name="name">value</string>`, and `<key>name</key><string>value</string>`. */
function afterTag(source: SearchedText, at: number): Finding | undefined {
  const name = nameBefore(source, at);
  if (!name) return undefined;
  const isTag = source.text.charAt(name.start - 1) === '<';
  const other = isTag ? nameInList(source, name) : nameInAttribute(source, name);
  if (!isTag && !other) return undefined;
  const found = secretAfter(source, other ?? name, at + 1, '<>');
  // Texts of a user interface have such names, too, so only a value that is almost certainly a secret counts.
  return found && (!other || found.isCertain) && source.text.startsWith('</', found.end) ? found : undefined;
}

/** The name in an attribute `name`, `key`, or `id` that ends a tag. */
function nameInAttribute(source: SearchedText, name: Name): Name | undefined {
  return /\s(?:name|key|id)=["']$/i.test(source.part(name.start - 8, name.start)) ? name : undefined;
}

/** The key before the tag `string` of a property list. */
function nameInList(source: SearchedText, tag: Name): Name | undefined {
  if (tag.text !== 'string') return undefined;
  const before = source.part(tag.start - 120, tag.start);
  const key = /<key>([\w.-]{1,80})<\/key>\s*<$/.exec(before);
  return key?.[1] === undefined ? undefined : { ...tag, text: key[1] };
}

/** First words of functions that don't set the secret they are named after. */
const reading =
  /^(?:\w+\.){0,4}(?:get|find|load|read|fetch|has|is|create|generate|validate|verify|check|test|remove|delete|lookup|decode|parse|list)/;

/** `'name', 'value'`, `name('value')`, and `'--name', 'value'`. */
function inArguments(source: SearchedText, at: number): Finding | undefined {
  const name = nameBefore(source, at);
  const isInLine = /["'`]/.test(source.text.charAt(source.afterBlanks(at + 1)));
  const found = isInLine ? ((name && argumentNamed(source, name, at)) ?? passwordOfLogin(source, at)) : undefined;
  return found ?? afterListedWord(source, name, at);
}

function argumentNamed(source: SearchedText, name: Name, at: number): Finding | undefined {
  const { text } = source;
  const isQuoted = /["'`]/.test(text.charAt(name.start - 1)) && name.end < at;
  const isCall = text.charAt(at) === '(' && !reading.test(name.text);
  const found = isQuoted ? headerSecretAfter(source, name.text, at + 1) : undefined;
  if (found || (!isQuoted && !isCall)) return found;
  return secretAfter(source, name, at + 1, '()');
}

/** The first argument of a login or of credentials, which is the name of the user. */
const loginCall = /(?:auth|credentials?|credentials?\.create|login)["']?\s?[:=]?\s?\(\s?["'][^"'\n]{1,64}["']\s?$/i;

/** The second argument in `auth=('name', 'password')` and `new BasicCredentials('name', 'password')`. */
function passwordOfLogin(source: SearchedText, at: number): Finding | undefined {
  if (source.text.charAt(at) !== ',') return undefined;
  // Few texts in quotation marks follow a parenthesis, and finding that out is much faster than reading the line.
  const argument = source
    .part(at - 69, at)
    .trimEnd()
    .slice(0, -1);
  const start = Math.max(argument.lastIndexOf('"'), argument.lastIndexOf("'"));
  return /\(\s?$/.test(argument.slice(Math.max(0, start - 2), Math.max(0, start))) &&
    loginCall.test(source.lineBefore(at, 160))
    ? secretIn(source, 'password', valueAfter(source, at + 1), 'quoted')
    : undefined;
}

/** The fields between the host and the password in a line of a PostgreSQL password file. */
const passwordFileFields = /^:(?:\d{4,5}|\*):[\w.*-]{1,63}:[\w.*-]{1,63}:(?=\S)/;

/** `host:5432:database:user:password`. `at` is the colon after the host. */
function passwordFileEntry(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  const hasPort = text.charAt(at + 2) === ':' ? text.charAt(at + 1) === '*' : text.slice(at + 5, at + 7).includes(':');
  if (!hasPort) return undefined;
  const fields = passwordFileFields.exec(source.part(at, at + 140));
  if (!fields || !/^[\w.*-]{1,100}$/.test(source.lineBefore(at, 120))) return undefined;
  return secretIn(source, 'password', valueAfter(source, at + fields[0].length, true), 'line');
}

/** A random text with a colon in it: a token of a Telegram bot, or a key of Ably. */
function tokenAround(source: SearchedText, at: number): Finding | undefined {
  return source.text.startsWith('AA', at + 1) ? botToken(source, at) : ablyKey(source, at);
}

/** A key of Ably: the IDs of an app and a key, and a random text. */
function ablyKey(source: SearchedText, at: number): Finding | undefined {
  if (source.text.charAt(at - 7) !== '.') return undefined;
  const end = source.runEnd(wordCharacters, at + 1);
  const start = at - 13;
  if (end - at !== 44 || !/^[\w-]{6}\.[\w-]{6}$/.test(source.part(start, at))) return undefined;
  return { start, end, rule: 'Ably key', isCertain: true };
}

/** A Telegram bot's token: the bot's number, a colon, and a random text. */
function botToken(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  let start = at;
  while (start > at - 11 && isDigit(text.charCodeAt(start - 1))) start--;
  const end = source.runEnd(wordCharacters, at + 1);
  if (at - start < 8 || at - start > 10 || end - at !== 36) return undefined;
  return { start, end, rule: 'Telegram bot token', isCertain: true };
}
