import * as z from 'zod/mini';
import { type ContentBlock, readContent } from './contentBlock.ts';
import { optional, wordOf } from './tolerant.ts';

const roleSchema = wordOf(['user', 'assistant', 'tool', 'system']);
/** Who speaks (spec 2.4); `unknown` stands for a word the spec does not list. */
export type Role = z.output<typeof roleSchema>;

/** The roles that the list can be filtered by (spec 4.3); `system` is not one of them. */
export type RoleFilter = 'user' | 'assistant' | 'tool';

const messageFields = z.object({
  id: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  role: z.optional(z.nullable(roleSchema)),
  parentId: optional(z.string()),
  userMessageSource: optional(z.string()),
  visibility: optional(wordOf(['both', 'llm_only', 'user_only'])),
  openaiMessageId: optional(z.string()),
  openaiPhase: optional(wordOf(['commentary', 'final_answer'])),
  openaiEncryptedContent: optional(z.string()),
  openaiReasoningId: optional(z.string()),
  openaiReasoningSummary: optional(z.string()),
  geminiThoughtSignature: optional(z.string()),
  chatCompletionReasoningField: optional(wordOf(['reasoning', 'reasoning_content'])),
  chatCompletionReasoningContent: optional(z.string()),
  isUserVisible: optional(z.boolean()),
  isError: optional(z.boolean()),
});

type MessageFields = Omit<z.output<typeof messageFields>, 'role'>;

/**
 * A message (spec 2.4). Timestamps are Unix times in ms. `role` is absent where the service left it out, as the list
 * response may. `unreadable` says why the message could not be read; its content is then the raw value.
 * `userMessageSource` is any word: those the spec lists and those it will list later.
 */
export interface Message extends MessageFields {
  readonly role?: Role | undefined;
  readonly content: readonly ContentBlock[];
  readonly unreadable?: string | undefined;
}

const identified = z.object({ id: z.string(), content: z.unknown() });

/**
 * Reads one message. A message with an id that does not fit otherwise comes back with `unreadable` set, so that it
 * spoils itself only (R21); without an id there is nothing to keep: undefined.
 * `fallbackCreatedAt` (Unix ms) places an unreadable message among its neighbours.
 */
export function readMessage(value: unknown, fallbackCreatedAt = 0): Message | undefined {
  const identity = identified.safeParse(value);
  if (!identity.success) return undefined;
  const fields = messageFields.safeParse(value);
  if (fields.success) {
    const { role, ...rest } = fields.data;
    return { ...rest, role: role ?? undefined, content: readContent(identity.data.content) };
  }
  const at = z.object({ createdAt: z.number() }).safeParse(value);
  const createdAt = at.success ? at.data.createdAt : fallbackCreatedAt;
  return {
    id: identity.data.id,
    createdAt,
    updatedAt: createdAt,
    content: [{ type: 'unknown', kind: 'message', raw: value }],
    unreadable: fields.error.issues.map((issue) => issue.path.join('.')).join(', '),
  };
}

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
