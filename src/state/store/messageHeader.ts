import { keysOf } from '../../shared/keysOf.ts';
import { copied } from '../../shared/text/copied.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message, Role } from '../../api/resources/message.ts';
import { lineWithoutMarks } from '../markdown/plainText.ts';
import { isRejection } from '../tools/outcome.ts';
import { toolMarksOf, toolMarkSteps } from '../tools/toolMarks.ts';
import { type ExpansionMark, expansionMarkOf } from './expansionMarks.ts';
import { readPromptContent } from './promptContent.ts';
import { questionOf } from './question.ts';
import { workingFolderIn } from './workingFolder.ts';

/**
 * The text of a content block, unchanged. For a tool call or a document, its name; for a tool result, the texts of its
 * blocks. Empty for an image, redacted thinking, and unknown content.
 */
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

/**
 * Specifies how the cache index stores a field. The bits and positions are part of the format on disk: never reuse one.
 */
export type HeaderColumn =
  /** One bit of the header's bit field. */
  | { readonly bit: number }
  /** Bits of the header's bit field, one for each value; none is set if the field is absent. */
  | { readonly bits: Readonly<Record<string, number>> }
  /** The position of the field among the numbers of a header. */
  | { readonly number: number }
  /** A column of strings. */
  | { readonly texts: 'firstLines' | 'parentIds' | 'tools' | 'questions' | 'workingFolders' };

/**
 * Every field of a header that is read from its message. Reading, comparison, the row version, and the cache index are
 * all driven by this table. If you add a number, also change the count of numbers in the cache's `indexColumns.ts`. If
 * you add a column of texts, also change {@link HeaderColumn} and the columns in that file. In both cases, increase the
 * version in `indexFormat.ts`.
 */
export const headerFields = {
  /**
   * The first line with text in the first text block that has one, or else in the first other block, such as a thought.
   * For a tool call, it is the tool's name. Lines that aren't quoted are preferred, and Markdown marks are removed. At
   * most 120 characters; empty if there is none. {@link messageHeaderSteps} determines it.
   */
  firstLine: { of: (): string => '', column: { texts: 'firstLines' } },
  /** Estimated height in lines of 60 characters. {@link messageHeaderSteps} determines it. */
  estimatedLines: { of: (): number => 1, column: { number: 0 } },
  isError: { of: (message) => errorCountOf(message) > 0 || hasErrorFlag(message), column: { bit: 1 } },
  /**
   * Whether the message has content other than thinking and tools: text, an image, a document, or unknown content. What
   * the agent's tooling added to a message of the user isn't text. {@link messageHeaderSteps} determines it.
   */
  hasText: { of: (): boolean => false, column: { bit: 4 } },
  hasThinking: { of: isThinking, column: { bit: 8 } },
  /** The number of tool calls and tool results. */
  toolCount: {
    of: ({ content }) => content.filter(({ type }) => type === 'tool_use' || type === 'tool_result').length,
    column: { number: 2 },
  },
  /** The number of tool results with the error flag, without those of rejected calls. */
  errorCount: { of: errorCountOf, column: { number: 3 } },
  /** Whether the message is a progress update or the answer; absent if the service doesn't specify it. */
  phase: { of: phaseOf, column: { bits: { commentary: 32, final: 64 } } },
  /** Whether the service hides the message from users. */
  isModelOnly: {
    of: ({ visibility, isUserVisible }) => visibility === 'llm_only' || isUserVisible === false,
    column: { bit: 16 },
  },
  /** Whether the agent's tooling added to the text of a user's message. {@link messageHeaderSteps} determines it. */
  hasAddedText: { of: (): boolean => false, column: { bit: 128 } },
  /**
   * What the message has to do with texts for commands and skills; see {@link ExpansionMark}. Absent if it has nothing
   * to do with them. {@link messageHeaderSteps} determines it, and the session's `Timeline` changes it to `found`.
   */
  expansion: {
    of: (): ExpansionMark | undefined => undefined,
    column: { bits: { command: 256, skill: 512, candidate: 1_024, found: 2_048 } },
  },
  /** The ID of the message that this one follows; absent if the service doesn't specify it. */
  parentId: { of: ({ parentId }) => parentId, column: { texts: 'parentIds' } },
  /** The tool calls and results; see `toolMarks.ts`. Absent if there are none. */
  tools: { of: ({ content }) => toolMarksOf(content), column: { texts: 'tools' } },
  /** The question that a message of the agent ends in; absent if it ends otherwise. See `question.ts`. */
  question: { of: questionOf, column: { texts: 'questions' } },
  /**
   * The folder in which the agent works, if its tooling names it in this message. {@link messageHeaderSteps} reads it.
   */
  workingFolder: { of: (): string | undefined => undefined, column: { texts: 'workingFolders' } },
} as const satisfies Record<string, { readonly of: (message: Message) => unknown; readonly column: HeaderColumn }>;

type HeaderFields = typeof headerFields;
type FieldValues = { [K in keyof HeaderFields]: ReturnType<HeaderFields[K]['of']> };
type MessageFields = {
  readonly [K in keyof FieldValues as undefined extends FieldValues[K] ? never : K]: FieldValues[K];
} & {
  readonly [K in keyof FieldValues as undefined extends FieldValues[K] ? K : never]?: FieldValues[K];
};

/** The fields of {@link headerFields}, in a fixed order. */
export const fieldNames = keysOf(headerFields);

