import { ApiError } from '../../api/errors.ts';
import type { KnownItem } from '../../api/http/longItems.ts';
import { cancelledError } from '../../api/http/requestFailure.ts';
import type { Message } from '../../api/resources/message.ts';
import type { MessagePage, SessionsApi } from '../../api/sessionsApi.ts';
import { inSlices } from '../../shared/slices.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { HistoryCursor } from './historyCursor.ts';
import { type PageStep, isCursorRejected, orderOf, paginate, sureOrderOf } from './pagination.ts';

/**
 * The maximum number of pages to compare if only `updatedAt` changed, which may be due to a new title: 1,000 messages.
 */
export const comparedPages = 10;

/** The dependencies and callbacks for loading a session's messages. */
export interface HistoryReading {
  readonly api: SessionsApi;
  readonly store: Store;
  readonly key: SessionKey;
  readonly cursor: HistoryCursor;
  readonly signal: AbortSignal;
  /** The long messages that needn't be read again while they are unchanged. */
  readonly known: () => readonly KnownItem[];
  /** Called with the service's time when a page arrives, before its messages are in the store. */
  readonly noteTime: (serverTimeMs: number | undefined) => void;
  /** Reports progress; `isOver` if no further page follows. */
  readonly tell: (isOver: boolean) => void;
  /** The current time in Unix ms. */
  readonly now: () => number;
  /** The current time by the service's clock in Unix ms; by ours if that of the service isn't known. */
  readonly serverNow: () => number;
  /** Awaited before the next page of a long list is handled, so that pages don't arrive faster than they are stored. */
  readonly pause: () => Promise<void>;
}

/**
 * Loads new messages. Newest first: from the start up to the first known message, or one page if none is known. Oldest
 * first: from the last page on. If the service rejects the cursor of that page, loading starts from the beginning.
 * Rejects with the ApiError.
 */
export async function readNew(reading: HistoryReading): Promise<void> {
  const { cursor } = reading;
  const from = cursor.order === 'oldestFirst' ? cursor.tailCursor : undefined;
  try {
    await walkNew(reading, from);
  } catch (error) {
    if (from === undefined || !isCursorRejected(error)) throw error;
    cursor.dropTailCursor();
    await walkNew(reading, undefined);
  }
}

async function walkNew(reading: HistoryReading, from: string | undefined): Promise<void> {
  const { store, key, cursor, tell, pause } = reading;
  const hadMessages = loadedHeaders(reading).some((header) => !header.isDetached);
  /** Newest first: new messages wait here until a known one is reached, so that a failed load leaves no gap. */
  let fresh: readonly Message[] = [];
  const needsNext = ({ listed }: MessagePage) =>
    (cursor.order === 'unknown' ? orderOf(listed) : cursor.order) === 'oldestFirst';
  let isFirst = true;
  for await (const step of pages(reading, from, needsNext)) {
    if (isFirst && isMisjudged(reading, from, step)) {
      cursor.forgetOrder();
      return walkNew(reading, undefined);
    }
    isFirst = false;
    cursor.learnOrder(step.page.listed);
    if (cursor.order !== 'newestFirst') takeNext(reading, step);
    else if (!hadMessages) {
      takeOlder(reading, step);
      return;
    } else {
      fresh = [...step.page.messages.toReversed(), ...fresh];
      if (step.next === undefined) cursor.reachedOldest();
      // After the order was misjudged, loading older messages continues at the next page.
      else if (cursor.completeness === 'partial' && cursor.olderCursor === undefined) cursor.continueAt(step.next);
      if (step.page.listed.some(({ id }) => isAttached(store, key, id))) break;
    }
    tell(cursor.completeness === 'complete');
    if (cursor.order !== 'newestFirst') await pause();
  }
  if (fresh.length > 0) store.takeMessages(key, fresh);
}

/**
 * Whether the first page of a walk, read from the cursor `from`, shows that the order of the list was misjudged, which
 * can happen if a young session has only a few messages. The start of the list shows its order. Another page was the
 * last one when it was loaded; the order was misjudged if it has the oldest loaded message, but not the newest.
 */
function isMisjudged(reading: HistoryReading, from: string | undefined, { page }: PageStep): boolean {
  const { order } = reading.cursor;
  if (order === 'unknown') return false;
  if (from === undefined) {
    const found = sureOrderOf(page.listed);
    return found !== 'unknown' && found !== order;
  }
  const headers = loadedHeaders(reading);
  const isAttachedHeader = ({ isDetached }: MessageHeader) => !isDetached;
  const has = (header: MessageHeader | undefined) => page.listed.some(({ id }) => id === header?.messageId);
  return has(headers.find(isAttachedHeader)) && !has(headers.findLast(isAttachedHeader));
}

/**
 * Loads the page before the oldest loaded message or, if the list starts with the oldest message, the skipped rest.
 * Does nothing if there is none. Rejects with the ApiError.
 */
export async function readOlder(reading: HistoryReading): Promise<void> {
  const { cursor, tell } = reading;
  if (cursor.order === 'oldestFirst' && cursor.completeness === 'partial') return readNew(reading);
  if (cursor.olderCursor === undefined) return;
  tell(false);
  try {
    for await (const step of pages(reading, cursor.olderCursor)) {
      takeOlder(reading, step);
      return;
    }
  } catch (error) {
    if (!isCursorRejected(error)) throw error;
    await walkPastKnown(reading);
  }
}

