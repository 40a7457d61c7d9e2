import { inSlices } from '../../shared/slices.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { type HistoryReading, comparedPages, isAttached, loadedHeaders } from './historyReader.ts';
import { isCursorRejected, paginate } from './pagination.ts';

/** The maximum number of pages to compare if the message count fell: 20,000 messages. */
const fallenPages = 200;

/**
 * Compares the loaded messages with the service's list, page by page: updates edited messages, adds messages that were
 * missing between loaded ones, and marks those that the service no longer lists. Needed if `messageCount` fell
 * (compares from the start of the list), or if `updatedAt` changed without a new message (compares the newest
 * messages). Rejects with the ApiError.
 *
 * @param mostGone the number of messages that the session can have lost. If more are absent, the list is from an older
 *   copy of the session, and none is marked (R39).
 */
export async function reconcileHistory(reading: HistoryReading, hasFallen: boolean, mostGone: number): Promise<void> {
  const absent = await compareRecent(reading, hasFallen);
  if (absent.size <= mostGone) reading.store.markGone(reading.key, absent);
}

/** Adds messages that are missing between loaded ones, from the newest pages (R39). Rejects with the ApiError. */
export async function fillHoles(reading: HistoryReading): Promise<void> {
  await compareRecent(reading, false);
}

/** Resolves to the loaded messages that the compared pages don't list. */
async function compareRecent(reading: HistoryReading, isWhole: boolean): Promise<Set<string>> {
  const { cursor } = reading;
  const from = isWhole ? undefined : cursor.recentCursor;
  try {
    return await compare(reading, from, isWhole ? fallenPages : comparedPages);
  } catch (error) {
    if (from === undefined || !isCursorRejected(error)) throw error;
    cursor.dropRecentCursors();
    return compare(reading, undefined, comparedPages);
  }
}

async function compare(
  reading: HistoryReading,
  fromCursor: string | undefined,
  mostPages: number,
): Promise<Set<string>> {
  const { api, store, key, cursor, signal, known } = reading;
  const computerId = store.record(key)?.listEntry.computerId;
  const listed = new Set<string>();
  let pagesLeft = mostPages;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for await (const { page, next } of paginate(api, key.sessionId, { computerId, signal, from: fromCursor, known })) {
    await inSlices(store.prepareMessages(page.messages), () => signal.aborted);
    for (const { id, createdAt } of page.listed) {
      listed.add(id);
      from = Math.min(from, createdAt);
      to = Math.max(to, createdAt);
    }
    const range = loadedRange(loadedHeaders(reading));
    // Messages outside the loaded range are loaded with their neighbors; adding them here would leave gaps.
    const loaded = page.messages.filter(
      ({ id, createdAt }) => isAttached(store, key, id) || (createdAt > range.from && createdAt < range.to),
    );
    store.takeMessages(key, cursor.order === 'newestFirst' ? loaded.toReversed() : loaded);
    if (next === undefined) {
      if (fromCursor === undefined) from = Number.NEGATIVE_INFINITY;
      to = Number.POSITIVE_INFINITY;
    } else if (cursor.order === 'unknown' || --pagesLeft === 0 || isPastKnown(reading, from)) break;
  }
  // Open the range where the list begins. Its other end stays exclusive, because messages with the same time as the
  // last compared one may be on the next page.
  if (cursor.order === 'newestFirst') to = Number.POSITIVE_INFINITY;
  if (cursor.order === 'oldestFirst' && fromCursor === undefined) from = Number.NEGATIVE_INFINITY;
  if (listed.size === 0) return new Set();
  const absent = loadedHeaders(reading).filter(
    ({ messageId, createdAt, isDetached, isGone }) =>
      createdAt > from && createdAt < to && !isDetached && !isGone && !listed.has(messageId),
  );
  return new Set(absent.map(({ messageId }) => messageId));
}

/** The times of the first and last message that are loaded with their neighbors, Unix ms. */
function loadedRange(headers: readonly MessageHeader[]): { readonly from: number; readonly to: number } {
  const isLoaded = (header: MessageHeader) => !header.isDetached;
  const from = headers.find(isLoaded)?.createdAt ?? Number.POSITIVE_INFINITY;
  return { from, to: headers.findLast(isLoaded)?.createdAt ?? Number.NEGATIVE_INFINITY };
}

function isPastKnown(reading: HistoryReading, oldestRead: number): boolean {
  return reading.cursor.order === 'newestFirst' && oldestRead < loadedRange(loadedHeaders(reading)).from;
}
