import { withoutPause } from '../../shared/slices.ts';
import type { Translate } from '../../shared/text.ts';
import { placeComments, type PlacedComment } from '../conversation/comments.ts';
import { roleLabel } from '../presentation/message.ts';
import type { DraftComment, SessionRecord } from '../store/sessionRecord.ts';
import { quoteMarkdown } from './messageMarkdown.ts';

/**
 * A message with comments: for each comment, a line that names its place, the quote, and the comment, in the order of
 * the conversation; then the text of the composer. Without comments, only that text.
 */
export function messageWithComments(
  comments: readonly DraftComment[],
  text: string,
  record: Pick<SessionRecord, 'headers' | 'entryIdByMessageId'>,
  t: Translate,
): string {
  if (comments.length === 0) return text;
  const parts = placeComments(comments, record).map((placed) => commentText(placed, t));
  return [...parts, ...(text.trim() === '' ? [] : [text])].join('\n\n');
}

function commentText({ comment, header }: PlacedComment, t: Translate): string {
  const place = header
    ? t('{0} message, {1}', roleLabel(header.role, t), t.formats.dateTime(header.createdAt))
    : t('Earlier message');
  const quote = comment.quote.trim() === '' ? '\n' : withoutPause(quoteMarkdown(comment.quote));
  return `${place}:\n${quote}${comment.text.trim()}`.trimEnd();
}
