import { codeCharacters, lineCharacters, type SearchedText, wordOrPeriod } from './characters.ts';
import { isEncodedLogin, shortestLogin } from './credentials.ts';
import type { Finding } from './issuerTokens.ts';
import type { NameKind } from './secretNames.ts';
import { judgeValue, shortestValue, type ValueForm } from './secretValues.ts';

/** A name before a separator. */
export interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A value after a separator. */
export interface Value {
  readonly start: number;
  readonly end: number;
  /** The quotation mark before the value; empty if there is none. */
  readonly quote: string;
}

/**
 * How a name and its value are connected; `=` is written without blanks around it, and `--` is an option of a command.
 */
type Separator = '=' | ' = ' | ': ' | '<>' | '()' | '--';

const longestName = 80;
const longestQuoted = 4_096;
const closingBrackets: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/** The name that ends before `to`, without quotation marks and blanks around it. */
export function nameBefore(source: SearchedText, to: number): Name | undefined {
  const { text } = source;
  let end = source.beforeBlanks(to);
  if (text.charAt(end - 1) === ']') end--;
  if (text.charAt(end - 1) === '[') end--;
  if (text.charAt(end - 1) === '?' || text.charAt(end - 1) === '!') end--;
  if (text.startsWith('**', end - 2)) end -= 2;
  if (/["'`]/.test(text.charAt(end - 1))) end = source.before(end - 1, '\\');
  const start = source.runStart(wordOrPeriod, end, longestName);
  return end === start ? undefined : { text: text.slice(start, end), start, end };
}

/**
 * The value that begins at `at`, after any blanks. If `isSetting` is true, it is read like a value in a settings file:
 * punctuation doesn't end it, and it can be a YAML block.
 */
export function valueAfter(source: SearchedText, at: number, isSetting = false): Value {
  const { text } = source;
  let start = source.afterBlanks(at);
  if (text.startsWith('<![CDATA[', start)) start += 9;
  // The prefixes of strings in other languages, such as `b"..."` and `@"..."`.
  if (/["']/.test(text.charAt(start + 1)) && /[bBrRfFuULN@]/.test(text.charAt(start))) start++;
  if (isSetting && /[|>]/.test(text.charAt(start))) start = blockStart(source, start);
  if (text.startsWith('**', start)) start = source.afterBlanks(start + 2);
  // In JSON in a string, quotation marks are escaped, several times if the string is in JSON itself.
  let mark = start;
  while (mark < start + 7 && text.charAt(mark) === '\\') mark++;
  const quote = text.charAt(mark);
  if (quote === '"' || quote === "'" || quote === '`') {
    return { start: mark + 1, end: quotedEnd(source, mark + 1, quote, mark > start), quote };
  }
  // Strings of Perl and Lua.
  const bracket = /^(?:qq?([{([|])|\[(\[))/.exec(text.slice(start, start + 3));
  if (bracket) {
    const from = start + bracket[0].length;
    const end = quotedEnd(source, from, closingBrackets[bracket[1] ?? '['] ?? '|', false);
    return { start: from, end, quote: '"' };
  }
  if (text.startsWith('base64:', start)) start += 7;
  return { start, end: source.runEnd(isSetting ? lineCharacters : codeCharacters, start), quote: '' };
}

/** The start of the text of a YAML block, which begins with `|` or `>` and a line break; `at` if there is none. */
function blockStart({ text }: SearchedText, at: number): number {
  const start = /^[|>][-+]?\r?\n[ \t]+/.exec(text.slice(at, at + 80));
  return start ? at + start[0].length : at;
}

/**
 * Where a text between quotation marks ends: before the mark (or its backslash, if marks are escaped), at the end of
 * the line, or after {@link longestQuoted} characters.
 */
function quotedEnd(source: SearchedText, from: number, quote: string, isEscaped: boolean): number {
  const { text } = source;
  const limit = Math.min(text.length, from + longestQuoted);
  let end = from;
  for (; end < limit; end++) {
    const character = text.charAt(end);
    if (character === quote || character === '\n' || character === '\r') break;
    if (character !== '\\') continue;
    if (isEscaped) break;
    end++;
  }
  source.examined += end - from + 1;
  return Math.min(end, limit);
}

/** Whether a name begins its line, so that the line is probably one of a settings file. */
function lineIsSetting(source: SearchedText, { start }: Name): boolean {
  const line = source.lineBefore(start, 64).replace(/^[ \t]*\d{1,6}[:\t→|]/, '');
  return /^[\s+*>#/|"'$-]*(?:(?:export|setx?|ENV|ARG|declare|readonly|-e|--env|--build-arg)\s+|env:)?["']?$/i.test(
    line,
  );
}

/** The secret with this name whose value begins at `at`, after any blanks. */
export function secretAfter(source: SearchedText, name: Name, at: number, separator: Separator): Finding | undefined {
  const meant = meantName(source, name);
  const ofName = source.nameKinds.of(meant);
  const kind = ofName === 'bareKey' && isSecretPhrase(source, name) ? 'secret' : ofName;
  if (kind === undefined || (kind === 'signature' && separator !== '=')) return undefined;
  const canBeSetting = separator === '=' || separator === ' = ' || separator === ': ';
  const isSetting = canBeSetting && lineIsSetting(source, name);
  const value = valueAfter(source, at, isSetting);
  const known = { ...name, text: meant, kind };
  const found = judged(source, known, value, separator, isSetting);
  if (found) return found;
  const other = alternativeTo(source, value);
  return other && judged(source, known, other, separator, isSetting);
}

/** Whether a name that is only `key` is the last word of a secret's name, as in `API key: ...`. */
export function isSecretPhrase(source: SearchedText, name: Name): boolean {
  const before = source.text.charAt(name.start - 1) === ' ' ? nameBefore(source, name.start) : undefined;
  return before !== undefined && source.nameKinds.of(`${before.text} ${name.text}`) === 'secret';
}

/** The text in `process.env.NAME || 'text'`. */
function alternativeTo(source: SearchedText, value: Value): Value | undefined {
  const operator = /^[ \t]{0,3}(?:\|\||\?\?)[ \t]{0,3}(?=["'`])/.exec(source.text.slice(value.end, value.end + 10));
  return operator ? valueAfter(source, value.end + operator[0].length) : undefined;
}

/** The value as a finding, if it is probably a secret, given the kind of its name and its form. */
export function secretIn(source: SearchedText, kind: NameKind, value: Value, form: ValueForm): Finding | undefined {
  if (value.end - value.start < shortestValue(kind)) return undefined;
  const end = value.quote === '' ? trimmedEnd(source.text, value) : value.end;
  const verdict = judgeValue(source.text.slice(value.start, end), kind, form);
  return verdict && { start: value.start, end, rule: valueRule(kind), isCertain: verdict === 'certain' };
}

interface KnownName extends Name {
  readonly kind: NameKind;
}

function judged(
  source: SearchedText,
  name: KnownName,
  value: Value,
  separator: Separator,
  isSetting: boolean,
): Finding | undefined {
  const { kind } = name;
  const length = value.end - value.start;
  const isLogin =
    length >= shortestLogin &&
    /(?:^|[-_.])auth$/i.test(name.text) &&
    isEncodedLogin(source.text.slice(value.start, value.end));
  if (isLogin) return { start: value.start, end: value.end, rule: valueRule(kind), isCertain: true };
  if (length < shortestValue(kind)) return undefined;
  return secretIn(source, kind, value, formOf(source, name, value, separator, isSetting));
}

/** The name of the rule for values with names of a kind. */
function valueRule(kind: NameKind): string {
  return kind === 'bareKey' ? 'Value named key' : `Value named like a ${kind}`;
}

function formOf(source: SearchedText, name: Name, value: Value, separator: Separator, isSetting: boolean): ValueForm {
  if (separator === '()' || separator === '--') return separator === '--' && value.quote !== '' ? 'option' : 'argument';
  if (value.quote !== '' || separator === '<>') return 'quoted';
  const isAlone = endsLine(source.text.slice(trimmedEnd(source.text, value), value.end + 8));
  if (separator === '=' && /^[A-Z][A-Z0-9_]*$/.test(name.text)) return isAlone || isSetting ? 'environment' : 'query';
  const isListed = /[,(]\s*$/.test(source.lineBefore(name.start, 8)) || source.text.charAt(value.end) === '(';
  if (separator === '=' && !isListed) return 'query';
  return isAlone && isSetting ? 'line' : 'code';
}

/** Whether the line ends after a value, except for blanks, quotation marks, and a comment. */
function endsLine(after: string): boolean {
  return /^(?:[\r\n"'\\]|$|[ \t]+(?:[\r\n#\\]|$))/.test(after);
}

/** The end of a value, without the punctuation of the sentence or the code around it. */
function trimmedEnd(text: string, { start, end }: Value): number {
  let trimmed = end;
  while (trimmed > start && ',;.:)'.includes(text.charAt(trimmed - 1))) trimmed--;
  return trimmed;
}

/** The name to judge: for `value` and `default`, the name before them. */
function meantName(source: SearchedText, name: Name): string {
  if (/^val(?:ue)?$/i.test(name.text)) return otherName(source, name);
  return name.text === 'default' ? variableName(source, name) : name.text;
}

/** The name in `variable "NAME" {` before `default = ...`, in Terraform. */
function variableName(source: SearchedText, { start }: Name): string {
  return /\bvariable\s+"([\w-]{1,64})"\s*\{[^{}]*$/.exec(source.part(start - 300, start))?.[1] ?? '';
}

/** The name in `name: NAME` or `key="NAME"` before `value: ...`. */
function otherName(source: SearchedText, { start }: Name): string {
  const { text } = source;
  const end = source.before(start, ` \t\r\n"',-`);
  const nameStart = source.runStart(wordOrPeriod, end, longestName);
  const labelEnd = source.before(nameStart, ` \t"'=:`);
  const label = text.slice(Math.max(0, labelEnd - 5), labelEnd);
  return /(?:^|[^a-z])(?:name|key)$/i.test(label) ? text.slice(nameStart, end) : '';
}
