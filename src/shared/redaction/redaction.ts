import { inSlices, Pace, type PausableWork, withoutPause } from '../slices.ts';
import { isEncodedLogin } from './credentials.ts';
import type { Finding } from './issuerTokens.ts';
import { kindOfName } from './secretNames.ts';
import { SecretScanner } from './secretScanner.ts';
import { judgeValue } from './secretValues.ts';

/** A value without likely secrets, and the number of secrets that were replaced. */
export interface Redacted<T> {
  readonly value: T;
  readonly count: number;
}

const mark = '[redacted]';

/** The number of characters after which a search can be paused; they take less than a millisecond. */
const stepLength = 8_192;

/**
 * Replaces likely secrets in `text` with `[redacted]`, without a pause. Can miss secrets and can replace harmless text.
 * docs/secrets.md lists the rules.
 */
export function redactText(text: string): Redacted<string> {
  return withoutPause(redactingText(text));
}

/** Like {@link redactText}, for text of any length: in slices, between which other work runs (R50). */
export function redactTextInSlices(text: string): Promise<Redacted<string>> {
  return inSlices(redactingText(text));
}

/** Finds the likely secrets in `text`, in slices. They are in the order of the text and don't overlap. */
export function findSecretsInSlices(text: string): Promise<readonly Finding[]> {
  return inSlices(findingSecrets(text));
}

function* findingSecrets(text: string, step = stepLength): PausableWork<readonly Finding[]> {
  const scanner = new SecretScanner(text);
  while (!scanner.advance(step)) yield;
  return scanner.findings;
}

/** The work of {@link redactText}, which can be paused after each `step` characters. */
export function* redactingText(text: string, step = stepLength): PausableWork<Redacted<string>> {
  return replaced(text, yield* findingSecrets(text, step));
}

type Span = Pick<Finding, 'start' | 'end'>;

/** Replaces parts of a text. They must be in the order of their starts, and can overlap. */
function replaced(text: string, spans: readonly Span[]): Redacted<string> {
  const parts: string[] = [];
  let copiedTo = 0;
  let count = 0;
  for (const { start, end } of spans) {
    if (start >= copiedTo) {
      parts.push(text.slice(copiedTo, start), mark);
      count++;
    }
    copiedTo = Math.max(copiedTo, end);
  }
  parts.push(text.slice(copiedTo));
  return { value: parts.join(''), count };
}

/**
 * Replaces likely secrets in every string of a JSON value, except field names and base64 data of images and files. A
 * list of words with an option is searched as a command. The value keeps its shape. Has pauses for `inSlices` (R50).
 */
export function redactingJson<T>(value: T, step?: number): PausableWork<Redacted<T>>;
export function* redactingJson(value: unknown, step = stepLength): PausableWork<Redacted<unknown>> {
  if (typeof value === 'string') return yield* redactingText(value, step);
  if (typeof value !== 'object' || value === null) return { value, count: 0 };
  yield;
  if (isCommand(value)) return yield* redactingCommand(value, '', step);
  const fields: readonly (readonly [string, unknown])[] = Object.entries(value);
  const other = fields.find(([name, part]) => /^(?:name|key)$/i.test(name) && typeof part === 'string')?.[1];
  const program = fields.find(
    ([name, part]) => /^(?:command|cmd|program)$/i.test(name) && typeof part === 'string',
  )?.[1];
  const parts: (readonly [string, unknown])[] = [];
  let count = 0;
  const pace = new Pace();
  for (const [name, part] of fields) {
    if (typeof part === 'string' && pace.isOver(part.length)) yield;
    // In `{ "name": "DB_PASSWORD", "value": "..." }`, the name of the value is itself a value.
    const meant = /^value$/i.test(name) && typeof other === 'string' ? other : name;
    const isOfProgram = typeof program === 'string' && isCommand(part);
    const redacted =
      redactField(meant, part) ??
      (isOfProgram ? yield* redactingCommand(part, program, step) : yield* redactingJson(part, step));
    parts.push([name, redacted.value]);
    count += redacted.count;
  }
  const result: unknown = Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  return { value: result, count };
}

/** Whether a value is a list of words that contains an option. An option can say that the next word is a secret. */
function isCommand(value: unknown): value is readonly string[] {
  const isWord = (word: unknown): word is string => typeof word === 'string';
  return Array.isArray(value) && value.every(isWord) && value.some((word) => word.startsWith('-'));
}

/**
 * Replaces likely secrets in the words of a command. Searches each word alone, and all of them as a list. `program` is
 * the program if it isn't one of the words; otherwise, it is empty.
 */
function* redactingCommand(
  words: readonly string[],
  program: string,
  step: number,
): PausableWork<Redacted<readonly string[]>> {
  let list = `${listed(program)},[`;
  const starts = words.map((word) => {
    const start = list.length + 1;
    list += `${listed(word)},`;
    return start;
  });
  const findings = yield* findingSecrets(list, step);
  const values: string[] = [];
  let count = 0;
  let next = 0;
  const pace = new Pace();
  for (const [index, word] of words.entries()) {
    const from = starts[index] ?? 0;
    const to = from + word.length;
    if (pace.isOver(word.length)) yield;
    const spans: Span[] = [...(yield* findingSecrets(word, step))];
    // After white space, a quotation mark, or a backslash in a word, only what was found in the word alone counts,
    // because the list contains the word without its quotation marks, backslashes, and line breaks.
    const firstBreak = word.search(/["'`\\\s]/);
    for (let found = findings[next]; found && found.start < to; found = findings[++next]) {
      const start = Math.max(found.start, from) - from;
      const isOfList = start === 0 || firstBreak < 0 || start < firstBreak;
      if (found.end > from && isOfList) spans.push({ start, end: Math.min(found.end, to) - from });
      // The secret continues in the next word.
      if (found.end > to) break;
    }
    const redacted = replaced(
      word,
      spans.toSorted((one, two) => one.start - two.start),
    );
    values.push(redacted.value);
    count += redacted.count;
  }
  return { value: values, count };
}

/**
 * A word between quotation marks. Quotation marks, backslashes, and line breaks in the word are replaced, so its length
 * stays the same.
 */
function listed(word: string): string {
  return `"${word.replace(/["'`\\]/g, '+').replace(/[\r\n]/g, ' ')}"`;
}

/** A field whose name says what its value is: a secret, or data. Undefined if its value has to be searched. */
function redactField(name: string, value: unknown): Redacted<unknown> | undefined {
  if (typeof value !== 'string') return undefined;
  if (isSecretField(name, value)) return { value: mark, count: 1 };
  return name === 'data' && isBytes(value) ? { value, count: 0 } : undefined;
}

/** Whether a field's name says that its whole value is a secret. A password in JSON can consist of words. */
function isSecretField(name: string, value: string): boolean {
  if (value === mark) return false;
  const isNamed = /(?:api[_-]?key|secret|passwd|password|private[_-]?key|access[_-]?token|auth[_-]?token)$/i.test(name);
  if (isNamed && value.length >= 8) return true;
  if (/auth$/i.test(name) && isEncodedLogin(value)) return true;
  const kind = kindOfName(name);
  return kind !== undefined && judgeValue(value, kind, 'quoted') !== undefined;
}

/**
 * Whether a `data` field contains base64 that is too long to be a secret. Needed because a tool's input can also have a
 * field named `data`.
 */
function isBytes(value: string): boolean {
  return value.length >= 400 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}
