import { ApiError } from '../../api/errors.ts';
import type { Message } from '../../api/resources/message.ts';
import type { MessagePage, SessionsApi } from '../../api/sessionsApi.ts';
import { inSlices } from '../../shared/slices.ts';
import { type MessageHeader, messageHeaderSteps } from '../../state/store/messageHeader.ts';
import { Timeline } from '../../state/store/timeline.ts';
import { tailLength } from '../../state/work/tail.ts';
import { type ListOrder, isCursorRejected, orderOf, sureOrderOf } from '../history/pagination.ts';
import { getIfReadable } from '../history/roles.ts';

/**
 * The maximum number of page requests of one read. Usually, one is enough. A list that starts with the oldest message
 * can need more, and so can pages that are too large.
 */
const maxTailPages = 5;
/** The maximum size of a page, in bytes. */
const maxTailPageBytes = 1024 * 1024;
/** The page size for a list that starts with the oldest message, whose end can't be requested. */
const forwardLimit = 100;

interface TailRequest {
  readonly api: SessionsApi;
  readonly sessionId: string;
  readonly computerId: string | undefined;
  readonly messageCount: number;
  /** How the service lists messages, as far as it is known. */
  readonly order: ListOrder;
  /** Oldest first: a cursor near the end of the list, if one is known. */
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
  /** Resolves when the next request may be sent. Rejects if it must not be. */
  readonly turn: () => Promise<void>;
}

/** The result of {@link readTail}. */
export interface TailReading {
  /** The newest messages, at most {@link tailLength}, oldest first; undefined if they can't be read. */
  readonly headers: readonly MessageHeader[] | undefined;
  /** How the service lists messages; `unknown` if the pages were too short to be sure. */
  readonly order: ListOrder;
  /** Oldest first: the cursor of the last page. */
  readonly cursor: string | undefined;
  /** The number of messages in the list, if the whole list was read. */
  readonly listedCount: number | undefined;
}

interface LastMessages extends Omit<TailReading, 'headers'> {
  readonly messages: readonly Message[] | undefined;
}

/**
 * Reads the newest messages of a session: one page of a list that starts with the newest message, or else up to five
 * pages from a cursor near the end or from the start. `headers` is undefined if that doesn't reach the end, or if a
 * message is too large. Rejects with the ApiError, or with what `turn` rejects with.
 */
export async function readTail(request: TailRequest): Promise<TailReading> {
  const { messages, ...reading } = await readLastMessages(request);
  if (!messages) return { ...reading, headers: undefined };
  const headers: MessageHeader[] = [];
  for (const message of messages) headers.push(await inSlices(messageHeaderSteps(message)));
  // Merge the headers as in the conversation, so that texts of the agent's tooling don't count as what a person wrote.
  const timeline = new Timeline();
  timeline.merge(await withNewestRole(headers, request));
  return { ...reading, headers: timeline.headers };
}

/**
 * Adds the role of the newest message that users see, if it has text and the list omits the role: a single message
 * always has one (spec 2.4), and no other role matters. The role filter isn't used, because its result wouldn't show
 * whether the service ignores it.
 */
async function withNewestRole(
  headers: readonly MessageHeader[],
  { api, sessionId, computerId, signal, turn }: TailRequest,
): Promise<readonly MessageHeader[]> {
  const newest = newestWithoutRole(headers);
  if (!newest) return headers;
  await turn();
  const message = await getIfReadable(() => api.getMessage(sessionId, newest.messageId, { computerId, signal }));
  return message ? headers.with(headers.indexOf(newest), await inSlices(messageHeaderSteps(message))) : headers;
}

