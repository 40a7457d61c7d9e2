import type { MessageHeader } from '../store/messageHeader.ts';

/** What is known of a conversation's turns: a prompt, and what was done for it until the next one. */
export interface Turns {
  /** The messages that answer: those the service calls final, and the last words before the next prompt. */
  readonly answerIds: ReadonlySet<string>;
  /** How long a turn that is over took, in ms from its prompt to its end, by the id of its last answer. */
  readonly tookMs: ReadonlyMap<string, number>;
}

interface Turn {
  readonly promptAt: number | undefined;
  endedAt: number;
  lastAnswerId: string | undefined;
  lastCommentaryId: string | undefined;
}

/** Whether a message is what a person asked for; results of tools may come under the same role. */
export function isPrompt({ role, hasText, isModelOnly }: MessageHeader): boolean {
  return role === 'user' && hasText && !isModelOnly;
}

/** Reads the turns of a conversation. `isOver`: the agent is done, so the last turn has ended too. */
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
    turn.endedAt = Math.max(turn.endedAt, header.createdAt);
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
