import type { DraftComment, SessionRecord } from '../store/sessionRecord.ts';
import type { MessageHeader } from '../store/messageHeader.ts';

/** A comment with the header of its message; without one if the message isn't loaded. */
export interface PlacedComment {
  readonly comment: DraftComment;
  readonly header: MessageHeader | undefined;
}

/**
 * Returns a function that determines the index of a message in `headers`, by the message's ID or by the ID of the
 * outbox entry that it was sent from. The index is -1 for a message that isn't loaded, which is older than the loaded
 * ones.
 */
export function messagePlaces({
  headers,
  entryIdByMessageId,
}: Pick<SessionRecord, 'headers' | 'entryIdByMessageId'>): (messageId: string) => number {
  const places = new Map(headers.map(({ messageId }, index) => [messageId, index]));
  for (const [messageId, entryId] of entryIdByMessageId) places.set(entryId, places.get(messageId) ?? -1);
  return (messageId) => places.get(messageId) ?? -1;
}

/**
 * Sorts comments by their messages and, within a message, by their quotes. Messages that aren't loaded are older than
 * the loaded ones, so comments on them come first.
 */
export function placeComments(
  comments: readonly DraftComment[],
  record: Pick<SessionRecord, 'headers' | 'entryIdByMessageId'>,
): readonly PlacedComment[] {
  if (comments.length === 0) return [];
  const places = messagePlaces(record);
  const placeOf = ({ messageId }: DraftComment) => places(messageId);
  return comments
    .toSorted((one, other) => placeOf(one) - placeOf(other) || one.offset - other.offset)
    .map((comment) => ({ comment, header: record.headers[placeOf(comment)] }));
}