async function readLastMessages(request: TailRequest): Promise<LastMessages> {
  const { messageCount } = request;
  let sureOrder = request.order;
  // If the service lists the newest message first, the cursor is from a history whose order was misjudged.
  let cursor = sureOrder === 'newestFirst' ? undefined : request.cursor;
  let order: ListOrder = cursor === undefined ? sureOrder : 'oldestFirst';
  let isFromStart = cursor === undefined;
  let limit = order === 'oldestFirst' ? forwardLimit : tailLength;
  let last: readonly Message[] = [];
  let count = 0;
  for (let pagesLeft = maxTailPages; pagesLeft > 0; pagesLeft--) {
    if (order === 'oldestFirst' && isFromStart && messageCount - count > pagesLeft * limit) break;
    const read = await requestPage(request, limit, cursor);
    if (read === 'tooLarge') {
      if (limit === 1) break;
      limit = Math.max(1, Math.floor(limit / 4));
      continue;
    }
    const found = read === 'cursorRejected' ? 'unknown' : sureOrderOf(read.messages);
    if (found !== 'unknown') sureOrder = found;
    if (read === 'cursorRejected' || (found === 'newestFirst' && order === 'oldestFirst' && cursor !== undefined)) {
      [cursor, order, isFromStart, last, count] = [undefined, 'unknown', true, [], 0];
      limit = tailLength;
      continue;
    }
    const wasUnknown = order !== 'oldestFirst';
    if (found !== 'unknown') order = found;
    else if (order === 'unknown') order = orderOf(read.messages);
    const next = read.hasMore && read.nextCursor !== cursor ? read.nextCursor : undefined;
    if (order === 'newestFirst') {
      const messages = read.messages.slice(0, tailLength).toReversed();
      const listedCount = next === undefined ? read.messages.length : undefined;
      return { messages, order: sureOrder, cursor: undefined, listedCount };
    }
    last = [...last, ...read.messages].slice(-tailLength);
    count += read.messages.length;
    if (next === undefined)
      return { messages: last, order: sureOrder, cursor, listedCount: isFromStart ? count : undefined };
    if (order === 'unknown') break;
    if (wasUnknown) limit = forwardLimit;
    cursor = next;
  }
  return { messages: undefined, order: sureOrder, cursor: request.cursor, listedCount: undefined };
}

async function requestPage(
  { api, sessionId, computerId, signal, turn }: TailRequest,
  limit: number,
  cursor: string | undefined,
): Promise<MessagePage | 'tooLarge' | 'cursorRejected'> {
  await turn();
  try {
    return await api.listMessages(sessionId, { limit, cursor, computerId, signal, maxBytes: maxTailPageBytes });
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'tooLarge') return 'tooLarge';
    if (cursor !== undefined && isCursorRejected(error)) return 'cursorRejected';
    throw error;
  }
}

/** The newest message that was known before, and the session's `messageCount` then. */
export interface EarlierTail {
  readonly messageCount: number;
  readonly messageId: string;
}

/**
 * The number of messages that a list lacks although the session counts them; 0 if it has all, negative if it has more,
 * and undefined if they can't be counted.
 */
export function lackingCount(
  { headers = [], listedCount }: TailReading,
  messageCount: number,
  earlier: EarlierTail | undefined,
): number | undefined {
  if (listedCount !== undefined) return messageCount - listedCount;
  const at = earlier ? headers.findIndex(({ messageId }) => messageId === earlier.messageId) : -1;
  return earlier && at >= 0 ? messageCount - earlier.messageCount - (headers.length - 1 - at) : undefined;
}

/** Messages count as up to date if their session changed at most this long after the newest one, in ms. */
const longestGapMs = 2_000;

/**
 * Whether the session changed after the newest message, or the role of that message couldn't be read, so that the
 * response may be from an older copy, which lacks a message or the end of the newest one. `changedAt`: when the session
 * changed, in Unix ms by the service's clock.
 */
export function mayBeOutdated({ headers = [] }: TailReading, changedAt: number): boolean {
  const newestAt = headers.reduce((at, { createdAt, updatedAt }) => Math.max(at, createdAt, updatedAt), 0);
  return newestAt + longestGapMs < changedAt || newestWithoutRole(headers) !== undefined;
}

/** The newest message if its role is needed and unknown. What only the model reads is ignored. */
function newestWithoutRole(headers: readonly MessageHeader[]): MessageHeader | undefined {
  const newest = headers.findLast(({ isModelOnly }) => !isModelOnly);
  return newest?.role === undefined && newest?.hasText ? newest : undefined;
}
