import * as z from 'zod/mini';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { numberColumn, optionalTextColumn, textColumn } from './columns.ts';

/** Of each header its weight in lines, its bits, its tools and its errors. */
const numbersEach = 4;

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
  const at = index * numbersEach;
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
  return columns.every(({ length }) => length === count) && numbers.length === count * numbersEach;
}
