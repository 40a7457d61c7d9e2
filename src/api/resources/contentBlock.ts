import * as z from 'zod/mini';
import type { PausableWork } from '../../shared/slices.ts';
import { errorFlag, optional } from './tolerant.ts';

/** The source of an image or document in a message. `data` is base64. `url` is only displayed, never fetched. */
export interface BlockSource {
  readonly mediaType?: string | undefined;
  readonly data?: string | undefined;
  readonly url?: string | undefined;
  /** The text of the file: its content, or what the client that sent it extracted (spec 4.4). */
  readonly parsedData?: string | undefined;
}

/**
 * A block of a message's content. The specification defines only `text` (spec 2.4), but services are known to send the
 * other kinds too. A block of an unrecognized kind, or with invalid fields, becomes `unknown`, with its original kind
 * and raw value.
 */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string; readonly id?: string | undefined }
  | { readonly type: 'image'; readonly source: BlockSource }
  | {
      readonly type: 'thinking';
      readonly thinking: string;
      readonly signature?: string | undefined;
      readonly signatureProvider?: string | undefined;
    }
  | { readonly type: 'redacted_thinking'; readonly sizeChars: number }
  | {
      readonly type: 'tool_use';
      readonly toolUseId?: string | undefined;
      readonly name: string;
      readonly input: unknown;
    }
  | {
      readonly type: 'tool_result';
      readonly toolUseId?: string | undefined;
      readonly isError: boolean;
      readonly content: readonly ContentBlock[];
    }
  | {
      readonly type: 'document';
      readonly name?: string | undefined;
      /** The path that the client sent with the file. Only displayed. */
      readonly path?: string | undefined;
      readonly mediaType?: string | undefined;
      readonly source: BlockSource;
    }
  | {
      readonly type: 'unknown';
      readonly kind: string;
      readonly raw: unknown;
      /** The number of blocks in `raw`, if they aren't read because the message has too many. */
      readonly furtherCount?: number;
    };

const textFields = z.object({ text: z.string(), id: optional(z.string()) });
const thinkingFields = z.object({
  thinking: z.string(),
  signature: optional(z.string()),
  signatureProvider: optional(z.string()),
});
const imageFields = z.object({ source: z.unknown() });
const redactedFields = z.object({ data: z.string() });
const sourceFields = z.object({
  type: optional(z.string()),
  mediaType: optional(z.string()),
  media_type: optional(z.string()),
  data: optional(z.string()),
  url: optional(z.string()),
  name: optional(z.string()),
  path: optional(z.string()),
  parsedData: optional(z.string()),
});
const toolUseFields = z.object({ name: z.string(), id: optional(z.string()), input: z.optional(z.unknown()) });
const toolResultFields = z.object({
  toolUseId: optional(z.string()),
  tool_use_id: optional(z.string()),
  isError: errorFlag,
  is_error: errorFlag,
  content: z.optional(z.unknown()),
});
const documentFields = z.object({
  name: optional(z.string()),
  title: optional(z.string()),
  path: optional(z.string()),
  mediaType: optional(z.string()),
  parsedData: optional(z.string()),
  source: z.optional(z.unknown()),
});

/** The maximum nesting depth of tool results. Deeper content becomes an `unknown` block. */
const maxDepth = 4;

/** The maximum number of blocks of a message, including those in tool results. Ordinary messages have far fewer. */
const maxBlocks = 2_000;

/** Reads one content block. A value that is not a valid block of a known kind becomes `unknown`. Never throws. */
function* readContentBlock(value: unknown, depth: number, left: BlocksLeft): PausableWork<ContentBlock> {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  const kind = typeof type === 'string' ? type : 'unknown';
  if (kind === 'tool_result') return yield* readResult(value, depth, left);
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  return read?.(value) ?? { type: 'unknown', kind, raw: value };
}

/**
 * Reads the `content` of a message: an array of blocks or a string. Undefined and null have no blocks. Any other value
 * becomes one `unknown` block, and so do all blocks after the first 2,000. Has a pause for `inSlices` after each block.
 */
