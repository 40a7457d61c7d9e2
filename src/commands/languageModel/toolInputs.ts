import * as z from 'zod/mini';

const sessionId = z.string().check(z.minLength(1), z.maxLength(200));
/** The origin or the name of a connected service; by default, the current one. */
const service = z.optional(z.string().check(z.minLength(1), z.maxLength(200)));
const words = z.string().check(z.minLength(1), z.maxLength(200));
const messageText = z.string().check(z.minLength(1), z.maxLength(100_000), z.regex(/\S/));

/**
 * The inputs of the language model tools, by tool. `package.json` has the same schemas in JSON Schema; inputs are
 * checked again, because any extension can call a tool without VS Code's checks. Fields that aren't listed are
 * rejected.
 */
export const toolInputs = {
  lineside_list_sessions: z.strictObject({
    status: z.optional(z.enum(['idle', 'running', 'pending'])),
    tag: z.optional(words),
    text: z.optional(words),
    includeArchived: z.optional(z.boolean()),
    service,
  }),
  lineside_read_session: z.strictObject({
    sessionId,
    last: z.optional(z.int().check(z.minimum(1), z.maximum(50))),
    aroundMessageId: z.optional(sessionId),
    roles: z.optional(z.array(z.enum(['user', 'assistant', 'tool'])).check(z.minLength(1), z.maxLength(3))),
    service,
  }),
  lineside_find_in_sessions: z.strictObject({
    text: words,
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(20))),
    service,
  }),
  lineside_get_usage: z.strictObject({ sessionId, service }),
  lineside_draft_message: z.strictObject({ sessionId, text: messageText, service }),
  lineside_send_message: z.strictObject({ sessionId, text: messageText, service }),
} as const;

export type ToolName = keyof typeof toolInputs;

/** The input of a tool after its schema parsed it. */
export type ToolInput<Name extends ToolName> = z.infer<(typeof toolInputs)[Name]>;
