import type { SessionKey } from '../state/sessionKey.ts';
import type { Store } from '../state/store.ts';
import { type HistoryReading, isAttached } from './historyReading.ts';
import { walkPages } from './walk.ts';

/** So many pages are read where only the session's time moved, which may be for its title. */
const suspectedPages = 3;
/** And so many where its count fell: a conversation of 20,000 messages. */
const fallenPages = 200;

/**
 * Compares what is here with what the service lists, page by page from where it begins: takes edits, and marks what it
 * does not list any more. To be done where `messageCount` fell, or `updatedAt` moved and nothing new was found.
 */
export async function auditHistory(reading: HistoryReading, hasFallen: boolean): Promise<void> {
  const { api, store, key, place, signal } = reading;
  const computerId = store.record(key)?.deck.computerId;
  const listed = new Set<string>();
  let pagesLeft = hasFallen ? fallenPages : suspectedPages;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for await (const { page, next } of walkPages(api, key.sessionId, { computerId, signal })) {
    for (const { id, createdAt } of page.messages) {
      listed.add(id);
      from = Math.min(from, createdAt);
      to = Math.max(to, createdAt);
    }
    // What is not here yet comes with its neighbours, or it would leave holes between them.
    const known = page.messages.filter(({ id }) => isAttached(store, key, id));
    store.takeMessages(key, place.order === 'newestFirst' ? known.toReversed() : known);
    if (next === undefined) {
      from = Number.NEGATIVE_INFINITY;
      to = Number.POSITIVE_INFINITY;
    } else if (place.order === 'unknown' || --pagesLeft === 0 || isPastKnown(store, key, from, place.order)) break;
  }
  // At the ends of what was read, messages of the same time may be on the next page.
  if (place.order === 'newestFirst') to = Number.POSITIVE_INFINITY;
  if (place.order === 'oldestFirst') from = Number.NEGATIVE_INFINITY;
  const gone = (store.record(key)?.headers ?? []).filter(
    ({ messageId, createdAt }) => createdAt > from && createdAt < to && !listed.has(messageId),
  );
  if (listed.size > 0) store.markGone(key, new Set(gone.map(({ messageId }) => messageId)));
}

function isPastKnown(store: Store, key: SessionKey, oldestRead: number, order: string): boolean {
  const oldest = store.record(key)?.headers.find((header) => !header.isDetached)?.createdAt ?? 0;
  return order === 'newestFirst' && oldestRead < oldest;
}
