import type { MessageHeader } from './messageHeader.ts';
import { isScheduled } from './outboxEntry.ts';
import type { SessionRecord, Waiting } from './sessionRecord.ts';
import { isolatedLine } from '../../shared/text.ts';
import { type CallMark, readToolMarks } from '../tools/toolMarks.ts';
import { isArchived } from './sessionFacts.ts';

/**
 * Why the agent of a session may be waiting for the user; undefined if nothing indicates it. The session must be idle
 * and in the list, it must not be archived, its newest messages must be known, and its outbox must be empty except for
 * scheduled messages. A message about which the user said that the agent isn't waiting is ignored. The result is a
 * guess from the last messages of the current turn, so the tooltip, notifications, and screen readers say "may".
 */
export function waitingOf(record: SessionRecord): Waiting | undefined {
  const { session, listEntry, outbox } = record;
  if (session?.status !== 'idle' || isArchived(record) || listEntry.isTransient) return undefined;
  if (!outbox.every(isScheduled)) return undefined;
  const waiting = knownWaiting(record, session.messageCount);
  return waiting?.messageId === listEntry.notWaitingId ? undefined : waiting;
}

/**
 * Why the agent may be waiting, if the newest of `messageCount` messages are known. What earlier messages say may be
 * outdated.
 */
function knownWaiting({ history, headers, tail }: SessionRecord, messageCount: number): Waiting | undefined {
  if (history.settledCount === messageCount) return lastQuestion(headers);
  return tail?.messageCount === messageCount ? tail.waiting : undefined;
}

/**
 * The question that the conversation ends in: an unanswered one among the last tool calls, or the end of the answer.
 * Undefined if there is none.
 */
export function lastQuestion(headers: readonly MessageHeader[]): Waiting | undefined {
  const answered = new Answers();
  let isCallSeen = false;
  for (let place = headers.length - 1; place >= 0; place--) {
    const header = headers[place];
    // A message loaded by its ID may be out of place, and a removed one no longer counts.
    if (!header || header.isGone || header.isDetached) continue;
    const marks = readToolMarks(header.tools);
    const calls = marks.filter((mark) => mark.type === 'call');
    // A result before the last calls means that the agent has continued since an earlier question.
    if (isCallSeen && calls.length < marks.length) return undefined;
    const isLast = !isCallSeen && answered.isEmpty;
    for (const mark of marks) if (mark.type === 'result') answered.add(mark.callId);
    if (header.isModelOnly) continue;
    const asked = calls.findLast((call) => call.kind === 'question' && !answered.has(call));
    if (asked) return waitingFor(header, asked.isApproval ? 'approval' : 'question', asked.label);
    if (header.hasText) return isLast ? endQuestion(header) : undefined;
    isCallSeen ||= calls.length > 0;
  }
  return undefined;
}

/** The question at the end of an answer. A progress update and an error aren't answers. */
function endQuestion(header: MessageHeader): Waiting | undefined {
  const { role, phase, question, isError } = header;
  if (role !== 'assistant' || phase === 'commentary' || isError || question === undefined) return undefined;
  return waitingFor(header, 'answer', question);
}

function waitingFor({ messageId }: MessageHeader, rule: Waiting['rule'], question: string): Waiting {
  return { messageId, rule, question };
}

/** The calls that have results. A result that names no call may belong to any of the earlier ones. */
class Answers {
  readonly #callIds = new Set<string>();
  #isAnyNamed = false;
  #isEmpty = true;

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  add(callId: string | undefined): void {
    this.#isEmpty = false;
    if (callId === undefined) this.#isAnyNamed = true;
    else this.#callIds.add(callId);
  }

  has({ callId }: CallMark): boolean {
    if (this.#isAnyNamed) return true;
    return callId === undefined ? !this.#isEmpty : this.#callIds.has(callId);
  }
}

/**
 * A question as one line of at most 160 characters, isolated from the direction of the text around it; empty if the
 * text of the question isn't known.
 */
export function shownQuestion(question: string): string {
  return question.trim() === '' ? '' : isolatedLine(question, 160);
}
