import * as z from 'zod/mini';
import { type Message, readMessage } from './message.ts';
import { optional } from './tolerant.ts';

const pageFields = z.object({
  messages: z.array(z.unknown()),
  pagination: z.object({ hasMore: optional(z.boolean()), nextCursor: optional(z.string()) }),
});

/**
 * Reads a page of messages (spec 4.3, 2.5). A message that cannot be read spoils itself only (R21). `hasMore` decides
 * whether there is more; where it is missing, a cursor says yes.
 */
export const messagePageSchema = z.pipe(
  pageFields,
  z.transform(({ messages: items, pagination }) => {
    const messages: Message[] = [];
    for (const item of items) {
      const message = readMessage(item, messages.at(-1)?.createdAt);
      if (message) messages.push(message);
    }
    const nextCursor = pagination.nextCursor === '' ? undefined : pagination.nextCursor;
    const hasMore = pagination.hasMore ?? nextCursor !== undefined;
    return { messages, skippedCount: items.length - messages.length, hasMore, nextCursor };
  }),
);
