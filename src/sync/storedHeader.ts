import * as z from 'zod/mini';
import type { MessageHeader } from '../state/messageHeader.ts';

/** A header as a line of the index holds it: an array, for there may be 100,000 of them. */
export const storedHeaderSchema = z.tuple([
  z.string(),
  z.nullable(z.enum(['user', 'assistant', 'tool', 'system', 'unknown'])),
  z.number(),
  z.number(),
  z.string(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.nullable(z.string()),
]);
export type StoredHeader = z.output<typeof storedHeaderSchema>;

/** The bits of what a header says with yes or no. */
const errorBit = 1;
const goneBit = 2;
const textBit = 4;
const thinkingBit = 8;
const modelOnlyBit = 16;
const commentaryBit = 32;
const finalBit = 64;

/** Packs a header; that it stands apart is not kept. */
export function storeHeader(header: MessageHeader): StoredHeader {
  const { messageId, role, createdAt, updatedAt, firstLine, weightLines, toolCount, errorCount, parentId } = header;
  const bits =
    (header.isError ? errorBit : 0) |
    (header.isGone ? goneBit : 0) |
    (header.hasText ? textBit : 0) |
    (header.hasThinking ? thinkingBit : 0) |
    (header.isModelOnly ? modelOnlyBit : 0) |
    (header.phase === 'commentary' ? commentaryBit : 0) |
    (header.phase === 'final' ? finalBit : 0);
  const numbers = [weightLines, bits, toolCount, errorCount] as const;
  return [messageId, role ?? null, createdAt, updatedAt, firstLine, ...numbers, parentId ?? null];
}

/** Unpacks what {@link storeHeader} made. */
export function readHeader(stored: StoredHeader): MessageHeader {
  const [messageId, role, createdAt, updatedAt, firstLine, weightLines, bits, toolCount, errorCount, parentId] = stored;
  const has = (bit: number) => (bits & bit) !== 0;
  return {
    ...{ messageId, role: role ?? undefined, createdAt, updatedAt, firstLine, weightLines, toolCount, errorCount },
    isError: has(errorBit),
    hasText: has(textBit),
    hasThinking: has(thinkingBit),
    isModelOnly: has(modelOnlyBit),
    ...(has(commentaryBit) ? { phase: 'commentary' as const } : has(finalBit) ? { phase: 'final' as const } : {}),
    ...(parentId === null ? {} : { parentId }),
    ...(has(goneBit) ? { isGone: true } : {}),
  };
}