/** Creates a value for each field of the table; fields with undefined values are omitted. */
export function makeFields(valueOf: (name: keyof HeaderFields) => unknown): MessageFields;
export function makeFields(valueOf: (name: keyof HeaderFields) => unknown): object {
  const fields: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const value = valueOf(name);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/** Whether all fields of two headers are equal, apart from their IDs. */
export function sameHeader(a: MessageHeader, b: MessageHeader): boolean {
  return (
    a.updatedAt === b.updatedAt &&
    a.createdAt === b.createdAt &&
    a.role === b.role &&
    a.isGone === b.isGone &&
    a.isDetached === b.isDetached &&
    fieldNames.every((name) => a[name] === b[name])
  );
}

/** A string that changes whenever a field of the header changes, apart from its ID and creation time. */
export function headerVersion(header: MessageHeader): string {
  const { updatedAt, role = '', isGone = false, isDetached = false } = header;
  const fields = fieldNames.map((name) => String(header[name] ?? ''));
  return `${updatedAt} ${role} ${String(isGone)} ${String(isDetached)} ${fields.join(' ')}`;
}

/** Whether a message has the error flag, and not only because a call was rejected. */
export function hasErrorFlag(message: Message): boolean {
  if (message.isError !== true) return false;
  return (
    errorCountOf(message) > 0 || !message.content.some((block) => block.type === 'tool_result' && isRejection(block))
  );
}

function errorCountOf({ content }: Message): number {
  return content.filter((block) => block.type === 'tool_result' && block.isError && !isRejection(block)).length;
}

function* weightSteps(content: readonly ContentBlock[]): PausableWork<number> {
  let lines = 0;
  for (const block of content) {
    lines += estimateLines(block, maxEstimatedLines - lines);
    yield;
  }
  return Math.max(1, lines);
}

function phaseOf({ openaiPhase }: Message): 'commentary' | 'final' | undefined {
  if (openaiPhase === 'final_answer') return 'final';
  return openaiPhase === 'commentary' ? 'commentary' : undefined;
}

function* hasReading(content: readonly ContentBlock[]): PausableWork<boolean> {
  for (const block of content) {
    if (isReading(block)) return true;
    yield;
  }
  return false;
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

/** The data of a message that lists and row stubs need, without its body. Small, so that thousands fit in memory. */
export interface MessageHeader extends MessageFields {
  readonly messageId: string;
  /** Undefined until the service sends it, because the list may omit it. */
  readonly role: Role | undefined;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms. */
  readonly updatedAt: number;
  /** The service no longer lists the message. */
  readonly isGone?: boolean;
  /** The message was loaded by its ID, and messages between it and its neighbors may be missing. */
  readonly isDetached?: boolean;
}

const firstLineLength = 120;
const charactersPerLine = 60;
const foldedLines = 2;
const imageLines = 10;

/**
 * Creates the header of a message. `knownRole` is used if the message has no role. With `isOwn`, the message was sent
 * from this machine, so nothing was added to its text.
 */
export function summarizeMessage(message: Message, knownRole?: Role, isOwn = false): MessageHeader {
  return withoutPause(messageHeaderSteps(message, knownRole, isOwn));
}

/** Creates a header as {@link summarizeMessage} does, with pauses for `inSlices`. */
export function* messageHeaderSteps(message: Message, knownRole?: Role, isOwn = false): PausableWork<MessageHeader> {
  const { id, createdAt, updatedAt, role = knownRole } = message;
  const tools = yield* toolMarkSteps(message.content);
  const { spoken: content, added } = isOwn
    ? { spoken: message.content, added: '' }
    : yield* readPromptContent(message, role);
  const spoken = { ...message, role, content };
  const hasAddedText = content !== message.content;
  const expansion = isOwn ? undefined : yield* expansionMarkOf(message, role, !hasAddedText);
  const known: Partial<Record<keyof HeaderFields, unknown>> = {
    firstLine: yield* firstLineOf(content),
    estimatedLines: yield* weightSteps(content),
    hasText: yield* hasReading(content),
    tools,
    hasAddedText,
    expansion,
    workingFolder: workingFolderIn(added),
  };
  const fields = makeFields((name) => (name in known ? known[name] : headerFields[name].of(spoken)));
  return { messageId: id, role, createdAt, updatedAt, ...fields };
}

/** The maximum estimate, far above the height of any row. */
const maxEstimatedLines = 100_000;

/**
 * The number of 60-character lines that `text` requires, taking its line breaks into account. Stops after the line of
 * text with which the number reaches `most`, by default 100,000.
 */
export function estimateTextLines(text: string, most = maxEstimatedLines): number {
  let lines = 0;
  for (let start = 0; start <= text.length && lines < most;) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    lines += Math.max(1, Math.ceil((stop - start) / charactersPerLine));
    start = stop + 1;
  }
  return lines;
}

function estimateLines(block: ContentBlock, most: number): number {
  switch (block.type) {
    case 'text':
      return estimateTextLines(block.text, most);
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

/**
 * The `firstLine` of a header for this content, which must not include what the agent's tooling added. Has pauses for
 * `inSlices`.
 */
export function* firstLineOf(content: readonly ContentBlock[]): PausableWork<string> {
  let line = '';
  for (const block of content) {
    const isText = block.type === 'text';
    const found = isText || line === '' ? lineOf(block) : undefined;
    line = found ?? line;
    if (isText && found !== undefined) break;
    yield;
  }
  return copied(line.length > firstLineLength ? `${startOfText(line, firstLineLength - 1)}…` : line);
}

function lineOf(block: ContentBlock): string | undefined {
  // Only the beginning is read, because a message can be several megabytes long.
  const lines = startOfText(contentText(block), firstLineLength * 8)
    .split('\n')
    .filter((part) => part.trim() !== '');
  // What is quoted at the start, for example by a comment, isn't what the message says.
  const own = lines.filter((part) => !part.startsWith('>'));
  return (own.length > 0 ? own : lines)
    .map((part) => (block.type === 'text' ? lineWithoutMarks(part) : part.trim()))
    .find((part) => part !== '');
}
