import * as z from 'zod/mini';
import {
  type HeaderColumn,
  type MessageHeader,
  fieldNames,
  headerFields,
  makeFields,
} from '../../state/store/messageHeader.ts';

/**
 * Column types. A column may have 100,000 values, so it is validated as a whole; validating each value with a schema
 * takes longer than reading the file.
 */
const numberColumn = columnOf((value) => typeof value === 'number');
const textColumn = columnOf((value) => typeof value === 'string');
const optionalTextColumn = columnOf((value) => value === null || typeof value === 'string');

function columnOf<T>(isValue: (value: unknown) => value is T) {
  return z.custom<readonly T[]>((column) => Array.isArray(column) && column.every(isValue));
}

/**
 * The number of values per header in `numbers`: the bit field, and each field of `headerFields` with a `number` column.
 */
const numbersPerHeader = 4;

/**
 * The headers of one line of the index, as columns with a value for each header, because there may be 100,000 of them.
 * All columns have existed since 0.1.
 */
export const storedHeadersSchema = z
  .object({
    messageIds: textColumn,
    /** One letter per message: `u`ser, `a`ssistant, `t`ool, `s`ystem, `x` unknown, `-` absent. */
    roles: z.string().check(z.regex(/^[-uatsx]*$/)),
    /** Unix ms. */
    createdAt: numberColumn,
    /** Unix ms. */
    updatedAt: numberColumn,
    firstLines: textColumn,
    /** Four per message: lines, bit field, tools, errors; see `headerFields`. */
    numbers: numberColumn,
    parentIds: optionalTextColumn,
    /** Tool calls and results, see `toolMarks.ts`. */
    tools: optionalTextColumn,
    /** The question at the end of the text. */
    questions: optionalTextColumn,
    /** The folder in which the agent works, if its tooling names it. */
    workingFolders: optionalTextColumn,
  })
  .check(z.refine(areAlike));
type StoredHeaders = z.output<typeof storedHeadersSchema>;

type Role = NonNullable<MessageHeader['role']>;
const letterOf: Readonly<Record<Role, string>> = { user: 'u', assistant: 'a', tool: 't', system: 's', unknown: 'x' };
const roleOf: Readonly<Record<string, Role>> = { u: 'user', a: 'assistant', t: 'tool', s: 'system', x: 'unknown' };

/** The bit for `isGone`, which is not a field of the message itself. */
const goneBit = 2;
/** The position of the bit field among the numbers of a header. */
const bitsPosition = 1;

/** Packs headers. `isDetached` is not saved. */
export function storeHeaders(headers: readonly MessageHeader[]): StoredHeaders {
  return {
    messageIds: headers.map(({ messageId }) => messageId),
    roles: headers.map(({ role }) => (role ? letterOf[role] : '-')).join(''),
    createdAt: headers.map(({ createdAt }) => createdAt),
    updatedAt: headers.map(({ updatedAt }) => updatedAt),
    firstLines: headers.map(({ firstLine }) => firstLine),
    numbers: headers.flatMap(numbersOf),
    parentIds: headers.map(({ parentId }) => parentId ?? null),
    tools: headers.map(({ tools }) => tools ?? null),
    questions: headers.map(({ question }) => question ?? null),
    workingFolders: headers.map(({ workingFolder }) => workingFolder ?? null),
  };
}

/** Unpacks the output of {@link storeHeaders}. */
export function readHeaders(stored: StoredHeaders): MessageHeader[] {
  return stored.messageIds.map((messageId, index) => readHeader(stored, messageId, index));
}

function readHeader(stored: StoredHeaders, messageId: string, index: number): MessageHeader {
  const { roles, createdAt, updatedAt } = stored;
  const header = {
    messageId,
    role: roleOf[roles.charAt(index)],
    createdAt: createdAt[index] ?? 0,
    updatedAt: updatedAt[index] ?? 0,
    ...makeFields((name) => valueOf(stored, index, headerFields[name].column)),
  };
  return (bitsAt(stored, index) & goneBit) === 0 ? header : { ...header, isGone: true };
}

