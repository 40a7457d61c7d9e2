import type { MessageHeader } from './messageHeader.ts';

/** Information about a conversation's turns. A turn is a prompt and everything up to the next prompt. */
export interface Turns {
  /**
   * The IDs of answers: messages that the service marks as final, and the agent's last message with text in each turn.
   * A progress update counts as the last one only if the turn has no other message with text.
   */
  readonly answerIds: ReadonlySet<string>;
  /** Durations of completed turns in ms, from the prompt to the end, by the ID of the last answer. */
  readonly tookMs: ReadonlyMap<string, number>;
}

interface Turn {
  readonly promptAt: number | undefined;
  endedAt: number;
  lastAnswerId: string | undefined;
  lastCommentaryId: string | undefined;
}

/**
 * Whether a message is a user's prompt. Tool results and texts of the agent's tooling can also have the role `user`.
 */
export function isPrompt({ role, hasText, isModelOnly }: MessageHeader): boolean {
  return role === 'user' && hasText && !isModelOnly;
}

/** Whether the agent's tooling wrote everything in a message of the user. */
export function isContext({ hasAddedText, hasText, toolCount }: MessageHeader): boolean {
  return hasAddedText && !hasText && toolCount === 0;
}

/** Whether a message has text but no known role, so it can be an answer. */
export function mayBeAnswer({ role, hasText }: MessageHeader): boolean {
  return hasText && (role === undefined || role === 'unknown');
}

/**
 * Whether a message counts for the time that its turn took. What the agent's tooling writes in the name of the user
 * doesn't, because it can precede the next prompt.
 */
export function countsAsWork(header: MessageHeader): boolean {
  const { role, isModelOnly, toolCount } = header;
  return !isContext(header) && !(role === 'user' && isModelOnly && toolCount === 0);
}

/**
 * The turn that contains a message, as the index of its first message and the index after its last one. It begins with
 * its prompt, or with the first loaded message if no prompt is loaded before it. Undefined if the message isn't loaded.
 */
export function turnAround(
  headers: readonly MessageHeader[],
  messageId: string | undefined,
): { readonly start: number; readonly end: number } | undefined {
  const at = headers.findIndex((header) => header.messageId === messageId);
  if (at < 0) return undefined;
  const start = headers.findLastIndex((header, index) => index <= at && isPrompt(header));
  const next = headers.findIndex((header, index) => index > at && isPrompt(header));
  return { start: Math.max(start, 0), end: next < 0 ? headers.length : next };
}

/**
 * The state of a turn:
 * - `running`: the agent may still be working on it;
 * - `ended`: the agent has finished;
 * - `replied`: the agent has finished, and the user's next message follows.
 */
export type TurnState = 'running' | 'ended' | 'replied';

/** Reads the turns of a conversation. `isOver` is true if the last turn is complete. */
export function readTurns(headers: readonly MessageHeader[], isOver: boolean): Turns {
  const answerIds = new Set<string>();
  const tookMs = new Map<string, number>();
  let turn: Turn = newTurn(undefined);
  const end = (isEnded: boolean) => {
    const { promptAt, endedAt, lastAnswerId, lastCommentaryId } = turn;
    const answerId = lastAnswerId ?? lastCommentaryId;
    if (answerId === undefined) return;
    answerIds.add(answerId);
    if (promptAt !== undefined && isEnded) tookMs.set(answerId, endedAt - promptAt);
  };
  for (const header of headers) {
    if (isPrompt(header)) {
      end(true);
      turn = newTurn(header.createdAt);
      continue;
    }
    if (countsAsWork(header)) turn.endedAt = Math.max(turn.endedAt, header.createdAt);
    if (header.role !== 'assistant' || !header.hasText || header.isModelOnly) continue;
    if (header.phase === 'commentary') turn.lastCommentaryId = header.messageId;
    else turn.lastAnswerId = header.messageId;
    if (header.phase === 'final') answerIds.add(header.messageId);
  }
  end(isOver);
  return { answerIds, tookMs };
}

function newTurn(promptAt: number | undefined): Turn {
  return { promptAt, endedAt: promptAt ?? 0, lastAnswerId: undefined, lastCommentaryId: undefined };
}
