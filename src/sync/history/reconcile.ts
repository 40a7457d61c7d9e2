import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type HistoryReading, comparedPages, isAttached } from './historyReader.ts';
import { isCursorRefused, paginate } from './pagination.ts';

/** So many pages are read where its count fell: a conversation of 20,000 messages. */
const fallenPages = 200;

/**
 * Compares what is here with what the service lists, page by page: takes edits, and marks what it does not list any
 * more. To be done where `messageCount` fell, from where the list begins; or where `updatedAt` moved and nothing new was
 * found, among the newest messages.
 */
export async function reconcileHistory(reading: HistoryReading, hasFallen: boolean): Promise<void> {
  const { place } = reading;
  const [from] = hasFallen ? [] : place.recentCursors;
  try {
    await compare(reading, from, hasFallen ? fallenPages : comparedPages);
  } catch (error) {
    if (from === undefined || !isCursorRefused(error)) throw error;
    place.recentCursors = [];
    await compare(reading, undefined, comparedPages);
  }
}

async function compare(reading: HistoryReading, fromCursor: string | undefined, mostPages: number): Promise<void> {
  const { api, store, key, place, signal } = reading;
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
    // What is not here yet comes with its neighbours, or it would leave holes between them.
    const known = page.messages.filter(({ id }) => isAttached(store, key, id));
    store.takeMessages(key, place.order === 'newestFirst' ? known.toReversed() : known);
    if (next === undefined) {
      if (fromCursor === undefined) from = Number.NEGATIVE_INFINITY;
      to = Number.POSITIVE_INFINITY;
    } else if (place.order === 'unknown' || --pagesLeft === 0 || isPastKnown(store, key, from, place.order)) break;
  }
  // At the ends of what was read, messages of the same time may be on the next page.
  if (place.order === 'newestFirst') to = Number.POSITIVE_INFINITY;
  if (place.order === 'oldestFirst' && fromCursor === undefined) from = Number.NEGATIVE_INFINITY;
  const gone = (store.record(key)?.headers ?? []).filter(
    ({ messageId, createdAt }) => createdAt > from && createdAt < to && !listed.has(messageId),
  );
  if (listed.size > 0) store.markGone(key, new Set(gone.map(({ messageId }) => messageId)));
}

function isPastKnown(store: Store, key: SessionKey, oldestRead: number, order: string): boolean {
  const oldest = store.record(key)?.headers.find((header) => !header.isDetached)?.createdAt ?? 0;
  return order === 'newestFirst' && oldestRead < oldest;
}
