import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type HistoryReading, comparedPages, isAttached } from './historyReader.ts';
import { isCursorRefused, paginate } from './pagination.ts';

/** The maximum number of pages to compare if the message count fell: 20,000 messages. */
const fallenPages = 200;

/**
 * Compares the loaded messages with the service's list, page by page: updates edited messages, and marks those that the
 * service no longer lists. Needed if `messageCount` fell (compares from the start of the list), or if `updatedAt`
 * changed without a new message (compares the newest messages).
 */
export async function reconcileHistory(reading: HistoryReading, hasFallen: boolean): Promise<void> {
  const { cursor } = reading;
  const from = hasFallen ? undefined : cursor.recentCursor;
  try {
    await compare(reading, from, hasFallen ? fallenPages : comparedPages);
  } catch (error) {
    if (from === undefined || !isCursorRefused(error)) throw error;
    cursor.dropRecentCursors();
    await compare(reading, undefined, comparedPages);
  }
}

async function compare(reading: HistoryReading, fromCursor: string | undefined, mostPages: number): Promise<void> {
  const { api, store, key, cursor, signal } = reading;
  const computerId = store.record(key)?.listEntry.computerId;
  const listed = new Set<string>();
  let pagesLeft = mostPages;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for await (const { page, next } of paginate(api, key.sessionId, { computerId, signal, from: fromCursor })) {
    for (const { id, createdAt } of page.messages) {
      listed.add(id);
      from = Math.min(from, createdAt);
      to = Math.max(to, createdAt);
    }
    // Messages that aren't loaded yet are loaded with their neighbors; adding them here would leave gaps.
    const known = page.messages.filter(({ id }) => isAttached(store, key, id));
    store.takeMessages(key, cursor.order === 'newestFirst' ? known.toReversed() : known);
    if (next === undefined) {
      if (fromCursor === undefined) from = Number.NEGATIVE_INFINITY;
      to = Number.POSITIVE_INFINITY;
    } else if (cursor.order === 'unknown' || --pagesLeft === 0 || isPastKnown(store, key, from, cursor.order)) break;
  }
  // Messages with the same time as the last compared one may be on the next page.
  if (cursor.order === 'newestFirst') to = Number.POSITIVE_INFINITY;
  if (cursor.order === 'oldestFirst' && fromCursor === undefined) from = Number.NEGATIVE_INFINITY;
  const gone = (store.record(key)?.headers ?? []).filter(
    ({ messageId, createdAt }) => createdAt > from && createdAt < to && !listed.has(messageId),
  );
  if (listed.size > 0) store.markGone(key, new Set(gone.map(({ messageId }) => messageId)));
}

function isPastKnown(store: Store, key: SessionKey, oldestRead: number, order: string): boolean {
  const oldest = store.record(key)?.headers.find((header) => !header.isDetached)?.createdAt ?? 0;
  return order === 'newestFirst' && oldestRead < oldest;
}
