import type { PageRole } from '../../shared/protocol/pageModel.ts';
import type { PageLens } from '../../shared/protocol/readingProtocol.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt, type Turns } from './turns.ts';

/** All lenses, from the one that shows least. */
export const detailLevels: readonly PageLens[] = ['answers', 'work', 'everything'];

/** How a person reads a conversation; remembered for each session. */
export interface ConversationFilter {
  readonly lens: PageLens;
  /** Roles whose messages are left out. */
  readonly hiddenRoles: readonly PageRole[];
}

/** How a conversation is read where nobody chose. */
export const defaultFilter: ConversationFilter = { lens: 'work', hiddenRoles: [] };

/** Everything, message by message, as documents and exports may want it. */
export const unfiltered: ConversationFilter = { lens: 'everything', hiddenRoles: [] };

/**
 * Whether a message is shown. Each lens shows what failed: `answers` prompts and answers, `work` all but what only the
 * model gets and what is empty, `everything` everything. A role that the person left out is left out in each of them.
 */
export function isShown(header: MessageHeader, { lens, hiddenRoles }: ConversationFilter, turns: Turns): boolean {
  if (hiddenRoles.includes(header.role ?? 'unknown')) return false;
  if (lens === 'everything' || header.isError) return true;
  if (header.isModelOnly) return false;
  if (lens === 'answers') return isPrompt(header) || turns.answerIds.has(header.messageId);
  return header.hasText || header.hasThinking || header.toolCount > 0;
}

/** Whether a message only uses tools or tells their results, so that it may be folded into a group. */
export function isToolOnly({ toolCount, hasText }: MessageHeader): boolean {
  return toolCount > 0 && !hasText;
}