/**
 * Finds and loads the page before the oldest loaded message, starting at the newest message, because the service
 * rejected the page's cursor. Rejects with the ApiError.
 */
export async function walkPastKnown(reading: HistoryReading): Promise<void> {
  const { store, key, cursor } = reading;
  const oldestAt = loadedHeaders(reading).find((header) => !header.isDetached)?.createdAt ?? 0;
  for await (const step of pages(reading, undefined)) {
    const isOlder = step.page.messages.some(
      ({ id, createdAt }) => createdAt <= oldestAt && !isAttached(store, key, id),
    );
    if (isOlder || step.next === undefined) {
      takeOlder(reading, step);
      return;
    }
    store.takeMessages(key, step.page.messages.toReversed());
    cursor.continueAt(step.next);
  }
}

/** The headers of the session's messages in the store; none if the session isn't in the store. */
export function loadedHeaders({ store, key }: Pick<HistoryReading, 'store' | 'key'>): readonly MessageHeader[] {
  return store.record(key)?.headers ?? noHeaders;
}

const noHeaders: readonly MessageHeader[] = [];

/** The newest loaded message that the service still lists, without those that were loaded apart from the others. */
export function newestLoaded(reading: Pick<HistoryReading, 'store' | 'key'>): MessageHeader | undefined {
  return loadedHeaders(reading).findLast(({ isDetached, isGone }) => !isDetached && !isGone);
}

/** Whether a message is in the store without a gap between it and its neighbors. */
export function isAttached(store: Store, key: SessionKey, messageId: string): boolean {
  const header = store.header(key, messageId);
  return header !== undefined && !header.isDetached;
}

/** Newest first: adds the first page, or a page before all loaded ones. */
export function takeOlder({ store, key, cursor }: HistoryReading, { page, next }: PageStep): void {
  store.takeOlderMessages(key, page.messages.toReversed());
  cursor.loadedOlder(next);
}

/** Oldest first: adds a page after all loaded ones. */
export function takeNext({ store, key, cursor }: HistoryReading, { page, cursors, next }: PageBatch): void {
  store.takeMessages(key, page.messages);
  for (const pageCursor of cursors) cursor.loadedNext(pageCursor, next);
}

/** The maximum number of messages to read from a list: far more than its session counts. */
function mostMessages(messageCount: number): number {
  return Math.max(10_000, messageCount * 2);
}

/** Consecutive pages that are stored together, as one page. */
export interface PageBatch extends PageStep {
  /** The cursors that the pages were read with. */
  readonly cursors: readonly (string | undefined)[];
}

/** A batch ends when it reaches one of these limits, because its messages are in memory and aren't shown yet. */
const batchPages = 10;
const batchBytes = 4 * 1024 * 1024;
const batchMs = 500;

/**
 * Reads page after page; `needsNext` as in {@link paginate}. Pages whose next page is needed are combined into batches,
 * because each change of a long conversation computes its rows again. If a request fails, the pages before it are
 * yielded first. Rejects if the list has far more messages than the session counts, because it may never end, and if
 * the session left the session list, because these pages could leave gaps if the session is added again.
 */
export async function* pages(
  { api, store, key, cursor, signal, known, noteTime, now }: HistoryReading,
  from: string | undefined,
  needsNext: (page: MessagePage) => boolean = () => false,
): AsyncGenerator<PageBatch, void, undefined> {
  const record = store.record(key);
  const most = record?.session ? mostMessages(record.session.messageCount) : Number.POSITIVE_INFINITY;
  const computerId = record?.listEntry.computerId;
  let count = 0;
  let batch: PageBatch | undefined;
  let startedAt = now();
  try {
    for await (const step of paginate(api, key.sessionId, { computerId, signal, from, known, needsNext })) {
      noteTime(step.page.serverTimeMs);
      await inSlices(store.prepareMessages(step.page.messages), () => signal.aborted);
      if (cursor.isForgotten) throw cancelledError({ sent: 'maybe' });
      count += step.page.listed.length;
      if (count > most) throw new ApiError('wrongShape', `the list has more than ${most} messages`, { sent: 'maybe' });
      batch = joined(batch, step);
      const { cursors, page } = batch;
      const isFull =
        cursors.length >= batchPages || (page.sizeBytes ?? 0) >= batchBytes || now() - startedAt >= batchMs;
      if (!isFull && step.next !== undefined && needsNext(step.page)) continue;
      const full = batch;
      batch = undefined;
      yield full;
      startedAt = now();
    }
  } catch (error) {
    if (batch && !cursor.isForgotten) yield batch;
    throw error;
  }
}

function joined(batch: PageBatch | undefined, step: PageStep): PageBatch {
  if (!batch) return { ...step, cursors: [step.cursor] };
  const messages = [...batch.page.messages, ...step.page.messages];
  const listed = [...batch.page.listed, ...step.page.listed];
  const sizeBytes = (batch.page.sizeBytes ?? 0) + (step.page.sizeBytes ?? 0);
  return { ...step, page: { ...step.page, messages, listed, sizeBytes }, cursors: [...batch.cursors, step.cursor] };
}
