import { createHash } from 'node:crypto';
import { RequestError } from './jsonBody.ts';
import type { FilterRole, Message } from '../resources.ts';

export type ListOrder = 'asc' | 'desc';
/** The value of `nextCursor` on the last page, which the spec doesn't define. */
export type LastCursor = 'null' | 'absent' | 'empty' | 'repeat';

/** Identifies a pass through the messages of a session. A cursor is valid only in the pass that returned it. */
interface Pass {
  readonly sessionId: string;
  readonly order: ListOrder;
  readonly role: FilterRole | undefined;
}

interface PageRequest extends Pass {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly lastCursor: LastCursor;
}

/** The `messages` and `pagination` of a response (spec 2.5, 4.3). */
export interface Page {
  readonly messages: readonly Message[];
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor?: string | null };
}

/**
 * Returns one page of `log`, the messages of a session in the order in which they arrived. Messages are only appended,
 * and a cursor is a position in that order, so no message is repeated or skipped while new ones arrive.
 *
 * @throws RequestError 400 for a cursor that is invalid or from another pass.
 */
export function pageOf(log: readonly Message[], request: PageRequest): Page {
  const step = request.order === 'asc' ? 1 : -1;
  const start = startOf(log, request);
  const messages: Message[] = [];
  let index = nextMatch(log, start, step, request.role);
  for (let message = log[index]; message && messages.length < request.limit; message = log[index]) {
    messages.push(message);
    index = nextMatch(log, index + step, step, request.role);
  }
  if (log[index]) return { messages, pagination: { hasMore: true, nextCursor: cursorAt(index, request) } };
  return { messages, pagination: lastPagination(request, start) };
}

function startOf(log: readonly Message[], request: PageRequest): number {
  if (request.cursor !== undefined) return indexOf(request.cursor, request);
  return request.order === 'asc' ? 0 : log.length - 1;
}

function nextMatch(log: readonly Message[], from: number, step: 1 | -1, role: FilterRole | undefined): number {
  let index = from;
  for (let message = log[index]; message && role && message.role !== role; message = log[index]) index += step;
  return index;
}

function lastPagination(request: PageRequest, start: number): Page['pagination'] {
  switch (request.lastCursor) {
    case 'null':
      return { hasMore: false, nextCursor: null };
    case 'absent':
      return { hasMore: false };
    case 'empty':
      return { hasMore: false, nextCursor: '' };
    case 'repeat':
      return { hasMore: false, nextCursor: request.cursor ?? cursorAt(start, request) };
  }
}

/** Every cursor contains a `+`, which arrives as a space if a client doesn't percent-encode it. */
function cursorAt(index: number, pass: Pass): string {
  return `${Buffer.from(String(index)).toString('base64url')}+${checksumOf(index, pass)}=`;
}

function indexOf(cursor: string, pass: Pass): number {
  const [position = ''] = cursor.split('+', 1);
  const index = Number(Buffer.from(position, 'base64url').toString('latin1'));
  if (!Number.isInteger(index) || cursor !== cursorAt(index, pass)) {
    throw new RequestError(400, 'The parameter "cursor" is not a cursor of this list.');
  }
  return index;
}

function checksumOf(index: number, pass: Pass): string {
  const text = JSON.stringify([index, pass.sessionId, pass.order, pass.role ?? null]);
  return createHash('sha256').update(text).digest('base64').slice(0, 20);
}
