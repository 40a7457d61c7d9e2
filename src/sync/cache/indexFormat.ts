import * as z from 'zod/mini';
import { type MessageHeader, sameHeader } from '../../state/store/messageHeader.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { NewestMessages } from '../../state/store/sessionRecord.ts';
import { Timeline } from '../../state/store/timeline.ts';
import { isPrompt } from '../../state/store/turns.ts';
import { checkedLines, withChecksum } from '../storage/checksum.ts';
import {
  type BodyPlace,
  readHeaders,
  storeBodies,
  storedBodiesSchema,
  storedHeadersSchema,
  storeHeaders,
  takeBodies,
} from './indexColumns.ts';

const placeSchema = z.object({
  order: z.enum(['newestFirst', 'oldestFirst', 'unknown']),
  olderCursor: z.optional(z.string()),
  tailCursor: z.optional(z.string()),
  completeness: z.enum(['partial', 'complete']),
  readAt: z.optional(z.object({ status: z.string(), messageCount: z.number(), updatedAt: z.number() })),
  roleStops: z.array(z.tuple([z.enum(['user', 'assistant', 'tool']), z.nullable(z.string())])),
  unnamedIds: z.array(z.string()),
  /** The number of messages that the session counted and the list lacked. */
  missingCount: z.optional(z.number()),
  /** The number of messages that the session counted although the service never lists them. */
  unlistedCount: z.optional(z.number()),
  /** The number of messages that the list had and the session didn't count. */
  uncountedCount: z.optional(z.number()),
  /** Whether the newest message may be from an older copy of the session. */
  mayBeStale: z.optional(z.boolean()),
});
/** The loading state of a session's history, as saved for later windows. */
export type SavedCursor = z.output<typeof placeSchema>;

/** One message in the index. Without `body`, the last indexed location of its body still applies. */
interface IndexEntry {
  readonly header: MessageHeader;
  readonly body?: BodyPlace | undefined;
}

/** One line of the index: messages that arrived together, and the loading state after them if it changed. */
export interface IndexLine {
  /** Whether new messages with the same time as known ones are placed before or after them. */
  readonly arrival: 'before' | 'after';
  readonly entries: readonly IndexEntry[];
  readonly place?: SavedCursor | undefined;
  /** Set if the line repeats the newest messages: the number of messages in the index. See {@link readNewest}. */
  readonly newestOf?: number | undefined;
}

/** The newest messages of an index, and the locations of their bodies. */
export interface IndexEnd extends NewestMessages {
  readonly bodies: ReadonlyMap<string, BodyPlace>;
}

/** A fully decoded index. */
export interface CacheIndex {
  /** The batches of headers. The caller merges them in this order. */
  readonly headers: readonly { readonly arrival: 'before' | 'after'; readonly headers: readonly MessageHeader[] }[];
  /** Owned by the caller, which may change it. */
  readonly bodies: Map<string, BodyPlace>;
  readonly place: SavedCursor;
}

const version = 12;
const lineSchema = z.object({
  arrival: z.enum(['before', 'after']),
  headers: storedHeadersSchema,
  bodies: storedBodiesSchema,
  place: z.optional(placeSchema),
  newestOf: z.optional(z.number()),
});
/** The beginning of the JSON text of a line that repeats the newest messages. */
const newestStart = '{"newestOf":';
const headSchema = z.object({ version: z.literal(version), origin: z.string(), sessionId: z.string() });

/** Encodes the first line of an index, which identifies the session and the version. */
export function encodeHead({ origin, sessionId }: SessionKey): string {
  return withChecksum({ version, origin, sessionId });
}

/** Encodes any later line. Its checksum ensures that a partially written line is ignored. */
export function encodeLine({ arrival, entries, place, newestOf }: IndexLine): string {
  const headers = storeHeaders(entries.map(({ header }) => header));
  const bodies = storeBodies(entries.map(({ body }) => body));
  return withChecksum({ newestOf, arrival, headers, bodies, place });
}

/** Whether the first line of an index is intact, and names this session and this version. */
export function isHeadOf(text: string, key: SessionKey): boolean {
  const head = headSchema.safeParse(JSON.parse(checkedLines(text).next().value ?? 'null'));
  return head.success && head.data.origin === key.origin && head.data.sessionId === key.sessionId;
}

/**
 * Reads an index up to the first damaged or incomplete line. Returns undefined if the index belongs to another session
 * or version, or does not contain the loading state. Yields to other tasks between lines.
 */
