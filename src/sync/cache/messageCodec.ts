import * as z from 'zod/mini';
import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message } from '../../api/resources/message.ts';
import { parseJson } from '../../shared/json.ts';

const text = z.optional(z.string());
const source = z.object({ mediaType: text, data: text, url: text, parsedData: text });

const block: z.ZodMiniType<ContentBlock> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string(), id: text }),
    z.object({ type: z.literal('image'), source }),
    z.object({ type: z.literal('thinking'), thinking: z.string(), signature: text, signatureProvider: text }),
    z.object({ type: z.literal('redacted_thinking'), sizeChars: z.number() }),
    z.object({ type: z.literal('tool_use'), toolUseId: text, name: z.string(), input: z.unknown() }),
    z.object({ type: z.literal('tool_result'), toolUseId: text, isError: z.boolean(), content: z.array(block) }),
    z.object({ type: z.literal('document'), name: text, path: text, mediaType: text, source }),
    z.object({ type: z.literal('unknown'), kind: z.string(), raw: z.unknown() }),
  ]),
);

const messageSchema: z.ZodMiniType<Message> = z.object({
  id: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  role: z.optional(z.enum(['user', 'assistant', 'tool', 'system', 'unknown'])),
  content: z.array(block),
  unreadable: text,
  parentId: text,
  userMessageSource: text,
  visibility: z.optional(z.enum(['both', 'llm_only', 'user_only', 'unknown'])),
  openaiMessageId: text,
  openaiPhase: z.optional(z.enum(['commentary', 'final_answer', 'unknown'])),
  openaiEncryptedContent: text,
  openaiReasoningId: text,
  openaiReasoningSummary: text,
  geminiThoughtSignature: text,
  chatCompletionReasoningField: z.optional(z.enum(['reasoning', 'reasoning_content', 'unknown'])),
  chatCompletionReasoningContent: text,
  isUserVisible: z.optional(z.boolean()),
  isError: z.optional(z.boolean()),
});

/** Encodes a message for the cache, as parsed by the client rather than as sent by the service. */
export function encodeMessage(message: Message): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message));
}

/** Decodes the output of {@link encodeMessage}; undefined if the bytes are anything else. */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  const parsed = messageSchema.safeParse(parseJson(bytes));
  return parsed.success ? parsed.data : undefined;
}
