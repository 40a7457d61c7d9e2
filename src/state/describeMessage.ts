import type { BlockSource, ContentBlock } from '../api/contentBlock.ts';
import type { Message, Role } from '../api/message.ts';
import type { PageBlock, PageRow } from '../pageContent.ts';
import { describeSource } from './describeSource.ts';
import type { MessageHeader } from './messageHeader.ts';
import { type Translate, byteSize, plainLine } from './words.ts';

/** How a role is called. */
export function roleLabel(role: Role | undefined, t: Translate): string {
  switch (role) {
    case 'user':
      return t('User');
    case 'assistant':
      return t('Assistant');
    case 'tool':
      return t('Tool');
    case 'system':
      return t('System');
    case 'unknown':
    case undefined:
      return t('Unknown role');
  }
}

/** Changes within this time of a message's creation are not worth an "edited". */
const editedAfterMs = 60_000;

/** A message of the service as the page draws it. `key` is its row's, `role` the one learned where it has none. */
export function describeMessage(message: Message, role: Role | undefined, key: string, t: Translate): PageRow {
  const shownRole = message.role ?? role;
  const isEdited = message.updatedAt - message.createdAt > editedAfterMs && shownRole === 'user';
  return {
    key,
    role: shownRole ?? 'unknown',
    roleLabel: roleLabel(shownRole, t),
    createdAt: message.createdAt,
    ...(isEdited ? { updatedAt: message.updatedAt } : {}),
    isError: message.isError === true,
    badges: badgesOf(message, t),
    blocks: [...reasoningOf(message, t), ...message.content.map((block) => describeBlock(block, t))],
  };
}

function reasoningOf(message: Message, t: Translate): PageBlock[] {
  return [message.openaiReasoningSummary, message.chatCompletionReasoningContent].flatMap((text) =>
    text === undefined || text === '' ? [] : [thinkingFold(text, t)],
  );
}

function badgesOf(message: Message, t: Translate): { label: string; hint: string }[] {
  const badges: { label: string; hint: string }[] = [];
  if (message.userMessageSource !== undefined) badges.push(describeSource(message.userMessageSource, t));
  if (message.visibility === 'llm_only' || message.isUserVisible === false) {
    badges.push({ label: t('model only'), hint: t('The service marks this message as shown to the model only.') });
  }
  if (message.visibility === 'user_only') {
    badges.push({ label: t('people only'), hint: t('The service marks this message as not shown to the model.') });
  }
  if (message.openaiPhase === 'commentary') {
    badges.push({ label: t('commentary'), hint: t('Said along the way; the final answer is another message.') });
  }
  if (message.unreadable !== undefined) {
    badges.push({
      label: t('unreadable'),
      hint: t('This message does not have the expected shape: {0}', plainLine(message.unreadable)),
    });
  }
  return badges;
}

/** What is to be said of where a message stands, beside its content. */
export function describePlace(header: MessageHeader | undefined, t: Translate): PageRow['badges'] {
  if (header?.isGone) {
    const hint = t('The service does not list this message any more. What is shown is the last known.');
    return [{ label: t('no longer listed'), hint }];
  }
  if (!header?.isDetached) return [];
  return [{ label: t('apart'), hint: t('The messages between this one and its neighbours are not loaded yet.') }];
}

function describeBlock(block: ContentBlock, t: Translate): PageBlock {
  switch (block.type) {
    case 'text':
      return { type: 'markdown', text: block.text };
    case 'image':
      return describeImage(block.source, t);
    case 'thinking':
      return thinkingFold(block.thinking, t);
    case 'redacted_thinking':
      return { type: 'note', text: t('Thinking that the provider keeps to itself ({0} characters)', block.sizeChars) };
    case 'tool_use':
      return {
        type: 'fold',
        kind: 'toolUse',
        title: plainLine(block.name, 80),
        detail: inputHint(block.input),
        isError: false,
        blocks: [{ type: 'code', text: asJson(block.input), language: 'json' }],
      };
    case 'tool_result':
      return {
        type: 'fold',
        kind: 'toolResult',
        title: block.isError ? t('Error') : t('Result'),
        detail: resultHint(block.content),
        isError: block.isError,
        blocks: block.content.map((inner) => describeResultBlock(inner, t)),
      };
    case 'document':
      return describeDocument(block.name, block.mediaType, block.source, t);
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
function describeResultBlock(block: ContentBlock, t: Translate): PageBlock {
  return block.type === 'text' ? { type: 'code', text: block.text } : describeBlock(block, t);
}

function thinkingFold(text: string, t: Translate): PageBlock {
  return { type: 'fold', kind: 'thinking', title: t('Thinking'), isError: false, blocks: [{ type: 'markdown', text }] };
}

function describeImage(source: BlockSource, t: Translate): PageBlock {
  if (source.data !== undefined) {
    return { type: 'image', mediaType: source.mediaType ?? guessImageType(source.data), base64: source.data };
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
  name: string | undefined,
  mediaType: string | undefined,
  source: BlockSource,
  t: Translate,
): PageBlock {
  const sizeBytes = source.data === undefined ? undefined : decodedSize(source.data);
  const facts = [mediaType, sizeBytes === undefined ? undefined : byteSize(sizeBytes)];
  const detail = facts.flatMap((fact) => (fact === undefined ? [] : [plainLine(fact, 80)])).join(', ');
  return { type: 'file', name: plainLine(name ?? t('Document'), 120), detail };
}

/** How many bytes a base64 text stands for. */
function decodedSize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

function asJson(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value, undefined, 2);
}

/** The first text among a tool's arguments, which mostly says what it was called for. */
function inputHint(input: unknown): string {
  if (typeof input === 'string') return plainLine(input, 120);
  if (typeof input !== 'object' || input === null) return '';
  const first = Object.values(input).find((value): value is string => typeof value === 'string');
  return first === undefined ? '' : plainLine(first, 120);
}

function resultHint(content: readonly ContentBlock[]): string {
  const text = content
    .find((block) => block.type === 'text')
    ?.text.trim()
    .split('\n', 1)[0];
  return text === undefined ? '' : plainLine(text, 120);
}
