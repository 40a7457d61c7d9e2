import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message, Role } from '../../api/resources/message.ts';
import { printJsonStart } from '../../shared/json.ts';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import { plainLine } from '../../shared/text.ts';
import { attentionOf, unsentCount } from '../sessions/attention.ts';
import { isArchived } from '../store/sessionFacts.ts';
import { counterNames } from '../store/usage.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { sessionTitle } from '../store/sessionFacts.ts';
import { hasErrorFlag } from '../store/messageHeader.ts';
import { isRejection } from '../tools/outcome.ts';
import { untrustedLine, untrustedStart, untrustedText } from './untrustedText.ts';

/** The maximum number of tags that are listed for a session. */
const mostTags = 100;
const longestInput = 500;
const longestResult = 2_000;
const longestMessage = 60_000;
/**
 * The maximum number of characters that are read of a tool's input, and of each part of a tool's result that isn't
 * text.
 */
const longestPrinted = 20_000;

/** One line about a session for a language model: ID, title, and state. Contains untrusted text. */
export function sessionLine(record: SessionRecord): string {
  const { listEntry, session } = record;
  const tags = session?.sessionSettings?.tags?.slice(0, mostTags).map(({ name }) => untrustedLine(name, 60)) ?? [];
  const unsent = unsentCount(record);
  return untrustedText(
    [
      `- id ${listEntry.key.sessionId}`,
      `title "${sessionTitle(record, untrustedLine)}"`,
      session ? `status ${session.status}` : 'not loaded yet',
      ...(session ? [`${session.messageCount} messages`, `updated ${isoTime(session.updatedAt)}`] : []),
      ...(tags.length > 0 ? [`tags ${tags.join(', ')}`] : []),
      ...(record.asOf === undefined || record.isRemembered ? ['state of an earlier day or window'] : []),
      ...(record.failure ? ['the last refresh failed'] : []),
      ...needLine(record),
      ...(unsent > 0 ? [`${unsent} messages of the user not sent`] : []),
      ...(isArchived(record) ? ['archived'] : []),
    ].join(' · '),
  );
}

function needLine(record: SessionRecord): string[] {
  const attention = attentionOf(record);
  switch (attention) {
    case 'waiting':
      return ['waits for the user'];
    case 'failed':
      return ['the last turn failed'];
    case 'finished':
      return ['finished, not read by the user'];
    case 'unread':
      return ['not read by the user'];
    case 'unsent':
    case undefined:
      return [];
  }
}

/** The token usage and active time of a session for a language model, one value per line; a sentence if unknown. */
export function usageText({ session }: SessionRecord): string {
  const { tokenUsage, inclusiveTokenUsage, assistantActiveTimeMs } = session?.sessionSettings ?? {};
  const lines = [
    ...counterNames.flatMap((name) => counterLine(name, tokenUsage?.[name])),
    ...counterNames.flatMap((name) => counterLine(`${name} with child sessions`, inclusiveTokenUsage?.[name])),
    ...counterLine('active time in ms', assistantActiveTimeMs),
  ];
  return lines.length > 0 ? lines.join('\n') : 'The service reports no usage for this session.';
}

function counterLine(name: string, value: number | undefined): string[] {
  return value === undefined ? [] : [`${name}: ${value}`];
}

/**
 * A message for a language model: a line with ID, role, and time, and then its content without images and thinking, up
 * to 60,000 characters. Undefined for a message that only another model may read, for instructions of the service to
 * its own model, and for a message whose visibility or role we don't know, because it may be one of those.
 */
export function messageTextForModel(message: Message, role: Role | undefined): string | undefined {
  return withoutPause(messageTextSteps(message, role));
}

/** Does the same as {@link messageTextForModel} in steps, each of which reads less than 256 KB. */
export function* messageTextSteps(message: Message, role: Role | undefined): PausableWork<string | undefined> {
  const { visibility = 'both', isUserVisible = true } = message;
  const isForUsers = (visibility === 'both' || visibility === 'user_only') && isUserVisible;
  if (!isForUsers || role === undefined || role === 'system' || role === 'unknown') return undefined;
  const error = hasErrorFlag(message) ? ', error' : '';
  const head = `[${plainLine(message.id, 80)}] ${role}, ${isoTime(message.createdAt)}${error}`;
  const parts = [untrustedText(head)];
  let left = longestMessage;
  for (const { label, text, longest } of piecesOf(message.content)) {
    if (left <= 0) {
      parts.push('(more content)');
      break;
    }
    const part = [label === '' ? '' : untrustedText(label), untrustedStart(text, Math.min(longest, left))]
      .filter((shown) => shown !== '')
      .join(' ');
    if (part.trim() !== '') parts.push(part);
    left -= part.length + 1;
    yield undefined;
  }
  return parts.join('\n');
}

/** What a language model may read of a message's content: {@link messageTextSteps} without its first line. */
export function* contentForModel(message: Message, role: Role | undefined): PausableWork<string | undefined> {
  const text = yield* messageTextSteps(message, role);
  return text?.replace(/^.*\n?/, '');
}

/** A part of a message. Its text can still contain secrets and markup. */
interface Piece {
  readonly label: string;
  readonly text: string;
  /** The maximum number of characters of the text that a model gets. */
  readonly longest: number;
}

/** The parts of a message. Adjacent text is one part, because a secret can span several blocks. */
function* piecesOf(content: readonly ContentBlock[]): Generator<Piece> {
  let texts: string[] = [];
  for (const block of content) {
    if (block.type === 'text') {
      texts.push(block.text);
      continue;
    }
    if (texts.length > 0) yield { label: '', text: texts.join('\n'), longest: longestMessage };
    texts = [];
    const piece = pieceOf(block);
    if (piece) yield piece;
  }
  if (texts.length > 0) yield { label: '', text: texts.join('\n'), longest: longestMessage };
}

function pieceOf(block: Exclude<ContentBlock, { readonly type: 'text' }>): Piece | undefined {
  switch (block.type) {
    case 'tool_use': {
      const text = printJsonStart(block.input, longestPrinted);
      return { label: `(tool call) ${untrustedLine(block.name, 80)}`, text, longest: longestInput };
    }
    case 'tool_result': {
      const outcome = isRejection(block) ? ', rejected' : block.isError ? ', error' : '';
      const label = `(tool result${outcome})`;
      return { label, text: Array.from(piecesOf(block.content), pieceText).join('\n'), longest: longestResult };
    }
    case 'image':
      return { label: '(image)', text: '', longest: 0 };
    case 'document':
      return { label: '(file)', text: untrustedLine(block.path ?? block.name ?? '', 200), longest: 2_000 };
    case 'unknown':
      return { label: '(unsupported content)', text: '', longest: 0 };
    case 'thinking':
    case 'redacted_thinking':
      return undefined;
  }
}

/** A part of a tool's result. Parts other than text are bounded, because results can be nested. */
function pieceText({ label, text }: Piece): string {
  return label === '' ? text : `${label} ${text.slice(0, longestPrinted)}`;
}

function isoTime(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString();
}
