import { ApiError } from '../../api/errors.ts';
import { cancelledError } from '../../api/http/requestFailure.ts';
import type { KnownItem } from '../../api/http/longItems.ts';
import type { ListedMessage, RoleFilter } from '../../api/resources/message.ts';
import type { CallOptions, MessagePage, SessionsApi } from '../../api/sessionsApi.ts';

/** The direction in which a service lists messages; `unknown` until a page contains two different times. */
export type ListOrder = 'newestFirst' | 'oldestFirst' | 'unknown';

/** The maximum page size that the service supports (spec 8). */
const pageLimit = 100;

/**
 * The order of a list, by the times of the first messages of one page; `unknown` if they show none. The clocks of
 * clients and of the service can differ, so single messages may be out of order.
 */
export function orderOf(messages: readonly ListedMessage[]): ListOrder {
  return orderFor(trendOf(messages));
}

/** The minimum number of messages that show the order of a list, however the clocks differ. */
const fewestSure = 5;

/** The order of a list; `unknown` if there are too few messages, or too many of them are out of order, to be sure. */
export function sureOrderOf(messages: readonly ListedMessage[]): ListOrder {
  const trend = trendOf(messages);
  return messages.length >= fewestSure && Math.abs(trend) >= 0.5 ? orderFor(trend) : 'unknown';
}

function orderFor(trend: number): ListOrder {
  if (trend === 0) return 'unknown';
  return trend > 0 ? 'oldestFirst' : 'newestFirst';
}

/** Compares each of the first times of a page with each later one: 1 if all ascend, -1 if all descend. */
function trendOf(messages: readonly ListedMessage[]): number {
  const times = messages.slice(0, pageLimit).map(({ createdAt }) => createdAt);
  let sum = 0;
  for (const [place, time] of times.entries())
    for (const later of times.slice(place + 1)) sum += Math.sign(later - time);
  return times.length < 2 ? 0 : sum / ((times.length * (times.length - 1)) / 2);
}

const cursorRejections: readonly (number | undefined)[] = [400, 404, 410, 422];

/** Whether the service rejected a request in the way it rejects an unknown cursor. */
export function isCursorRejected(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'status' && cursorRejections.includes(error.status);
}

/** One page, the cursor it was read with, and the cursor of the next page, which is undefined at the end. */
export interface PageStep {
  readonly page: MessagePage;
  readonly cursor: string | undefined;
  readonly next: string | undefined;
}

interface PaginationOptions extends CallOptions {
  /** The cursor to start with; the service's first page if absent. */
  readonly from?: string | undefined;
  readonly role?: RoleFilter | undefined;
  /** The messages that are known when a page is requested; see `ListOptions.known`. */
  readonly known?: (() => readonly KnownItem[]) | undefined;
  /**
   * Whether to request the next page while the caller is still handling this one, because the next page will be needed.
   */
  readonly needsNext?: ((page: MessagePage) => boolean) | undefined;
}

/** The maximum number of consecutive pages without a new message. After them, the list counts as ended. */
const mostPagesWithoutNew = 10;

/** Recognizes pages that bring nothing new. It remembers the messages of the last pages only. */
class NewMessages {
  readonly #pages: ReadonlySet<string>[] = [];
  #pagesWithoutNew = 0;

  /** Adds a page. Returns whether to read the next page. */
  add({ listed }: MessagePage): boolean {
    const hasNew = listed.some(({ id }) => !this.#pages.some((page) => page.has(id)));
    this.#pagesWithoutNew = hasNew ? 0 : this.#pagesWithoutNew + 1;
    this.#pages.push(new Set(listed.map(({ id }) => id)));
    if (this.#pages.length > mostPagesWithoutNew) this.#pages.shift();
    return this.#pagesWithoutNew < mostPagesWithoutNew;
  }
}

/**
 * Reads page after page, one request at a time. Ends if `hasMore` is false, if there is no next cursor, if a cursor
 * repeats (R21), or if several pages in a row bring no new message. Rejects with the ApiError of the page that failed.
 */
export async function* paginate(
  api: SessionsApi,
  sessionId: string,
  { from, role, known, computerId, signal, needsNext }: PaginationOptions,
): AsyncGenerator<PageStep, void, undefined> {
  const used = new Set<string>();
  const newMessages = new NewMessages();
  const ending = new AbortController();
  const requestSignal = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  let limit = pageLimit;
  const request = (cursor: string | undefined) =>
    api.listMessages(sessionId, { limit, cursor, role, known: known?.(), computerId, signal: requestSignal });
  let ahead: Promise<MessagePage> | undefined;
  try {
    for (let cursor = from; ;) {
      if (signal?.aborted) throw cancelledError({ sent: 'no' });
      if (cursor !== undefined) used.add(cursor);
      const page = await (ahead ?? request(cursor));
      // Larger pages exceeded the size limit, so don't request them again.
      limit = page.reducedLimit ?? limit;
      const mayGoOn = newMessages.add(page);
      const following = page.hasMore && mayGoOn ? page.nextCursor : undefined;
      const next = following !== undefined && !used.has(following) ? following : undefined;
      ahead = next !== undefined && needsNext?.(page) ? request(next) : undefined;
      // A failure is reported when the page is asked for.
      ahead?.catch(() => undefined);
      yield { page, cursor, next };
      if (next === undefined) return;
      cursor = next;
    }
  } finally {
    // The caller may stop before the page that was requested ahead has arrived.
    ending.abort();
  }
}