export async function readIndex(text: string, key: SessionKey): Promise<CacheIndex | undefined> {
  if (!isHeadOf(text, key)) return undefined;
  const lines = checkedLines(text);
  lines.next();
  const headers: { arrival: 'before' | 'after'; headers: MessageHeader[] }[] = [];
  const bodies = new Map<string, BodyPlace>();
  let place: SavedCursor | undefined;
  for (const json of lines) {
    // The messages that this line repeats are already known.
    if (json.startsWith(newestStart)) continue;
    const line = lineSchema.safeParse(JSON.parse(json));
    if (!line.success) break;
    const { arrival } = line.data;
    const read = readHeaders(line.data.headers);
    const last = headers.at(-1);
    if (last?.arrival !== arrival) headers.push({ arrival, headers: read });
    else if (arrival === 'after') for (const header of read) last.headers.push(header);
    else last.headers = [...read, ...last.headers];
    takeBodies(line.data.bodies, line.data.headers.messageIds, bodies);
    place = line.data.place ?? place;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  return place && { headers, bodies, place };
}

/**
 * Reads the newest messages from the end of an index: the last line that repeats them, and what was added after it, up
 * to the first damaged or incomplete line. `text` begins with a whole line. Returns undefined if no line that repeats
 * them is intact.
 *
 * Damage before `text` isn't noticed, so the result is only what can be shown until {@link readIndex} has read
 * everything.
 */
export function readNewest(text: string): IndexEnd | undefined {
  const lines = [...checkedLines(text)];
  const start = lines.findLastIndex((json) => json.startsWith(newestStart));
  if (start < 0) return undefined;
  const timeline = new Timeline();
  const bodies = new Map<string, BodyPlace>();
  let totalCount = 0;
  let startedAt = Number.NEGATIVE_INFINITY;
  for (const json of lines.slice(start)) {
    const line = lineSchema.safeParse(JSON.parse(json));
    if (!line.success) break;
    const { arrival, newestOf } = line.data;
    const read = readHeaders(line.data.headers);
    if (newestOf !== undefined) {
      totalCount = newestOf;
      startedAt = read[0]?.createdAt ?? startedAt;
    }
    // Leave out messages from before the repeated ones, because others between them may be unknown.
    timeline.merge(
      read.filter(({ createdAt }) => (arrival === 'after' ? createdAt >= startedAt : createdAt > startedAt)),
      'after',
    );
    takeBodies(line.data.bodies, line.data.headers.messageIds, bodies);
  }
  const { headers } = timeline;
  return headers.length === 0 ? undefined : { headers, bodies, totalCount: Math.max(totalCount, headers.length) };
}

/** Messages that arrived or changed one after another, and whose current state may not be in the index yet. */
export interface Arrival {
  readonly arrival: 'before' | 'after';
  messageIds: string[];
}

const entriesPerLine = 1_000;

/** Adds arrived messages, merging them with the last batch if it arrived in the same direction. */
export function addArrival(arrivals: Arrival[], arrival: Arrival['arrival'], messageIds: readonly string[]): void {
  const last = arrivals.at(-1);
  if (last?.arrival !== arrival) arrivals.push({ arrival, messageIds: [...messageIds] });
  else if (arrival === 'after') for (const messageId of messageIds) last.messageIds.push(messageId);
  else last.messageIds = [...messageIds, ...last.messageIds];
}

/**
 * The index lines for arrived messages. `written` contains the locations of newly written bodies; other locations are
 * unchanged. Omits messages that have no new body and whose header in `indexed` is up to date. Also omits detached
 * messages, because the index must not have gaps.
 */
export function addedLines(
  arrivals: readonly Arrival[],
  headerOf: (messageId: string) => MessageHeader | undefined,
  written: ReadonlyMap<string, BodyPlace>,
  indexed: ReadonlyMap<string, MessageHeader>,
): IndexLine[] {
  const isNew = (header: MessageHeader) => {
    const known = indexed.get(header.messageId);
    if (header.isDetached) return false;
    return written.has(header.messageId) || !known || !sameHeader(known, header);
  };
  return arrivals.flatMap(({ arrival, messageIds }) => {
    const headers = messageIds.flatMap((messageId) => headerOf(messageId) ?? []).filter(isNew);
    const entries = headers.map((header) => ({ header, body: written.get(header.messageId) }));
    return entries.length === 0 ? [] : [{ arrival, entries }];
  });
}

/**
 * The minimum number of messages that a line repeats: several screens. If they begin within a turn, the line also
 * repeats the messages before them, back to the prompt.
 */
const newestCount = 200;
/** The maximum number of messages that a line repeats. */
export const mostNewestCount = 2 * newestCount;
/** In an index with fewer messages, no line repeats the newest, because reading all of them is as fast. */
const fewestIndexed = 500;

/**
 * The line that repeats the newest of these messages, beginning with a prompt that is newer than everything before it,
 * so that turns are whole and older messages can't belong between them. Undefined if the index has few messages, or if
 * no message at which the line may begin is such a prompt. `headers`: in order, the last {@link mostNewestCount}
 * messages of the index and the one before them, or more.
 */
export function newestLine(
  headers: readonly MessageHeader[],
  bodies: ReadonlyMap<string, BodyPlace>,
  totalCount: number,
): IndexLine | undefined {
  const { length } = headers;
  if (totalCount < fewestIndexed) return undefined;
  const isStart = (index: number) => {
    const [header, before] = [headers[index], headers[index - 1]];
    return header !== undefined && isPrompt(header) && header.createdAt > (before?.createdAt ?? header.createdAt);
  };
  let start = length - newestCount;
  while (start > length - mostNewestCount && !isStart(start)) start -= 1;
  if (!isStart(start)) return undefined;
  const entries = headers.slice(start).map((header) => ({ header, body: bodies.get(header.messageId) }));
  return { arrival: 'after', entries, newestOf: totalCount };
}

/**
 * The lines of a complete index. The loading state comes after the messages, so that an incomplete index is ignored.
 */
export function* wholeLines(
  headers: readonly MessageHeader[],
  bodies: ReadonlyMap<string, BodyPlace>,
  place: SavedCursor,
): Generator<IndexLine, void, undefined> {
  const listed = headers.filter((header) => !header.isDetached);
  for (let start = 0; start < listed.length; start += entriesPerLine) {
    const part = listed.slice(start, start + entriesPerLine);
    const entries = part.map((header) => ({ header, body: bodies.get(header.messageId) }));
    yield { arrival: 'after', entries };
  }
  yield { arrival: 'after', entries: [], place };
  const newest = newestLine(listed, bodies, listed.length);
  if (newest) yield newest;
}
