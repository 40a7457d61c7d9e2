import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message, Role } from '../../api/resources/message.ts';

/** What a block of a message says in words, as it came; empty for pictures and what is not known. */
export function contentText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return block.name;
    case 'tool_result':
      return block.content.map(contentText).join('\n');
    case 'document':
      return block.name ?? '';
    case 'image':
    case 'redacted_thinking':
    case 'unknown':
      return '';
  }
}

/** What kind of message it is, known without its body: lenses, groups and branches go by it. */
export interface MessageTraits {
  /** It holds something to read beside thinking and tools: text, a picture, a document, or what is not known. */
  readonly hasText: boolean;
  readonly hasThinking: boolean;
  /** Uses and results of tools. */
  readonly toolCount: number;
  /** Results that say they failed. */
  readonly errorCount: number;
  /** What the service says of it; absent where it says nothing. */
  readonly phase?: 'commentary' | 'final' | undefined;
  /** The service marks it as not shown to people. */
  readonly isModelOnly: boolean;
  /** The message it follows, where the service says so. */
  readonly parentId?: string | undefined;
}

/** Reads the traits of a message. */
export function traitsOf(message: Message): MessageTraits {
  const { content, parentId } = message;
  const phase = phaseOf(message);
  return {
    hasText: content.some(isReading),
    hasThinking: isThinking(message),
    toolCount: content.filter(({ type }) => type === 'tool_use' || type === 'tool_result').length,
    errorCount: content.filter((block) => block.type === 'tool_result' && block.isError).length,
    ...(phase === undefined ? {} : { phase }),
    isModelOnly: message.visibility === 'llm_only' || message.isUserVisible === false,
    ...(parentId === undefined ? {} : { parentId }),
  };
}

/** Only the traits of something that has more. */
export function pickTraits(of: MessageTraits): MessageTraits {
  const { hasText, hasThinking, toolCount, errorCount, phase, isModelOnly, parentId } = of;
  return {
    ...{ hasText, hasThinking, toolCount, errorCount, isModelOnly },
    ...(phase === undefined ? {} : { phase }),
    ...(parentId === undefined ? {} : { parentId }),
  };
}

/** Whether two messages have the same traits. */
export function sameTraits(a: MessageTraits, b: MessageTraits): boolean {
  return (
    a.hasText === b.hasText &&
    a.hasThinking === b.hasThinking &&
    a.toolCount === b.toolCount &&
    a.errorCount === b.errorCount &&
    a.phase === b.phase &&
    a.isModelOnly === b.isModelOnly &&
    a.parentId === b.parentId
  );
}

function phaseOf({ openaiPhase }: Message): MessageTraits['phase'] {
  if (openaiPhase === 'final_answer') return 'final';
  return openaiPhase === 'commentary' ? 'commentary' : undefined;
}

function isReading(block: ContentBlock): boolean {
  switch (block.type) {
    case 'text':
      return block.text.trim() !== '';
    case 'image':
    case 'document':
    case 'unknown':
      return true;
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
    case 'tool_result':
      return false;
  }
}

function isThinking({ content, openaiReasoningSummary, chatCompletionReasoningContent }: Message): boolean {
  const isBlock = content.some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  return isBlock || Boolean(openaiReasoningSummary) || Boolean(chatCompletionReasoningContent);
}

/** What lists and the page's frame need of a message without its body; small, so that thousands fit in memory. */
export interface MessageHeader extends MessageTraits {
  readonly messageId: string;
  /** Absent while the service has not said it (the list may leave it out). */
  readonly role: Role | undefined;
  /** Unix ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** At most 120 characters of the first text, one line; empty where there is none. */
  readonly firstLine: string;
  /** Estimated height in lines of text at 60 characters a line. */
  readonly weightLines: number;
  readonly isError: boolean;
  /** The service does not list it any more; what was known of it is kept. */
  readonly isGone?: boolean;
  /** It was read by its id: what lies between it and its neighbours is not here yet. */
  readonly isDetached?: boolean;
}

const firstLineLength = 120;
const charactersPerLine = 60;
const foldedLines = 2;
const imageLines = 10;

/** Makes the header of a message. `knownRole` stands in where the message has none. */
export function summarizeMessage(message: Message, knownRole?: Role): MessageHeader {
  return {
    messageId: message.id,
    role: message.role ?? knownRole,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
    firstLine: firstLineOf(message.content),
    weightLines: Math.max(
      1,
      message.content.reduce((sum, block) => sum + estimateLines(block), 0),
    ),
    isError: message.isError === true || message.content.some((block) => block.type === 'tool_result' && block.isError),
    ...traitsOf(message),
  };
}

/** How many lines of 60 characters a text needs, counting its own line breaks. */
export function estimateTextLines(text: string): number {
  let lines = 0;
  for (let start = 0; start <= text.length;) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    lines += Math.max(1, Math.ceil((stop - start) / charactersPerLine));
    start = stop + 1;
  }
  return lines;
}

function estimateLines(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return estimateTextLines(block.text);
    case 'image':
      return imageLines;
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
    case 'tool_result':
    case 'document':
    case 'unknown':
      return foldedLines;
  }
}

function firstLineOf(content: readonly ContentBlock[]): string {
  for (const block of content) {
    const text = contentText(block);
    // A message may be megabytes long; its first line is near its start.
    const line = text
      .slice(0, firstLineLength * 8)
      .split('\n')
      .map((part) => (block.type === 'text' ? withoutMarks(part) : part.trim()))
      .find((part) => part !== '');
    if (line !== undefined) return line.length > firstLineLength ? `${line.slice(0, firstLineLength - 1)}…` : line;
  }
  return '';
}

/** A line of Markdown without the marks that a list row cannot draw: heading, quote and list signs, bold, code. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|```.*$)+/, '')
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .replace(/`([^`]+)`/g, '$1')
    .trim();
}
