import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message, Role } from '../../api/resources/message.ts';
import { printJson } from '../../shared/json.ts';
import { cutPoint, plainLine } from '../../shared/text.ts';
import { attentionOf, isArchived, unsentCount } from '../sessions/attention.ts';
import { counterNames } from '../store/usage.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { sessionTitle } from '../presentation/session.ts';
import { untrustedText } from './untrustedText.ts';

const longestInput = 500;
const longestResult = 2_000;

/** One line about a session for a language model: ID, title, and state. Contains untrusted text. */
export function sessionLine(record: SessionRecord): string {
  const { listEntry, session } = record;
  const tags = session?.sessionSettings?.tags?.map(({ name }) => plainLine(name, 60)) ?? [];
  const unsent = unsentCount(record);
  return untrustedText(
    [
      `- id ${listEntry.key.sessionId}`,
      `title "${sessionTitle(record)}"`,
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
    case 'unsent':
    case undefined:
      return [];
  }
}

/** The token counters of a session for a language model, one per line. */
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
 * A message for a language model: a line with ID, role, and time, and then its content without images. Undefined for
 * a message that only another model may read, and for instructions of the service to its own model.
 */
export function messageTextForModel(message: Message, role: Role | undefined): string | undefined {
  if (message.visibility === 'llm_only' || message.isUserVisible === false || role === 'system') return undefined;
  const parts = message.content.flatMap((block) => blockText(block)).filter((part) => part.trim() !== '');
  const error = message.isError === true ? ', error' : '';
  const head = `[${plainLine(message.id, 80)}] ${role ?? 'unknown role'}, ${isoTime(message.createdAt)}${error}`;
  return untrustedText([head, ...parts].join('\n'));
}

function blockText(block: ContentBlock): string[] {
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'tool_use':
      return [`(tool call) ${plainLine(block.name, 80)} ${shortened(printJson(block.input), longestInput)}`];
    case 'tool_result': {
      const text = block.content.flatMap((inner) => blockText(inner)).join('\n');
      return [`(tool result${block.isError ? ', error' : ''}) ${shortened(text, longestResult)}`];
    }
    case 'image':
      return ['(image)'];
    case 'document':
      return [`(file) ${plainLine(block.path ?? block.name ?? '', 200)}`];
    case 'unknown':
      return ['(unsupported content)'];
    case 'thinking':
    case 'redacted_thinking':
      return [];
  }
}

/** The first characters of a text, with a note about the rest. */
function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const rest = text.length - longest;
  return `${text.slice(0, cutPoint(text, longest))}\n(${rest} more characters)`;
}

function isoTime(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString();
}
