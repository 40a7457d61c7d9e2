import type { Message } from '../../api/resources/message.ts';
import type { SendAttempt } from './outboxFiles.ts';

/** Clocks that a Date header compares may be this far apart: its seconds, the way there and back, and drift. */
export const clockToleranceMs = 120_000;

/** What tells the message that an attempt made from all others. */
export interface SentCriteria {
  readonly text: string;
  /** Known before sending, or claimed by another entry. */
  readonly excludedIds: ReadonlySet<string>;
  /** The earliest `createdAt`, by the service's clock. */
  readonly notBefore: number;
}

/**
 * The earliest `createdAt` that a message made by this attempt can have, by the service's clock. `serverOffsetMs` is the
 * service's clock minus ours as known now, for an attempt that did not know it. Undefined: neither a clock nor an
 * earlier message says where to look, so nothing may be claimed.
 */
export function earliestCreation(attempt: SendAttempt, serverOffsetMs?: number): number | undefined {
  const offsetMs = attempt.serverOffsetMs ?? serverOffsetMs;
  return offsetMs === undefined ? attempt.newestKnownAt : attempt.startedAt + offsetMs - clockToleranceMs;
}

/**
 * The message that an attempt made, by the rule of R32: role user or missing, new since the attempt, claimed by no other
 * entry, and of the same text, exactly if there is one, else after trimming and folding of line breaks. Of two
 * candidates the earlier.
 */
export function findSentMessage(messages: readonly Message[], criteria: SentCriteria): Message | undefined {
  const candidates = messages
    .filter((message) => isCandidate(message, criteria))
    .sort((a, b) => a.createdAt - b.createdAt);
  const folded = foldText(criteria.text);
  return (
    candidates.find((message) => textsOf(message).includes(criteria.text)) ??
    candidates.find((message) => textsOf(message).some((text) => foldText(text) === folded))
  );
}

/** Whether a role lets a message be one of the user's. */
export function mayBeUser(role: Message['role']): boolean {
  return role === 'user' || role === 'unknown' || role === undefined;
}

function isCandidate(message: Message, { excludedIds, notBefore }: SentCriteria): boolean {
  return (
    mayBeUser(message.role) &&
    message.unreadable === undefined &&
    message.createdAt >= notBefore &&
    !excludedIds.has(message.id)
  );
}

/** A service may add blocks for what was attached, so the text may be one block or all of them. */
function textsOf(message: Message): string[] {
  const blocks = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return [...blocks, blocks.join(''), blocks.join('\n')];
}

function foldText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n+/g, '\n').trim();
}
