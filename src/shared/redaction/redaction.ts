import { inSlices, type PausableWork, withoutPause } from '../slices.ts';
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
  const findings = yield* findingSecrets(text, step);
  const parts: string[] = [];
  let copiedTo = 0;
  for (const { start, end } of findings) {
    parts.push(text.slice(copiedTo, start), mark);
    copiedTo = end;
  }
  parts.push(text.slice(copiedTo));
  return { value: parts.join(''), count: findings.length };
}

/**
 * Replaces likely secrets in every string of a JSON value, except field names and base64 data of images and files. The
 * value keeps its shape. Has pauses for `inSlices` (R50).
 */
export function redactingJson<T>(value: T, step?: number): PausableWork<Redacted<T>>;
export function* redactingJson(value: unknown, step = stepLength): PausableWork<Redacted<unknown>> {
  if (typeof value === 'string') return yield* redactingText(value, step);
  if (typeof value !== 'object' || value === null) return { value, count: 0 };
  yield;
  const fields: readonly (readonly [string, unknown])[] = Object.entries(value);
  const other = fields.find(([name, part]) => /^(?:name|key)$/i.test(name) && typeof part === 'string')?.[1];
  const parts: (readonly [string, unknown])[] = [];
  let count = 0;
  for (const [name, part] of fields) {
    // In `{ "name": "DB_PASSWORD", "value": "..." }`, the name of the value is itself a value.
    const meant = /^value$/i.test(name) && typeof other === 'string' ? other : name;
    const redacted = redactField(meant, part) ?? (yield* redactingJson(part, step));
    parts.push([name, redacted.value]);
    count += redacted.count;
  }
  const result: unknown = Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  return { value: result, count };
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
