import type { MessageHeader } from './messageHeader.ts';

/**
 * Texts of slash commands and skills, which Claude Code adds as messages of the user. Only their neighbors distinguish
 * them from prompts: the agent adds such a text at the same time as the command or the result of the skill's call.
 * docs/content.md lists the forms, and `expansionMarks.ts` marks the neighbors.
 */

/**
 * The maximum time between a command, or the result of a skill's call, and its text, in ms. It is too short for a
 * person to write a prompt. If the service keeps the agent's times, both have the same time.
 */
const sameMomentMs = 1_000;
/** The maximum distance between the call of a skill and its result, in messages. */
const maxDistance = 12;

/**
 * Whether the message at an index is the text of a command or skill, or the prompt with which Claude Code resumes a
 * session.
 */
export function isExpansion(headers: readonly MessageHeader[], index: number): boolean {
  const header = headers[index];
  if (header?.expansion !== 'candidate' || header.role !== 'user') return false;
  const isNear = (other: MessageHeader | undefined) =>
    other !== undefined && Math.abs(other.createdAt - header.createdAt) <= sameMomentMs;
  const [beforeLast, before, after] = [headers[index - 2], headers[index - 1], headers[index + 1]];
  if (isNear(after) && after?.expansion === 'skill' && isOfSkill(headers, index + 1)) return true;
  if (isNear(after) && isContinuation(header, after)) return true;
  if (!isNear(before)) return false;
  if (before?.expansion === 'command') return before.role === 'user';
  // The text of a skill can have an earlier time than the result of the skill's call, so it precedes the result. Then
  // no text follows the result.
  const isTaken = isNear(beforeLast) && beforeLast?.expansion === 'found';
  return before?.expansion === 'skill' && !isTaken && isOfSkill(headers, index - 1);
}

/** Whether the result at an index follows the call of a skill. */
function isOfSkill(headers: readonly MessageHeader[], index: number): boolean {
  const calls = headers.slice(Math.max(0, index - maxDistance), index);
  return calls.some(({ role, tools }) => role === 'assistant' && tools?.includes('"skill"') === true);
}

/**
 * When Claude Code resumes a session whose last prompt wasn't answered, it adds two messages of its own: this prompt,
 * and an answer to it.
 */
function isContinuation(header: MessageHeader, after: MessageHeader | undefined): boolean {
  return (
    header.firstLine === 'Continue from where you left off.' &&
    header.estimatedLines === 1 &&
    after?.role === 'assistant' &&
    after.firstLine === 'No response requested.'
  );
}

/** The header of a message whose text comes from the tooling. */
export function expandedHeader(header: MessageHeader): MessageHeader {
  return { ...header, firstLine: '', estimatedLines: 1, hasText: false, hasAddedText: true, expansion: 'found' };
}
