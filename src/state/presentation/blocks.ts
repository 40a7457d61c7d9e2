import type { Message } from '../../api/resources/message.ts';
import { defined } from '../../shared/defined.ts';
import { printedJson } from '../../shared/longJson.ts';
import type { PausableWork } from '../../shared/slices.ts';
import type { BlockSource, ContentBlock } from '../../api/resources/contentBlock.ts';
import type { PageBlock } from '../../shared/protocol/rowTypes.ts';
import { base64SizeBytes, plainLine, splitSentences, type Translate } from '../../shared/text.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { textSizeBytes } from '../../shared/text/textSize.ts';
import { type PartPath, partText } from '../conversation/messageParts.ts';
import { markdownOf } from '../markdown/jsonText.ts';
import { markdownToPlainText } from '../markdown/plainText.ts';
import { noPairs, type ToolPairs, type ToolResult, type ToolUse } from '../conversation/toolPairs.ts';
import { questionPlaces } from '../conversation/asked.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { parsedObject } from '../tools/namedCall.ts';
import { outcomeOf } from '../tools/toolMarks.ts';
import { describeAsked, type KnownAnswer } from './describeAsked.ts';

type Fold = Extract<PageBlock, { type: 'fold' }>;

/** The questions of a message that are described as cards, by the position of their calls. */
export type KnownAnswers = ReadonlyMap<number, KnownAnswer>;
export const noAnswers: KnownAnswers = new Map();

/** For a description without answers: all questions of a message are cards in the state `passed`. */
export function withoutAnswers(header: MessageHeader): KnownAnswers {
  return new Map(questionPlaces(header).map((index) => [index, { state: 'passed' }]));
}

/**
 * Describes the blocks of a message for the page, and the text that was sent with a file, below the file. Has pauses
 * for `inSlices`.
 */
export function* describeContent(
  { id, content }: Message,
  pairs: ToolPairs,
  t: Translate,
  answers = noAnswers,
): PausableWork<PageBlock[]> {
  const blocks: PageBlock[] = [];
  for (const [index, block] of content.entries()) {
    yield;
    if (block.type === 'text' && block.text.trim() === '') continue;
    const answer = block.type === 'tool_use' ? answers.get(index) : undefined;
    const card = answer && block.type === 'tool_use' ? describeAsked(block, answer, t) : undefined;
    blocks.push(card ?? (yield* describeBlock(block, id, [index], pairs, t)));
    const parsedData = block.type === 'document' ? block.source.parsedData : undefined;
    for (const parsed of parsedText(parsedData, t)) blocks.push(parsed);
  }
  return blocks;
}

/** A collapsible block with the `parsedData` of a file (spec 4.4); empty if it has none. */
export function parsedText(parsedData: string | undefined, t: Translate): PageBlock[] {
  if (parsedData === undefined || parsedData === '') return [];
  const detail = t.formats.size(textSizeBytes(parsedData));
  const blocks = [{ type: 'code', text: parsedData }] as const;
  return [{ type: 'fold', kind: 'parsedText', title: t('Parsed text'), detail, isError: false, blocks }];
}

/** Describes one block of a message for the page. `path` is its position in the message `messageId`. */
function* describeBlock(
  block: ContentBlock,
  messageId: string,
  path: PartPath,
  pairs: ToolPairs,
  t: Translate,
): PausableWork<PageBlock> {
  const inner = (part: ContentBlock, id: string, at: PartPath) => describeResultPart(part, id, at, pairs, t);
  switch (block.type) {
    case 'text':
      return { type: 'markdown', text: markdownOf(block.text) };
    case 'image':
      return describeImage(block.source, { messageId, path: partText(path) }, t);
    case 'thinking':
      return isEncrypted(block) ? { type: 'note', text: t('Encrypted thinking') } : thinkingFold(block.thinking, t);
    case 'redacted_thinking':
      return { type: 'note', text: t('Encrypted thinking') };
    case 'tool_use':
      return yield* describeToolUse(block, pairs, inner, t);
    case 'tool_result':
      return yield* describeToolResult(block, messageId, path, pairs, inner, t);
    case 'document':
      return describeDocument(block, { messageId, path: partText(path) }, t);
    case 'unknown':
      if (block.furtherCount !== undefined) return describeFurther(block.furtherCount, t);
      return {
        type: 'fold',
        kind: 'raw',
        title: t('Unsupported content ({0})', plainLine(block.kind, 60)),
        isError: false,
        blocks: [{ type: 'code', text: yield* printedJson(block.raw), language: 'json' }],
      };
  }
}

