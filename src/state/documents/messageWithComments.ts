import { withoutPause } from '../../shared/slices.ts';
import type { Translate } from '../../shared/text.ts';
import { placeComments, type PlacedComment } from '../conversation/comments.ts';
import { authorLabel } from '../presentation/describeMessage.ts';
import type { DraftComment, SessionRecord } from '../store/sessionRecord.ts';
import { quoteMarkdown } from './messageMarkdown.ts';

/**
 * A message with comments: each comment after its quote, or else after a line that names its message, in the order of
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
  const text = comment.text.trim();
  if (comment.quote.trim() !== '') return `${withoutPause(quoteMarkdown(comment.quote))}${text}`.trimEnd();
  const place = header
    ? t('{0} message, {1}', authorLabel(header, t), t.formats.dateTime(header.createdAt))
    : t('Earlier message');
  return `${place}:\n\n${text}`.trimEnd();
}
