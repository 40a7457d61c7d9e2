import type { BlockSource, ContentBlock } from '../../api/resources/contentBlock.ts';
import type { PageBlock } from '../../shared/protocol/pageModel.ts';
import { base64SizeBytes } from '../../shared/base64Size.ts';
import { asJson, describeToolResult, describeToolUse } from './describeTools.ts';
import { type PartPath, partText } from '../conversation/messageParts.ts';
import type { ToolPairs } from '../conversation/toolPairs.ts';
import { type Translate, byteSize, plainLine } from '../../shared/text.ts';

/** One block of a message as the page draws it; `path` is its place in the message `messageId`. */
export function describeBlock(
  block: ContentBlock,
  messageId: string,
  path: PartPath,
  pairs: ToolPairs,
  t: Translate,
): PageBlock {
  const inner = (part: ContentBlock, id: string, at: PartPath) => describeResultPart(part, id, at, pairs, t);
  switch (block.type) {
    case 'text':
      return { type: 'markdown', text: block.text };
    case 'image':
      return describeImage(block.source, { messageId, path: partText(path) }, t);
    case 'thinking':
      return thinkingFold(block.thinking, t);
    case 'redacted_thinking':
      return { type: 'note', text: t('Thinking that the provider keeps to itself ({0} characters)', block.sizeChars) };
    case 'tool_use':
      return describeToolUse(block, pairs, inner, t);
    case 'tool_result':
      return describeToolResult(block, messageId, path, pairs, inner, t);
    case 'document':
      return describeDocument(block, { messageId, path: partText(path) }, t);
    case 'unknown':
      return {
        type: 'fold',
        kind: 'raw',
        title: t('Content of an unknown kind: {0}', plainLine(block.kind, 60)),
        isError: false,
        blocks: [{ type: 'code', text: asJson(block.raw), language: 'json' }],
      };
  }
}

/** What a tool printed is not Markdown: it is shown as it is. */
function describeResultPart(
  block: ContentBlock,
  messageId: string,
  path: PartPath,
  pairs: ToolPairs,
  t: Translate,
): PageBlock {
  return block.type === 'text' ? { type: 'code', text: block.text } : describeBlock(block, messageId, path, pairs, t);
}

/** Thinking, whatever field it came in. */
export function thinkingFold(text: string, t: Translate): PageBlock {
  return { type: 'fold', kind: 'thinking', title: t('Thinking'), isError: false, blocks: [{ type: 'markdown', text }] };
}

type Part = NonNullable<Extract<PageBlock, { type: 'file' }>['part']>;

function describeImage(source: BlockSource, part: Part, t: Translate): PageBlock {
  if (source.data !== undefined) {
    return { type: 'image', mediaType: source.mediaType ?? guessImageType(source.data), base64: source.data, part };
  }
  return {
    type: 'note',
    text: t('An image elsewhere, not fetched'),
    ...(source.url === undefined ? {} : { href: source.url }),
  };
}

function guessImageType(base64: string): string {
  const starts = { iVBOR: 'image/png', '/9j/': 'image/jpeg', R0lG: 'image/gif', UklG: 'image/webp' };
  return Object.entries(starts).find(([start]) => base64.startsWith(start))?.[1] ?? 'application/octet-stream';
}

function describeDocument(
  { name, mediaType, source }: Extract<ContentBlock, { type: 'document' }>,
  part: Part,
  t: Translate,
): PageBlock {
  const sizeBytes = source.data === undefined ? undefined : base64SizeBytes(source.data);
  const facts = [mediaType, sizeBytes === undefined ? undefined : byteSize(sizeBytes)];
  const detail = facts.flatMap((fact) => (fact === undefined ? [] : [plainLine(fact, 80)])).join(', ');
  const shown = { type: 'file', name: plainLine(name ?? t('Document'), 120), detail } as const;
  return source.data === undefined ? shown : { ...shown, part };
}
