import { createHash } from 'node:crypto';
import { RequestError } from './requestBody.ts';
import type { FilterRole, Message } from '../resources.ts';

export type ListOrder = 'asc' | 'desc';
/** What `nextCursor` is on the last page; the spec leaves it open. */
export type LastCursor = 'null' | 'absent' | 'empty' | 'repeat';

/** One walk through one session's messages. A cursor is good for the walk it was given in and for no other. */
export interface Walk {
  readonly sessionId: string;
  readonly order: ListOrder;
  readonly role: FilterRole | undefined;
}

export interface PageRequest extends Walk {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly lastCursor: LastCursor;
}

/** The `messages` and `pagination` of a list answer (sections 2.5 and 4.3). */
export interface Page {
  readonly messages: readonly Message[];
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor?: string | null };
}

/**
 * One page of `log`, which holds a session's messages in the order they arrived and only ever grows at its end. A cursor
 * names a place in that order, so a walk gives no message twice and skips none, however many arrive meanwhile.
 * @throws RequestError 400 for a cursor that was not given in this walk.
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
  if (request.cursor !== undefined) return placeOf(request.cursor, request);
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

/** A `+` inside every cursor catches a client that does not percent-encode it: unencoded, it arrives as a space. */
function cursorAt(index: number, walk: Walk): string {
  return `${Buffer.from(String(index)).toString('base64url')}+${sealOf(index, walk)}=`;
}

function placeOf(cursor: string, walk: Walk): number {
  const [place = ''] = cursor.split('+', 1);
  const index = Number(Buffer.from(place, 'base64url').toString('latin1'));
  if (!Number.isInteger(index) || cursor !== cursorAt(index, walk)) {
    throw new RequestError(400, 'The parameter "cursor" is not a cursor of this list.');
  }
  return index;
}

function sealOf(index: number, walk: Walk): string {
  const text = JSON.stringify([index, walk.sessionId, walk.order, walk.role ?? null]);
  return createHash('sha256').update(text).digest('base64').slice(0, 20);
}