function describeFurther(count: number, t: Translate): PageBlock {
  const text = t(
    { one: "1 more part of this message isn't shown.", other: "{0} more parts of this message aren't shown." },
    count,
  );
  return { type: 'note', text };
}

/** Like {@link describeBlock}, but shows text verbatim, because tool output isn't Markdown. */
function* describeResultPart(
  block: ContentBlock,
  messageId: string,
  path: PartPath,
  pairs: ToolPairs,
  t: Translate,
): PausableWork<PageBlock> {
  if (block.type === 'text') return { type: 'code', text: block.text };
  return yield* describeBlock(block, messageId, path, pairs, t);
}

/**
 * The reasoning in fields of a message (spec 2.4), without what its blocks contain. Messages of models behind a
 * chat-completion API can have the same text in both.
 */
export function reasoningTexts(message: Message): readonly string[] {
  const thoughts = message.content.flatMap((block) => (block.type === 'thinking' ? [block.thinking.trim()] : []));
  const shown = new Set(['', ...thoughts, thoughts.join(''), thoughts.join('\n'), thoughts.join('\n\n')]);
  return [message.openaiReasoningSummary, message.chatCompletionReasoningContent].flatMap((text = '') => {
    if (shown.has(text.trim())) return [];
    shown.add(text.trim());
    return [text];
  });
}

/** Whether a thought has only its signature, which contains the text in encrypted form. */
export function isEncrypted({ thinking, signature = '' }: Extract<ContentBlock, { type: 'thinking' }>): boolean {
  return thinking.trim() === '' && signature !== '';
}

/** A collapsible block with thinking, regardless of the field that it came from. */
export function thinkingFold(text: string, t: Translate): PageBlock {
  const detail = plainLine(firstSentence(text), 120);
  return {
    type: 'fold',
    kind: 'thinking',
    title: t('Thinking'),
    ...(detail !== '' && { detail }),
    isError: false,
    blocks: [{ type: 'markdown', text }],
  };
}

/** The first line of Markdown text as plain text, up to the end of its first sentence. */
function firstSentence(text: string): string {
  const line = markdownToPlainText(text.slice(0, 1_000)).trim().split('\n')[0] ?? '';
  return splitSentences(line)[0] ?? line;
}

type Part = NonNullable<Extract<PageBlock, { type: 'file' }>['part']>;

function describeImage(source: BlockSource, part: Part, t: Translate): PageBlock {
  if (source.data !== undefined) {
    return { type: 'image', mediaType: source.mediaType ?? guessImageType(source.data), base64: source.data, part };
  }
  return {
    type: 'note',
    text: t('Remote image (not loaded)'),
    ...defined({ href: source.url }),
  };
}

function guessImageType(base64: string): string {
  const starts = { iVBOR: 'image/png', '/9j/': 'image/jpeg', R0lG: 'image/gif', UklG: 'image/webp' };
  return Object.entries(starts).find(([start]) => base64.startsWith(start))?.[1] ?? 'application/octet-stream';
}

function describeDocument(
  { name, path, mediaType, source }: Extract<ContentBlock, { type: 'document' }>,
  part: Part,
  t: Translate,
): PageBlock {
  const sizeBytes = source.data === undefined ? undefined : base64SizeBytes(source.data);
  const isNamePath = path === undefined || path === name;
  const facts = [
    isNamePath ? undefined : path,
    // The name of a file says its type, unless it has no extension.
    /\.[^./\\]+$/.test(name ?? '') ? undefined : mediaType,
    sizeBytes === undefined ? undefined : t.formats.size(sizeBytes),
  ];
  const detail = facts.flatMap((fact) => (fact === undefined ? [] : [plainLine(fact, 120)])).join(', ');
  const shown = { type: 'file', name: plainLine(name ?? t('Document'), 120), detail } as const;
  return source.data === undefined ? shown : { ...shown, part };
}

/** Maximum number of characters of a result shown with its call. The full result is in the tool's own message. */
const maxResultCharacters = 4_000;

/** Describes a block inside a tool result; `path` is its position in the message `messageId`. */
type DescribeInner = (block: ContentBlock, messageId: string, path: PartPath) => PausableWork<PageBlock>;

/**
 * Describes a tool call: its name, its input, and its result if available. The block stays collapsed even if the result
 * is an error, because the tool's own message shows the error expanded.
 */
