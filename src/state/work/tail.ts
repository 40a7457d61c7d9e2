import { defined } from '../../shared/defined.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import type { SessionRecord, Tail } from '../store/sessionRecord.ts';
import { isPrompt } from '../store/turns.ts';
import { lastQuestion } from '../store/waiting.ts';
import { turnChanges } from './changes.ts';

/** The number of messages that are read to know what the newest ones say. */
export const tailLength = 5;
const maxFiles = 5;

/** What the newest of these messages say. `headers`: oldest first. `messageCount`: that of the session. */
export function tailOf(headers: readonly MessageHeader[], messageCount: number, cursor?: string): Tail {
  const newest = headers.slice(-tailLength).filter(isListed);
  const shown = newest.filter(({ isModelOnly }) => !isModelOnly);
  const at = shown.findLastIndex(({ role, hasText, firstLine }) => role === 'assistant' && hasText && firstLine !== '');
  const answer = shown[at];
  return {
    messageCount,
    isError: newest.at(-1)?.isError ?? false,
    excerpt: shown.findLast(({ firstLine }) => firstLine !== '')?.firstLine ?? '',
    files: turnChanges(newest)
      .files.slice(0, maxFiles)
      .map(({ path }) => path),
    ...defined({
      messageId: newest.at(-1)?.messageId,
      answer: answer && { firstLine: answer.firstLine, isOfTurn: !shown.slice(at + 1).some(isPrompt) },
      waiting: lastQuestion(headers),
      cursor,
    }),
  };
}

/** Whether the service still lists a message. What a removed one says no longer counts. */
function isListed({ isGone }: MessageHeader): boolean {
  return isGone !== true;
}

/** The state of a session whose newest messages couldn't be read when it had `messageCount` messages. */
export function unreadableTail(messageCount: number, cursor?: string): Tail {
  return { messageCount, isUnreadable: true, isError: false, excerpt: '', files: [], ...defined({ cursor }) };
}

/**
 * What the newest messages of a session say: those of its conversation if they are loaded, or else what was read
 * without it. Undefined if that is unknown, or about an earlier state of the session.
 */
export function knownTail(record: SessionRecord): Tail | undefined {
  const { session, history, headers, tail } = record;
  if (!session) return undefined;
  if (areNewestLoaded(record)) return tailOf(headers, session.messageCount, history.tailCursor ?? tail?.cursor);
  return tail?.messageCount === session.messageCount && !tail.isUnreadable ? tail : undefined;
}

/** Whether the newest messages of a session couldn't be read, so it isn't known whether the session needs the user. */
export function isTailUnreadable(record: SessionRecord): boolean {
  const { session, tail } = record;
  const isTried = tail?.isUnreadable === true && tail.messageCount === session?.messageCount;
  return isTried && session.status === 'idle' && !areNewestLoaded(record);
}

/**
 * Whether the newest message of a session, not counting removed ones, is an error or contains a failed tool result.
 * False if that is unknown: what older messages say may be outdated.
 */
export function endsInError(record: SessionRecord): boolean {
  if (areNewestLoaded(record)) return record.headers.findLast(isListed)?.isError === true;
  return knownTail(record)?.isError ?? false;
}

/** The ID of the newest known message of a session, not counting removed ones; undefined if none is known. */
export function newestMessageId(record: SessionRecord): string | undefined {
  const known = areNewestLoaded(record) ? undefined : knownTail(record);
  return known ? known.messageId : (record.headers.findLast(isListed)?.messageId ?? record.tail?.messageId);
}

/** Whether the newest messages of a session are loaded and were read while the agent was idle. */
export function areNewestLoaded({ session, history }: SessionRecord): boolean {
  return session !== undefined && history.settledCount === session.messageCount;
}
