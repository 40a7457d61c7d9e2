import * as z from 'zod/mini';
import { defined } from '../../shared/defined.ts';
import { parseJson } from '../../shared/json.ts';
import { visibleText } from '../../shared/text/hiddenCharacters.ts';
import { readSessionReference, type SessionReference } from './sessionLinks.ts';

/** A session that a program listed. */
export interface SourceSession extends SessionReference {
  /** As the program wrote it, trimmed and cut to 500 characters. */
  readonly title?: string;
}

/** The sessions that a program listed, each once. */
interface SourceOutput {
  readonly sessions: readonly SourceSession[];
  /** The number of lines or items without a valid ID or URL. */
  readonly invalidCount: number;
  /** Whether there are more lines or items than are read. */
  readonly isCut: boolean;
}

/** The maximum number of lines or items that are read. */
export const maxSourceItems = 1_000;
const longestReference = 2_000;
const longestId = 1_000;
const longestTitle = 500;

const arraySchema = z.array(z.unknown());
const objectSchema = z.record(z.string(), z.unknown());
// A number that isn't a safe integer has lost digits.
const idSchema = z.optional(z.union([z.string(), z.int()]));
const itemSchema = z.union([
  z.string(),
  z.object({ id: idSchema, sessionId: idSchema, title: z.catch(z.optional(z.string()), undefined) }),
]);

/** The length from which a single word can be an ID. Words of a message, such as "Unauthorized", are shorter. */
const longestWord = 20;
const onlyWord = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)[\p{P}\p{S}]*$/u;
/** Characters that an ID outside of JSON objects can't contain: quotes and brackets, as in invalid JSON. */
const quoteOrBracket = /["'`<>()[\]{}|]/;

/**
 * Reads the output of a program: a session ID, a URL, or a JSON object on each line, or one JSON array. The array can
 * be in an object: in `sessions` or, without that, in the first property with an array. A JSON object for a session has
 * the ID or URL in `id` or `sessionId`, and can have a `title`. Only in an object can an ID have any form. Outside of
 * objects, a text that isn't a URL counts as invalid if it is a short single word, contains a quote or bracket, or has
 * no letter and no digit: it is probably a part of a message or a table.
 */
export function readSourceOutput(text: string): SourceOutput {
  const found = new Map<string, SourceSession>();
  let invalidCount = 0;
  let count = 0;
  for (const item of itemsOf(text)) {
    if (count === maxSourceItems) return { sessions: [...found.values()], invalidCount, isCut: true };
    count += 1;
    const session = sessionOf(item);
    if (session) {
      const key = `${session.origin ?? ''} ${session.sessionId}`;
      found.set(key, found.get(key) ?? session);
    } else invalidCount += 1;
  }
  return { sessions: [...found.values()], invalidCount, isCut: false };
}

function itemsOf(text: string): Iterable<unknown> {
  const start = text.slice(0, 1_000).trimStart();
  if (start.startsWith('[')) return arraySchema.safeParse(parseJson(text)).data ?? [undefined];
  const whole = start.startsWith('{') ? objectSchema.safeParse(parseJson(text)).data : undefined;
  return whole ? itemsIn(whole) : linesOf(text);
}

function itemsIn(whole: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (sessionOf(whole)) return [whole];
  const arrays = [whole['sessions'], ...Object.values(whole)].map((value) => arraySchema.safeParse(value).data);
  return arrays.find((array) => array !== undefined) ?? [whole];
}

function* linesOf(text: string): Generator {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? undefined : end).trim();
    if (line !== '') yield line.startsWith('{') ? parseJson(line) : line;
    start = end === -1 ? text.length : end + 1;
  }
}

function sessionOf(item: unknown): SourceSession | undefined {
  const { data } = itemSchema.safeParse(item);
  if (data === undefined) return undefined;
  if (typeof data === 'string') return isPlainReference(data) ? referenceOf(data) : undefined;
  const reference = referenceOf(String(data.sessionId ?? data.id ?? ''));
  const title = data.title?.slice(0, longestTitle).trim();
  return reference && { ...reference, ...defined({ title: title === '' ? undefined : title }) };
}

function isPlainReference(text: string): boolean {
  if (text.length > longestReference || text.includes('://')) return true;
  if (quoteOrBracket.test(text) || !/[\p{L}\p{N}]/u.test(text)) return false;
  return text.length >= longestWord || !(onlyWord.test(text) || /\p{Lo}/u.test(text));
}

function referenceOf(text: string): SessionReference | undefined {
  if (text.length > longestReference) return undefined;
  const reference = readSessionReference(text);
  if (!reference) return undefined;
  const ids = [reference.sessionId, reference.computerId ?? ''];
  return ids.every((id) => id.length <= longestId && visibleText(id) === id && !/\p{Cc}/u.test(id))
    ? reference
    : undefined;
}
