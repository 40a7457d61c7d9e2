import { paragraphs } from '../../shared/text/paragraphs.ts';
import { outputsId, type StoredAttachment } from '../../state/store/outboxEntry.ts';
import { type Draft, type DraftComment, emptyDraft, lastAddedId } from '../../state/store/sessionRecord.ts';

/**
 * The maximum number of additions to keep. A page or an editor that doesn't know an older one hasn't been used for a
 * long time.
 */
const maxAdditions = 10;

/** The text and selection of a draft as a page or an editor has them. */
export interface TypedText extends Pick<Draft, 'text' | 'selectionStart' | 'selectionEnd'> {
  /** The ID of the last addition that the text contains; if absent, the text contains all additions. */
  readonly addedId?: number | undefined;
}

/** A draft with the typed text, and below it the additions that the text doesn't contain yet. */
export function withTyped(draft: Draft, { text, selectionStart, selectionEnd, addedId = Infinity }: TypedText): Draft {
  const unknown = (draft.additions ?? []).filter((addition) => addition.addedId > addedId);
  const whole = unknown.reduce((joined, addition) => paragraphs(joined, addition.text), text);
  return { ...draft, text: whole, selectionStart, selectionEnd };
}

/** Whether the text of a draft is the typed one, apart from the additions that the typed text doesn't contain yet. */
export function isTyped(draft: Draft, typed: TypedText): boolean {
  return withTyped(draft, typed).text === draft.text;
}

/** A text that is returned to a draft, followed by the text of the draft, with the caret at the end. */
export function withReturned(draft: Draft, returned: string): TypedText {
  const text = paragraphs(returned, draft.text);
  return { text, selectionStart: text.length, selectionEnd: text.length };
}

/** A draft with a text below what the user wrote. The caret stays in the user's text. */
export function withAddition(draft: Draft, text: string, nowMs: number): Draft {
  const own = draft.text.trimEnd();
  // Based on the clock, so that IDs keep increasing when the extension host restarts.
  const addedId = Math.max(nowMs, (lastAddedId(draft) ?? 0) + 1);
  return {
    ...draft,
    text: paragraphs(own, text),
    selectionStart: Math.min(draft.selectionStart, own.length),
    selectionEnd: Math.min(draft.selectionEnd, own.length),
    additions: [...(draft.additions ?? []), { addedId, text }].slice(-maxAdditions),
  };
}

/**
 * A draft without `text` at its start, and without these attachments, which are compared by identity. Undefined if the
 * draft doesn't start with `text`.
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

/**
 * The attachments without the one with this ID. If the ID is that of an attachment's outputs, only the outputs are
 * removed. The same array if nothing has this ID.
 */
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

/**
 * The comments with another text for one of them, or without that comment if `text` is undefined. The same array if
 * nothing changes.
 */
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

/** What remains of a draft after its text was sent with these attachments: the comments and other attachments. */
export function withoutMessage(draft: Draft, attachments: readonly StoredAttachment[]): Draft {
  const ids = new Set(attachments.map(({ attachmentId }) => attachmentId));
  const rest = draft.attachments.filter(({ attachmentId }) => !ids.has(attachmentId));
  return { ...emptyDraft, attachments: rest, comments: draft.comments };
}