function valueOf(stored: StoredHeaders, index: number, column: HeaderColumn): string | number | boolean | undefined {
  if ('bit' in column) return (bitsAt(stored, index) & column.bit) !== 0;
  if ('number' in column) return stored.numbers[index * numbersPerHeader + column.number] ?? 0;
  if ('texts' in column) return stored[column.texts][index] ?? undefined;
  return Object.entries(column.bits).find(([, bit]) => (bitsAt(stored, index) & bit) !== 0)?.[0];
}

function bitsAt({ numbers }: StoredHeaders, index: number): number {
  return numbers[index * numbersPerHeader + bitsPosition] ?? 0;
}

function numbersOf(header: MessageHeader): number[] {
  const numbers = Array.from({ length: numbersPerHeader }, () => 0);
  let bits = header.isGone ? goneBit : 0;
  for (const name of fieldNames) {
    const column: HeaderColumn = headerFields[name].column;
    const value = header[name];
    if ('bit' in column && value === true) bits |= column.bit;
    if ('bits' in column && typeof value === 'string') bits |= column.bits[value] ?? 0;
    if ('number' in column && typeof value === 'number') numbers[column.number] = value;
  }
  numbers[bitsPosition] = bits;
  return numbers;
}

/** Whether each column has a value for each message. */
function areAlike({ messageIds, numbers, ...rest }: StoredHeaders): boolean {
  const columns = Object.values(rest);
  const count = messageIds.length;
  return columns.every(({ length }) => length === count) && numbers.length === count * numbersPerHeader;
}

/** The location of a message body: a part of a file in the session's cache folder. */
export interface BodyPlace {
  readonly fileName: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly checksum: number;
  /** `updatedAt` of the stored message, Unix ms. */
  readonly updatedAt: number;
}

/** Per body: message index, file index, offset, size in bytes, checksum, updatedAt. */
const numbersPerBody = 6;

/** The locations of bodies in one line of the index: `fileNames`, and `places` with six numbers for each body. */
export const storedBodiesSchema = z.object({
  fileNames: z.array(z.string().check(z.regex(/^[\w-]+\.bodies$/))),
  places: numberColumn.check(z.refine((places) => places.length % numbersPerBody === 0)),
});
type StoredBodies = z.output<typeof storedBodiesSchema>;

/**
 * Packs the locations of bodies, in the order of their messages. A body that didn't change is undefined, and omitted.
 */
export function storeBodies(bodies: readonly (BodyPlace | undefined)[]): StoredBodies {
  const fileNames = [...new Set(bodies.flatMap((body) => body?.fileName ?? []))];
  const indexes = new Map(fileNames.map((fileName, index) => [fileName, index]));
  const places = bodies.flatMap((body, index) => {
    if (!body) return [];
    const { fileName, offset, sizeBytes, checksum, updatedAt } = body;
    return [index, indexes.get(fileName) ?? -1, offset, sizeBytes, checksum, updatedAt];
  });
  return { fileNames, places };
}

/** Unpacks the output of {@link storeBodies} into `bodies`, using the IDs of the line's messages. */
export function takeBodies(
  { fileNames, places }: StoredBodies,
  messageIds: readonly string[],
  bodies: Map<string, BodyPlace>,
): void {
  for (let at = 0; at < places.length; at += numbersPerBody) {
    const number = (place: number) => places[at + place] ?? 0;
    const [messageId, fileName] = [messageIds[number(0)], fileNames[number(1)]];
    if (messageId === undefined || fileName === undefined) continue;
    const [offset, sizeBytes, checksum, updatedAt] = [number(2), number(3), number(4), number(5)];
    bodies.set(messageId, { fileName, offset, sizeBytes, checksum, updatedAt });
  }
}
