import type { DetailLevel } from '../../shared/protocol/vocabulary.ts';
import { asksUser } from './asked.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt, mayBeAnswer, type Turns } from '../store/turns.ts';

/** All detail levels, from the least to the most detailed. */
export const detailLevels: readonly DetailLevel[] = ['answers', 'work', 'everything'];

/** Determines which messages of a conversation are shown. Saved for each session. */
export interface ConversationFilter {
  readonly detailLevel: DetailLevel;
}

/** The filter of a session for which the user hasn't selected one. */
export const defaultFilter: ConversationFilter = { detailLevel: 'work' };

/** Shows every message; the default for exports. */
export const unfiltered: ConversationFilter = { detailLevel: 'everything' };

/**
 * Whether a filter shows a message. `answers` shows prompts, answers, questions to the user, and messages with text but
 * no known role. `work` shows everything except empty messages and messages that are only for the model. `everything`
 * shows all messages. Errors, and messages with failed tool results, are shown at every level.
 */
export function isShown(header: MessageHeader, { detailLevel }: ConversationFilter, turns: Turns): boolean {
  if (detailLevel === 'everything' || header.isError) return true;
  if (header.isModelOnly) return false;
  if (detailLevel === 'answers') {
    return isPrompt(header) || turns.answerIds.has(header.messageId) || mayBeAnswer(header) || asksUser(header);
  }
  return header.hasText || header.hasAddedText || header.hasThinking || header.toolCount > 0;
}
