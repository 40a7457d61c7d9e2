import type { Message } from '../../api/resources/message.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { HistoryCursor } from './historyCursor.ts';
import { type PageStep, isCursorRefused, orderOf, paginate } from './pagination.ts';

/** So many pages are compared where only the session's time moved, which may be for its title: 1,000 messages. */
export const comparedPages = 10;

/** One reading of a session: what it works on, and whom it tells. */
export interface HistoryReading {
  readonly api: SessionsApi;
  readonly store: Store;
  readonly key: SessionKey;
  readonly place: HistoryCursor;
  readonly signal: AbortSignal;
  /** A page came that told the service's time; told before its messages are taken. */
  readonly noteTime: (serverTimeMs: number | undefined) => void;
  /** A page was taken; `isOver` says that no other follows. */
  readonly tell: (isOver: boolean) => void;
}

/**
 * Reads what is new. Newest first, from the start until it meets what is known, or one page where nothing is known;
 * oldest first, from the last page on. A cursor from earlier that the service does not take any more begins anew.
 */
export async function readNew(reading: HistoryReading): Promise<void> {
  const { place } = reading;
  const from = place.order === 'oldestFirst' ? place.tailCursor : undefined;
  try {
    await walkNew(reading, from);
  } catch (error) {
    if (from === undefined || !isCursorRefused(error)) throw error;
    place.tailCursor = undefined;
    await walkNew(reading, undefined);
  }
}

async function walkNew(reading: HistoryReading, from: string | undefined): Promise<void> {
  const { store, key, place, tell } = reading;
  const hadMessages = (store.record(key)?.headers ?? []).some((header) => !header.isDetached);
  /** Newest first, what is new waits here until it meets what is known: a walk that breaks leaves no hole. */
  const fresh: Message[] = [];
  for await (const step of pages(reading, from)) {
    if (place.order === 'unknown') place.order = orderOf(step.page.messages);
    if (place.order !== 'newestFirst') takeNext(reading, step);
    else if (!hadMessages) {
      takeOlder(reading, step);
      return;
    } else {
      fresh.unshift(...step.page.messages.toReversed());
      if (step.next === undefined) place.extent = 'complete';
      if (step.page.messages.some(({ id }) => isAttached(store, key, id))) break;
    }
    tell(place.extent === 'complete');
  }
  if (fresh.length > 0) store.takeMessages(key, fresh);
}

/** Reads the page before the oldest message here, or oldest first all that was left out; does nothing where there is none. */
export async function readOlder(reading: HistoryReading): Promise<void> {
  const { place, tell } = reading;
  if (place.order === 'oldestFirst' && place.extent === 'partial') return readNew(reading);
  if (place.olderCursor === undefined) return;
  tell(false);
  try {
    for await (const step of pages(reading, place.olderCursor)) {
      takeOlder(reading, step);
      return;
    }
  } catch (error) {
    if (!isCursorRefused(error)) throw error;
    await walkPastKnown(reading);
  }
}

/** The way to the page before the oldest message here where its cursor is lost: from the newest on. */
async function walkPastKnown(reading: HistoryReading): Promise<void> {
  const { store, key, place } = reading;
  const oldestAt = store.record(key)?.headers.find((header) => !header.isDetached)?.createdAt ?? 0;
  for await (const step of pages(reading, undefined)) {
    const isOlder = step.page.messages.some(
      ({ id, createdAt }) => createdAt <= oldestAt && !isAttached(store, key, id),
    );
    if (isOlder || step.next === undefined) {
      takeOlder(reading, step);
      return;
    }
    store.takeMessages(key, step.page.messages.toReversed());
    place.olderCursor = step.next;
  }
}

/** Whether a message is here together with all between it and its neighbours. */
export function isAttached(store: Store, key: SessionKey, messageId: string): boolean {
  const header = store.header(key, messageId);
  return header !== undefined && !header.isDetached;
}

/** Newest first: a page that lies before all that is here, the first of all included. */
function takeOlder({ store, key, place }: HistoryReading, { page, next }: PageStep): void {
  store.takeOlderMessages(key, page.messages.toReversed());
  place.olderCursor = next;
  place.extent = next === undefined ? 'complete' : 'partial';
}

/** Oldest first: a page that goes on from what is here. */
function takeNext({ store, key, place }: HistoryReading, { page, cursor, next }: PageStep): void {
  store.takeMessages(key, page.messages);
  place.tailCursor = cursor;
  if (cursor !== undefined && !place.recentCursors.includes(cursor)) {
    place.recentCursors = [...place.recentCursors, cursor].slice(-comparedPages);
  }
  place.extent = next === undefined ? 'complete' : 'partial';
}

async function* pages({ api, store, key, signal, noteTime }: HistoryReading, from: string | undefined) {
  const options = { computerId: store.record(key)?.listEntry.computerId, signal, from };
  for await (const step of paginate(api, key.sessionId, options)) {
    noteTime(step.page.serverTimeMs);
    yield step;
  }
}
