import * as z from 'zod/mini';
import type { MessageHeader } from '../../state/store/messageHeader.ts';

/**
 * Columns of an index: there may be 100,000 values in one, so each is checked as a whole; value by value, checking cost
 * more than reading.
 */
export const numberColumn = columnOf((value) => typeof value === 'number');
export const textColumn = columnOf((value) => typeof value === 'string');
export const optionalTextColumn = columnOf((value) => value === null || typeof value === 'string');

function columnOf<T>(isValue: (value: unknown) => value is T) {
  return z.custom<readonly T[]>((column) => Array.isArray(column) && column.every(isValue));
}

/** Of each header its weight in lines, its bits, its tools and its errors. */
const numbersPerHeader = 4;

/** Headers as a line of the index holds them: in columns, for there may be 100,000 of them. */
export const storedHeadersSchema = z
  .object({
    messageIds: textColumn,
    /** A letter each. */
    roles: z.string().check(z.regex(/^[-uatsx]*$/)),
    createdAt: numberColumn,
    updatedAt: numberColumn,
    firstLines: textColumn,
    numbers: numberColumn,
    parentIds: optionalTextColumn,
  })
  .check(z.refine(areAlike));
export type StoredHeaders = z.output<typeof storedHeadersSchema>;

type Role = NonNullable<MessageHeader['role']>;
const letterOf: Readonly<Record<Role, string>> = { user: 'u', assistant: 'a', tool: 't', system: 's', unknown: 'x' };
const roleOf: Readonly<Record<string, Role>> = { u: 'user', a: 'assistant', t: 'tool', s: 'system', x: 'unknown' };

/** The bits of what a header says with yes or no. */
const errorBit = 1;
const goneBit = 2;
const textBit = 4;
const thinkingBit = 8;
const modelOnlyBit = 16;
const commentaryBit = 32;
const finalBit = 64;

/** Packs headers; that one stands apart is not kept. */
export function storeHeaders(headers: readonly MessageHeader[]): StoredHeaders {
  return {
    messageIds: headers.map(({ messageId }) => messageId),
    roles: headers.map(({ role }) => (role ? letterOf[role] : '-')).join(''),
    createdAt: headers.map(({ createdAt }) => createdAt),
    updatedAt: headers.map(({ updatedAt }) => updatedAt),
    firstLines: headers.map(({ firstLine }) => firstLine),
    numbers: headers.flatMap((header) => [header.weightLines, bitsOf(header), header.toolCount, header.errorCount]),
    parentIds: headers.map(({ parentId }) => parentId ?? null),
  };
}

/** Unpacks what {@link storeHeaders} made. */
export function readHeaders(stored: StoredHeaders): MessageHeader[] {
  return stored.messageIds.map((messageId, index) => readHeader(stored, messageId, index));
}

function readHeader(stored: StoredHeaders, messageId: string, index: number): MessageHeader {
  const { roles, createdAt, updatedAt, firstLines, numbers, parentIds } = stored;
  const at = index * numbersPerHeader;
  const bits = numbers[at + 1] ?? 0;
  const header = {
    messageId,
    role: roleOf[roles.charAt(index)],
    createdAt: createdAt[index] ?? 0,
    updatedAt: updatedAt[index] ?? 0,
    firstLine: firstLines[index] ?? '',
    weightLines: numbers[at] ?? 1,
    toolCount: numbers[at + 2] ?? 0,
    errorCount: numbers[at + 3] ?? 0,
    isError: (bits & errorBit) !== 0,
    hasText: (bits & textBit) !== 0,
    hasThinking: (bits & thinkingBit) !== 0,
    isModelOnly: (bits & modelOnlyBit) !== 0,
    phase: phaseOf(bits),
    parentId: parentIds[index] ?? undefined,
  };
  return (bits & goneBit) === 0 ? header : { ...header, isGone: true };
}

function phaseOf(bits: number): MessageHeader['phase'] {
  if ((bits & commentaryBit) !== 0) return 'commentary';
  return (bits & finalBit) === 0 ? undefined : 'final';
}

function bitsOf(header: MessageHeader): number {
  return (
    (header.isError ? errorBit : 0) |
    (header.isGone ? goneBit : 0) |
    (header.hasText ? textBit : 0) |
    (header.hasThinking ? thinkingBit : 0) |
    (header.isModelOnly ? modelOnlyBit : 0) |
    (header.phase === 'commentary' ? commentaryBit : 0) |
    (header.phase === 'final' ? finalBit : 0)
  );
}

/** Whether the columns tell of equally many messages. */
function areAlike({ messageIds, roles, createdAt, updatedAt, firstLines, numbers, parentIds }: StoredHeaders): boolean {
  const columns = [roles, createdAt, updatedAt, firstLines, parentIds];
  const count = messageIds.length;
  return columns.every(({ length }) => length === count) && numbers.length === count * numbersPerHeader;
}

/** Where the body of a message lies: a part of a file in the session's cache folder. */
export interface BodyPlace {
  readonly fileName: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly checksum: number;
  /** The state of the message that lies there, Unix ms. */
  readonly updatedAt: number;
}

/** Of each body which message of the line it is of, which of the files it is in, then the rest of its place. */
const numbersPerBody = 6;

/** The places of bodies as a line of the index holds them. */
export const storedBodiesSchema = z.object({
  fileNames: z.array(z.string().check(z.regex(/^[\w-]+\.bodies$/))),
  places: numberColumn.check(z.refine((places) => places.length % numbersPerBody === 0)),
});
export type StoredBodies = z.output<typeof storedBodiesSchema>;

/** Packs the places of the bodies of messages, in their order; undefined where nothing is said of one. */
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

/** Unpacks what {@link storeBodies} made into `bodies`, by the ids of the line's messages. */
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
