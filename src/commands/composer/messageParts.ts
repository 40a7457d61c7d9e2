import type { Draft } from '../../state/store/sessionRecord.ts';

/** What a message has in addition to its text. */
export type MessageParts = Pick<Draft, 'attachments' | 'comments' | 'computerId'>;

/**
 * The parts of a draft that belong to a message: those of `before`, the draft when the user sent the message, and the
 * attachments with the IDs `attachedIds`, which were being read then. Parts that the user has removed since are left
 * out. Comments have the texts that they had in `before`.
 */
export function partsOf(draft: MessageParts, before: MessageParts, attachedIds: readonly string[]): MessageParts {
  const attachmentIds = new Set([...before.attachments.map(({ attachmentId }) => attachmentId), ...attachedIds]);
  const commentIds = new Set(draft.comments.map(({ commentId }) => commentId));
  return {
    attachments: draft.attachments.filter(({ attachmentId }) => attachmentIds.has(attachmentId)),
    comments: before.comments.filter(({ commentId }) => commentIds.has(commentId)),
    computerId: draft.computerId === undefined ? undefined : before.computerId,
  };
}
