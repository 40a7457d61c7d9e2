import { outputsId, type StoredAttachment } from '../../state/store/outboxEntry.ts';
import { type Draft, type DraftComment, emptyDraft } from '../../state/store/sessionRecord.ts';

/**
 * A draft without text at its start, and without these attachments. Undefined if the draft doesn't start with `text`.
 */
export function withoutStart(draft: Draft, text: string, attachments: readonly StoredAttachment[]): Draft | undefined {
  if (!draft.text.startsWith(text)) return undefined;
  const rest = draft.text.slice(text.length).replace(/^\n+/, '');
  return {
    ...draft,
    text: rest,
    selectionStart: rest.length,
    selectionEnd: rest.length,
    attachments: draft.attachments.filter((item) => !attachments.includes(item)),
  };
}

/** The attachments without the one with this ID, or without its outputs; the same array if there is neither. */
export function withoutAttachment(
  attachments: readonly StoredAttachment[],
  attachmentId: string,
): readonly StoredAttachment[] {
  const rest = attachments.flatMap((attachment) => {
    if (attachment.attachmentId === attachmentId) return [];
    return outputsId(attachment) === attachmentId ? [{ ...attachment, parsedData: undefined }] : [attachment];
  });
  const isChanged = rest.some((attachment, index) => attachment !== attachments[index]);
  return isChanged || rest.length < attachments.length ? rest : attachments;
}

/** The comments with another text for one of them; without text, without the comment. The same array if nothing changes. */
export function withChangedComment(
  comments: readonly DraftComment[],
  commentId: string,
  text: string | undefined,
): readonly DraftComment[] {
  const known = comments.find((comment) => comment.commentId === commentId);
  if (!known || known.text === text) return comments;
  return comments.flatMap((comment) => {
    if (comment !== known) return [comment];
    return text === undefined ? [] : [{ ...comment, text }];
  });
}

/** A draft whose text was sent with these attachments. Comments and other attachments stay. */
export function withoutMessage(draft: Draft, attachments: readonly StoredAttachment[]): Draft {
  const ids = new Set(attachments.map(({ attachmentId }) => attachmentId));
  const rest = draft.attachments.filter(({ attachmentId }) => !ids.has(attachmentId));
  return { ...emptyDraft, attachments: rest, comments: draft.comments };
}