function* describeToolUse(use: ToolUse, pairs: ToolPairs, inner: DescribeInner, t: Translate): PausableWork<Fold> {
  const found = use.toolUseId === undefined ? undefined : pairs.results.get(use.toolUseId);
  const call: Fold = {
    type: 'fold',
    kind: 'toolUse',
    title: plainLine(use.name, 80),
    detail: inputHint(parsedObject(use.input)),
    isError: false,
    blocks: [yield* describeArguments(use.input)],
  };
  if (!found) return call;
  const { block, messageId, index } = found;
  const text = resultHint(block.content);
  return {
    ...call,
    result: { text: text === '' ? t('no output') : text, isError: outcomeOf(block, use) === 'failed' },
    blocks: [
      ...call.blocks,
      ...shownResult(yield* shortened(block, (part, at) => inner(part, messageId, [index, at]), t), t),
    ],
  };
}

/** The content of a tool result. `path` is the position of the result in the message. */
export function* describeResult(
  result: ToolResult,
  messageId: string,
  path: PartPath,
  t: Translate,
): PausableWork<PageBlock[]> {
  return yield* describeParts(result, (part, at) => describeResultPart(part, messageId, [...path, at], noPairs, t));
}

/** The content of a tool result as it is shown: without blank parts, and with a note if there is nothing else. */
export function shownResult(blocks: readonly PageBlock[], t: Translate): readonly PageBlock[] {
  const shown = blocks.filter((block) => block.type !== 'code' || block.text.trim() !== '');
  return shown.length > 0 ? shown : [{ type: 'note', text: t('No output') }];
}

function* describeParts(
  { content }: ToolResult,
  describe: (part: ContentBlock, at: number) => PausableWork<PageBlock>,
): PausableWork<PageBlock[]> {
  const blocks: PageBlock[] = [];
  for (const [at, part] of content.entries()) {
    blocks.push(yield* describe(part, at));
    yield;
  }
  return blocks;
}

/** Describes the result of a tool call. `path` is its position in the message. */
function* describeToolResult(
  result: ToolResult,
  messageId: string,
  path: PartPath,
  pairs: ToolPairs,
  inner: DescribeInner,
  t: Translate,
): PausableWork<Fold> {
  const use = result.toolUseId === undefined ? undefined : pairs.uses.get(result.toolUseId);
  const outcome = outcomeOf(result, use);
  const hints = [use ? plainLine(inputHint(parsedObject(use.input)), 60) : '', resultHint(result.content)];
  return {
    type: 'fold',
    kind: 'toolResult',
    title: resultTitle(outcome, use, t),
    detail: hints.filter((hint) => hint !== '').join(' · '),
    isError: outcome === 'failed',
    blocks: shownResult(yield* describeParts(result, (part, at) => inner(part, messageId, [...path, at])), t),
  };
}

function resultTitle(outcome: ReturnType<typeof outcomeOf>, use: ToolUse | undefined, t: Translate): string {
  const name = plainLine(use?.name ?? '', 80);
  if (outcome === 'rejected') return use ? t('Rejected: {0}', name) : t('Rejected');
  if (!use) return outcome === 'failed' ? t('Error') : t('Result');
  return outcome === 'failed' ? t('Error from {0}', name) : t('Result from {0}', name);
}

function* shortened(
  { content }: ToolResult,
  describe: (part: ContentBlock, at: number) => PausableWork<PageBlock>,
  t: Translate,
): PausableWork<PageBlock[]> {
  const blocks: PageBlock[] = [];
  let left = maxResultCharacters;
  for (const [at, part] of content.entries()) {
    if (part.type === 'text' && part.text.length > left) {
      blocks.push({ type: 'code', text: startOfText(part.text, left) });
      blocks.push({ type: 'note', text: t('Output truncated. See the tool message for the full output.') });
      return blocks;
    }
    blocks.push(yield* describe(part, at));
    if (part.type === 'text') left -= part.text.length;
  }
  return blocks;
}

/** The arguments of a call as JSON, even if the agent sent the JSON as a string. Any other string is shown as it is. */
export function* describeArguments(input: unknown): PausableWork<PageBlock> {
  const value = parsedObject(input);
  if (typeof value === 'string') return { type: 'code', text: value };
  return { type: 'code', text: yield* printedJson(value), language: 'json' };
}

/** The first string among a tool's arguments, which usually indicates the purpose of the call. */
function inputHint(input: unknown): string {
  if (typeof input === 'string') return plainLine(input, 120);
  if (typeof input !== 'object' || input === null) return '';
  for (const name of Object.keys(input)) {
    const value: unknown = Reflect.get(input, name);
    if (typeof value === 'string') return plainLine(value, 120);
  }
  return '';
}

function resultHint(content: readonly ContentBlock[]): string {
  const text = content
    .find((block) => block.type === 'text')
    ?.text.trim()
    .split('\n', 1)[0];
  return text === undefined ? '' : plainLine(text, 120);
}
