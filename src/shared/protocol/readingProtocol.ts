/** What a page asks for its reader, and is told of what was looked for; a part of protocol.ts. */
import * as z from 'zod/mini';

const longText = z.string().check(z.maxLength(4_000_000));
const shortText = z.string().check(z.maxLength(2_000));
const count = z.number().check(z.int(), z.nonnegative());

/** How much of a conversation is shown: prompts and answers, the work as well, or what only the model gets as well. */
export const pageLenses = ['answers', 'work', 'everything'] as const;
export type PageLens = (typeof pageLenses)[number];

/** What can be done with a message, or with the conversation it is in. */
export const messageActions = ['copy', 'copyPlain', 'copyAnswer', 'copyConversation', 'copyLink', 'quote'] as const;
export type MessageAction = (typeof messageActions)[number];

/** Roles whose messages a person may leave out. */
export const filterRoles = ['user', 'assistant', 'tool', 'system'] as const;

export const readingMessages = [
  z.strictObject({
    type: z.literal('setReading'),
    sessionId: z.optional(shortText),
    lens: z.enum(pageLenses),
    hiddenRoles: z.array(z.enum(filterRoles)).check(z.maxLength(filterRoles.length)),
    /** The row the reader is at. */
    anchorKey: z.optional(shortText),
  }),
  /** `text` is what is selected of the message of this row. */
  z.strictObject({
    type: z.literal('messageAction'),
    sessionId: z.optional(shortText),
    action: z.enum(messageActions),
    key: shortText,
    text: z.optional(longText),
  }),
  z.strictObject({
    type: z.literal('find'),
    findId: count,
    text: shortText,
    isCase: z.boolean(),
    isWord: z.boolean(),
    isRegex: z.boolean(),
    /** The row the reader is at: it is looked for from there. */
    fromKey: z.optional(shortText),
  }),
  z.strictObject({ type: z.literal('findStep'), findId: count, by: z.union([z.literal(1), z.literal(-1)]) }),
  z.strictObject({ type: z.literal('findStop') }),
  /** All older messages are wanted, for example to search them. */
  z.strictObject({ type: z.literal('loadRest') }),
] as const;

/** What was found so far, and where to go; an answer to an earlier `findId` is of no use. */
export interface PageFind {
  readonly findId: number;
  /** What marks matches on the page; absent where nothing is looked for. */
  readonly pattern?: { readonly source: string; readonly flags: string };
  readonly problem?: string;
  readonly count: number;
  readonly isMore: boolean;
  readonly index?: number;
  readonly isSearching: boolean;
  readonly isOlderMissing: boolean;
  readonly isOlderLoading: boolean;
  /**
   * Where the page is to go: a row, a block of it, and the how manieth match in that block, from 0; without a block the
   * match is in what the page does not draw of the message.
   */
  readonly match?: { readonly key: string; readonly block?: number; readonly place: number };
}