export function readContent(value: unknown): PausableWork<readonly ContentBlock[]> {
  return readBlocks(value, 0, { count: maxBlocks });
}

/** The number of blocks of a message that may still be read. */
interface BlocksLeft {
  count: number;
}

function* readBlocks(value: unknown, depth: number, left: BlocksLeft): PausableWork<readonly ContentBlock[]> {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || depth > maxDepth) return [{ type: 'unknown', kind: 'content', raw: value }];
  const items: readonly unknown[] = value;
  const blocks: ContentBlock[] = [];
  for (const [index, item] of items.entries()) {
    if (left.count === 0) {
      const raw = items.slice(index);
      return [...blocks, { type: 'unknown', kind: 'content', raw, furtherCount: raw.length }];
    }
    left.count -= 1;
    blocks.push(yield* readContentBlock(item, depth, left));
    yield;
  }
  return blocks;
}

const readers: Readonly<Record<string, (value: unknown) => ContentBlock | undefined>> = {
  text(value) {
    const fields = textFields.safeParse(value);
    return fields.success ? { type: 'text', ...fields.data } : undefined;
  },
  image(value) {
    const fields = imageFields.safeParse(value);
    const source = readSource(fields.success ? fields.data.source : undefined) ?? readSource(value);
    return source ? { type: 'image', source } : undefined;
  },
  thinking(value) {
    const fields = thinkingFields.safeParse(value);
    return fields.success ? { type: 'thinking', ...fields.data } : undefined;
  },
  redacted_thinking(value) {
    const fields = redactedFields.safeParse(value);
    return fields.success ? { type: 'redacted_thinking', sizeChars: fields.data.data.length } : undefined;
  },
  tool_use(value) {
    const fields = toolUseFields.safeParse(value);
    if (!fields.success) return undefined;
    return { type: 'tool_use', toolUseId: fields.data.id, name: fields.data.name, input: fields.data.input };
  },
  document: readDocument,
  file(value) {
    const block = readDocument(value);
    return block && (block.name !== undefined || block.source.data !== undefined) ? block : undefined;
  },
};

function* readResult(value: unknown, depth: number, left: BlocksLeft): PausableWork<ContentBlock> {
  const fields = toolResultFields.parse(value);
  return {
    type: 'tool_result',
    toolUseId: fields.toolUseId ?? fields.tool_use_id,
    isError: fields.isError ?? fields.is_error ?? false,
    content: yield* readBlocks(fields.content, depth + 1, left),
  };
}

/**
 * Reads a file. Services return the fields that were sent with it (spec 4.4) in the block, in its source, or in both.
 */
function readDocument(value: unknown): Extract<ContentBlock, { type: 'document' }> | undefined {
  const fields = documentFields.safeParse(value);
  if (!fields.success) return undefined;
  const echoed = sourceFields.safeParse(fields.data.source).data ?? {};
  const source = readSource(fields.data.source) ?? readSource(value) ?? {};
  const parsedData = fields.data.parsedData ?? echoed.parsedData;
  const path = fields.data.path ?? echoed.path;
  return {
    type: 'document',
    name: fields.data.name ?? fields.data.title ?? echoed.name ?? path?.split('/').at(-1),
    path,
    mediaType: fields.data.mediaType ?? source.mediaType,
    source: parsedData === undefined ? source : { ...source, parsedData },
  };
}

function readSource(value: unknown): BlockSource | undefined {
  const fields = sourceFields.safeParse(value);
  if (!fields.success) return undefined;
  const { type, data, url } = fields.data;
  // Some services send the name of a file without its content.
  if (!data && url === undefined) return undefined;
  const mediaType = fields.data.mediaType ?? fields.data.media_type;
  // The data of a text source is the text itself.
  if (type === 'text' && data) return { mediaType, data: Buffer.from(data).toString('base64'), url, parsedData: data };
  return { mediaType, data: data === '' ? undefined : data, url };
}
