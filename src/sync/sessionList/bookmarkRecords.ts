import * as z from 'zod/mini';
import { plainLine } from '../../shared/text.ts';
import { type Bookmark, maxNoteLength } from '../../state/store/sessionRecord.ts';
import { canonical, later, laterTime } from './stamped.ts';

/**
 * A bookmark and the time of its last change. A removed one stays without `addedAt`, so that an older copy that is
 * synced later doesn't restore it. Never contains text of the message. Fields added by later versions are kept until
 * the bookmark is removed.
 */
export const bookmarkRecordSchema = z.looseObject({
  messageId: z.string(),
  at: z.number(),
  addedAt: z.optional(z.number()),
  note: z.optional(z.string()),
});
type BookmarkRecord = z.output<typeof bookmarkRecordSchema>;

/** Adds or replaces the bookmark of a message; without `addedAt`, removes it. */
export type BookmarkChange = Pick<Bookmark, 'messageId' | 'note'> & { readonly addedAt?: number };

/** The maximum number of removed bookmarks of a session to remember. The most recently removed ones stay. */
const maxRemoved = 200;

/**
 * Merges two copies of a session's bookmarks: the later change of each one wins. The result is sorted by message ID,
 * and has at most {@link maxRemoved} removed ones. Undefined if both copies are.
 */
export function mergeBookmarks(
  a: readonly BookmarkRecord[] | undefined,
  b: readonly BookmarkRecord[] | undefined,
): BookmarkRecord[] | undefined {
  if (!a && !b) return undefined;
  const merged = new Map<string, BookmarkRecord>();
  for (const record of [...(a ?? []), ...(b ?? [])]) {
    const known = merged.get(record.messageId);
    merged.set(record.messageId, known ? later(known, record) : record);
  }
  const all = [...merged.values()].sort((one, other) => (one.messageId < other.messageId ? -1 : 1));
  const removed = all.filter(({ addedAt }) => addedAt === undefined).sort((one, other) => other.at - one.at);
  const forgotten = new Set(removed.slice(maxRemoved));
  return all.filter((record) => !forgotten.has(record));
}

/** The bookmarks after changes at the time `now` (Unix ms); undefined if there are neither bookmarks nor changes. */
export function changedBookmarks(
  before: readonly BookmarkRecord[] | undefined,
  changes: readonly BookmarkChange[] | undefined,
  now: number,
): BookmarkRecord[] | undefined {
  const known = new Map(before?.map((record) => [record.messageId, record]));
  const made = changes?.flatMap(({ messageId, addedAt, note }): BookmarkRecord[] => {
    const old = known.get(messageId);
    if (addedAt === undefined && old?.addedAt === undefined) return [];
    const next = addedAt === undefined ? { messageId } : { ...old, messageId, addedAt, note };
    if (old && canonical({ ...next, at: 0 }) === canonical({ ...old, at: 0 })) return [];
    return [{ ...next, at: laterTime(old?.at, now) }];
  });
  return mergeBookmarks(before, made);
}

/** The bookmarks that weren't removed. Each note is one line of at most {@link maxNoteLength} characters. */
export function bookmarksOf(records: readonly BookmarkRecord[] | undefined): Bookmark[] {
  return (records ?? []).flatMap(({ messageId, addedAt, note = '' }) => {
    if (addedAt === undefined) return [];
    const line = plainLine(note, maxNoteLength);
    return [{ messageId, addedAt, ...(line === '' ? {} : { note: line }) }];
  });
}
