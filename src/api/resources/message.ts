import * as z from 'zod/mini';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import type { LongItems, WireMark } from '../http/longItems.ts';
import { type ContentBlock, readContent } from './contentBlock.ts';
import { errorFlag, optional, wordOf } from './tolerant.ts';

const roleSchema = wordOf(['user', 'assistant', 'tool', 'system']);
/** The role of a message's author (spec 2.4); `unknown` for a role that the spec doesn't list. */
export type Role = z.output<typeof roleSchema>;

/** The roles by which a list of messages can be filtered (spec 4.3). */
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
  isError: errorFlag,
});

type MessageFields = Omit<z.output<typeof messageFields>, 'role'>;

/**
 * A message (spec 2.4). Timestamps are Unix times in ms. `userMessageSource` may have a value that the spec doesn't
 * list.
 */
export interface Message extends MessageFields {
  /** Undefined for an unreadable message, and for a message without a role, which a list can contain (spec 10.3). */
  readonly role?: Role | undefined;
  readonly content: readonly ContentBlock[];
  /**
   * The message as the service sent it, including what the spec doesn't list (R40). The cache saves it, and exports
   * contain it. Absent from messages that weren't read from a response or from the cache.
   */
  readonly wire?: unknown;
  /** Identifies the message in later lists. Set only for a long message that was read from a list. */
  readonly wireMark?: WireMark | undefined;
  /** The names of the invalid fields, if the message could not be read. `content` then contains the raw value. */
  readonly unreadable?: string | undefined;
}

const created = z.object({ createdAt: z.number() });
const identified = z.object({ id: z.string(), content: z.optional(z.unknown()) });

/** The response to "Get message" (spec 4.5), of which only the ID is checked. See {@link readIdentifiedMessage}. */
export const identifiedMessageSchema = z.custom<z.output<typeof identified>>(
  (value) => identified.safeParse(value).success,
  { path: ['id'] },
);

/**
 * Reads one message. An invalid message with an ID is returned with `unreadable` set, so that the rest of the page
 * remains readable (R21). Returns undefined if the ID is missing.
 *
 * @param fallbackCreatedAt the creation time (Unix ms) of an unreadable message that doesn't have one.
 */
export function readMessage(value: unknown, fallbackCreatedAt = 0): Message | undefined {
  return withoutPause(messageSteps(value, fallbackCreatedAt));
}

/** Like {@link readMessage}, but with pauses for `inSlices`. */
export function* messageSteps(value: unknown, fallbackCreatedAt = 0): PausableWork<Message | undefined> {
  const identity = identifiedMessageSchema.safeParse(value);
  return identity.success ? yield* readIdentifiedMessage(identity.data, fallbackCreatedAt) : undefined;
}

/** Like {@link messageSteps}, but for a value that has an ID. */
export function* readIdentifiedMessage(
  value: z.output<typeof identifiedMessageSchema>,
  fallbackCreatedAt = 0,
): PausableWork<Message> {
  const fields = messageFields.safeParse(value);
  if (fields.success) {
    const { role, ...rest } = fields.data;
    return { ...rest, role: role ?? undefined, content: yield* readContent(value.content), wire: value };
  }
  const at = created.safeParse(value);
  const createdAt = at.success ? at.data.createdAt : fallbackCreatedAt;
  return {
    id: value.id,
    createdAt,
    updatedAt: createdAt,
    content: [{ type: 'unknown', kind: 'message', raw: value }],
    wire: value,
    unreadable: fields.error.issues.flatMap(({ path }) => path).join(', '),
  };
}

/** The response to "List messages" (spec 4.3, 2.5), whose messages aren't read yet. See {@link readMessagePage}. */
export const messagePageSchema = z.object({
  // The items are checked one by one.
  messages: z.custom<readonly unknown[]>(Array.isArray),
  pagination: z.object({ hasMore: optional(z.boolean()), nextCursor: optional(z.string()) }),
});

/** What identifies a message of a page, whether it was read or not. */
export interface ListedMessage {
  readonly id: string;
  /** Unix ms. */
  readonly createdAt: number;
}

/**
 * Reads a page of messages, with pauses for `inSlices`. An invalid message doesn't affect the others (R21). Known items
 * of `longItems` are only listed. If `hasMore` is missing, a cursor implies that there are more messages.
 */
export function* readMessagePage(
  { messages: items, pagination }: z.output<typeof messagePageSchema>,
  longItems?: LongItems,
) {
  const messages: Message[] = [];
  const listed: ListedMessage[] = [];
  for (const item of items) {
    const long = longItems?.get(item);
    if (long && 'known' in long) listed.push(long.known);
    else {
      const message = yield* messageSteps(long ? long.value : item, listed.at(-1)?.createdAt);
      if (message) {
        messages.push(long ? { ...message, wireMark: long.wireMark } : message);
        listed.push(message);
      }
    }
    yield;
  }
  const nextCursor = pagination.nextCursor === '' ? undefined : pagination.nextCursor;
  const hasMore = pagination.hasMore ?? nextCursor !== undefined;
  return { messages, listed, skippedCount: items.length - listed.length, hasMore, nextCursor };
}
