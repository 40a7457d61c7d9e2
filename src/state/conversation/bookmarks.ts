import type { MessageHeader } from '../store/messageHeader.ts';
import type { Bookmark, SessionRecord } from '../store/sessionRecord.ts';
import { messagePlaces } from './comments.ts';

/**
 * A bookmark with the header of its message, and the index of that header. If the message isn't loaded, it has no
 * header, and `place` is -1.
 */
interface PlacedBookmark {
  readonly bookmark: Bookmark;
  readonly header: MessageHeader | undefined;
  readonly place: number;
}

/** The bookmarks of a session in the order of the messages. Those of messages that aren't loaded come first. */
export function placeBookmarks(
  record: Pick<SessionRecord, 'listEntry' | 'headers' | 'entryIdByMessageId'>,
): readonly PlacedBookmark[] {
  const { listEntry, headers } = record;
  if (!listEntry.bookmarks) return [];
  const placeOf = messagePlaces(record);
  return listEntry.bookmarks
    .map((bookmark) => ({ bookmark, place: placeOf(bookmark.messageId), header: headers[placeOf(bookmark.messageId)] }))
    .sort((one, other) => one.place - other.place || one.bookmark.addedAt - other.bookmark.addedAt);
}

/**
 * The next bookmark after the message `fromId` or, if `by` is -1, the previous one before it; undefined if there is
 * none. Without `fromId`, the search begins at the start or, if `by` is -1, at the end of the loaded messages.
 */
export function nextBookmark(
  record: SessionRecord,
  fromId: string | undefined,
  by: 1 | -1,
): PlacedBookmark | undefined {
  const end = by > 0 ? -1 : record.headers.length;
  const from = fromId === undefined ? end : messagePlaces(record)(fromId);
  const placed = placeBookmarks(record);
  return by > 0 ? placed.find(({ place }) => place > from) : placed.findLast(({ place }) => place < from);
}
