import type { DetailLevel, PageRole } from '../../shared/protocol/vocabulary.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt, type Turns } from './turns.ts';

/** All levels of detail, from the least to the most. */
export const detailLevels: readonly DetailLevel[] = ['answers', 'work', 'everything'];

/** Which messages of a conversation are shown; saved for each session. `lens` is the level of detail. */
export interface ConversationFilter {
  readonly lens: DetailLevel;
  /** Roles whose messages are hidden. */
  readonly hiddenRoles: readonly PageRole[];
}

/** The filter of a session for which the user has not selected one. */
export const defaultFilter: ConversationFilter = { lens: 'work', hiddenRoles: [] };

/** Shows every message; used by documents and exports. */
export const unfiltered: ConversationFilter = { lens: 'everything', hiddenRoles: [] };

/**
 * Whether a filter shows a message. `answers` shows prompts and answers, `work` everything except empty messages and
 * messages for the model only, `everything` all messages. Errors are shown at every level, hidden roles at none.
 */
export function isShown(header: MessageHeader, { lens, hiddenRoles }: ConversationFilter, turns: Turns): boolean {
  if (hiddenRoles.includes(header.role ?? 'unknown')) return false;
  if (lens === 'everything' || header.isError) return true;
  if (header.isModelOnly) return false;
  if (lens === 'answers') return isPrompt(header) || turns.answerIds.has(header.messageId);
  return header.hasText || header.hasThinking || header.toolCount > 0;
}

/** Whether a message contains only tool calls or results, so that it can be folded into a group. */
export function isToolOnly({ toolCount, hasText }: MessageHeader): boolean {
  return toolCount > 0 && !hasText;
}
