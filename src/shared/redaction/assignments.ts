import { isDigit, type SearchedText, wordCharacters } from './characters.ts';
import { afterSpace } from './commandSecrets.ts';
import { authorization, cookie } from './credentials.ts';
import type { Finding } from './issuerTokens.ts';
import { type Name, nameBefore, secretAfter } from './namedValues.ts';

/**
 * A secret after a separator at `at`, in the forms `name = value`, `name: value`, `name => value`, `<name>value<`,
 * `'name', 'value'`, `name('value')`, and `--name value`. `length` is that of an encoded equals sign.
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
  const found = secretAfter(source, declared, after, isTight ? '=' : ' = ');
  const isText = !found && /["'`]/.test(text.charAt(source.afterBlanks(after)));
  const typed = isText ? nameBeforeType(source, declared) : undefined;
  return found ?? (typed && secretAfter(source, typed, after, ' = '));
}

/** The name in `name: Type = value` or `name Type = value`. */
function nameBeforeType(source: SearchedText, type: Name): Name | undefined {
  const end = source.before(type.start, ' \t&*:');
  return end === type.start ? undefined : nameBefore(source, end);
}

function afterColon(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  if ('=:/'.includes(text.charAt(at + 1))) return undefined;
  const name = nameBefore(source, at);
  if (name === undefined) return undefined;
  if (/^(?:proxy-)?authorization$/i.test(name.text)) return authorization(source, at + 1);
  if (/^(?:set-)?cookie$/i.test(name.text)) return cookie(source, at + 1);
  return secretAfter(source, name, at + 1, ': ') ?? botToken(source, at);
}

/** `<name>value</name>`. */
function afterTag(source: SearchedText, at: number): Finding | undefined {
  const name = nameBefore(source, at);
  if (!name || source.text.charAt(name.start - 1) !== '<') return undefined;
  const found = secretAfter(source, name, at + 1, '<>');
  return found && source.text.startsWith('</', found.end) ? found : undefined;
}

/** First words of functions that don't set the secret they are named after. */
const reading =
  /^(?:\w+\.){0,4}(?:get|find|load|read|fetch|has|is|create|generate|validate|verify|check|test|remove|delete|lookup|decode|parse|list)/;

/** `'name', 'value'` and `name('value')`. */
function inArguments(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  const name = nameBefore(source, at);
  if (!name || !/["'`]/.test(text.charAt(source.afterBlanks(at + 1)))) return undefined;
  const isQuoted = /["'`]/.test(text.charAt(name.start - 1)) && name.end < at;
  const isCall = text.charAt(at) === '(' && !reading.test(name.text);
  return isQuoted || isCall ? secretAfter(source, name, at + 1, '()') : undefined;
}

/** A Telegram bot's token: the bot's number, a colon, and a random text. */
function botToken(source: SearchedText, at: number): Finding | undefined {
  const { text } = source;
  if (!text.startsWith('AA', at + 1)) return undefined;
  let start = at;
  while (start > at - 11 && isDigit(text.charCodeAt(start - 1))) start--;
  const end = source.runEnd(wordCharacters, at + 1);
  if (at - start < 8 || at - start > 10 || end - at !== 36) return undefined;
  return { start, end, rule: 'Telegram bot token', isCertain: true };
}
