import { crc32 } from 'node:zlib';
import * as z from 'zod/mini';
import { type MessageHeader, sameHeader } from '../../state/store/messageHeader.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
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
  extent: z.enum(['partial', 'complete']),
  readAt: z.optional(z.object({ status: z.string(), messageCount: z.number(), updatedAt: z.number() })),
  roleStops: z.array(z.tuple([z.enum(['user', 'assistant', 'tool']), z.nullable(z.string())])),
  unnamedIds: z.array(z.string()),
});
/** Where reading of a session's history stands, as far as it outlives a window. */
export type SavedCursor = z.output<typeof placeSchema>;

/** One message in the index; without `body`, what was said of its body before still holds. */
interface IndexEntry {
  readonly header: MessageHeader;
  readonly body?: BodyPlace | undefined;
}

/** What one line of an index says: messages that came together, and where reading stood after them. */
export interface IndexLine {
  /** Whether new ones among them, of a time that is known already, stand before or after the known ones. */
  readonly arrival: 'before' | 'after';
  readonly entries: readonly IndexEntry[];
  readonly place?: SavedCursor | undefined;
}

/** The whole of an index that could be read. */
export interface CacheIndex {
  /** To be merged one after the other. */
  readonly headers: readonly { readonly arrival: 'before' | 'after'; readonly headers: readonly MessageHeader[] }[];
  /** The caller's own from now on. */
  readonly bodies: Map<string, BodyPlace>;
  readonly place: SavedCursor;
}

const version = 3;
const lineSchema = z.object({
  arrival: z.enum(['before', 'after']),
  headers: storedHeadersSchema,
  bodies: storedBodiesSchema,
  place: z.optional(placeSchema),
});
const headSchema = z.object({ version: z.literal(version), origin: z.string(), sessionId: z.string() });

/** The first line of an index: whose it is, and in which version. */
export function encodeHead({ origin, sessionId }: SessionKey): string {
  return withChecksum({ version, origin, sessionId });
}

/** One further line. A line that is there only in part is not there at all. */
export function encodeLine({ arrival, entries, place }: IndexLine): string {
  const headers = storeHeaders(entries.map(({ header }) => header));
  const bodies = storeBodies(entries.map(({ body }) => body));
  return withChecksum({ arrival, headers, bodies, place });
}

/**
 * Reads an index up to the first line that is damaged or only partly there. Undefined where it is of another session
 * or version, or does not say where reading stood. Gives way to other work between lines.
 */
export async function readIndex(text: string, key: SessionKey): Promise<CacheIndex | undefined> {
  const lines = checkedLines(text);
  const head = headSchema.safeParse(lines.next().value);
  if (!head.success || head.data.origin !== key.origin || head.data.sessionId !== key.sessionId) return undefined;
  const headers: { arrival: 'before' | 'after'; headers: MessageHeader[] }[] = [];
  const bodies = new Map<string, BodyPlace>();
  let place: SavedCursor | undefined;
  for (const value of lines) {
    const line = lineSchema.safeParse(value);
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

function withChecksum(value: unknown): string {
  const json = JSON.stringify(value);
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

function* checkedLines(text: string): Generator<unknown, undefined, undefined> {
  for (let start = 0; ;) {
    const end = text.indexOf('\n', start);
    if (end === -1) return undefined;
    const json = text.slice(start + 9, end);
    if (Number.parseInt(text.slice(start, start + 8), 16) !== crc32(json)) return undefined;
    yield JSON.parse(json);
    start = end + 1;
  }
}

/** Messages that came one after the other and are not in the index yet. */
export interface Arrival {
  readonly arrival: 'before' | 'after';
  messageIds: string[];
}

const entriesPerLine = 1_000;

/** Notes that messages came; those that came the same way before are one with them. */
export function addArrival(arrivals: Arrival[], arrival: Arrival['arrival'], messageIds: readonly string[]): void {
  const last = arrivals.at(-1);
  if (last?.arrival !== arrival) arrivals.push({ arrival, messageIds: [...messageIds] });
  else if (arrival === 'after') last.messageIds.push(...messageIds);
  else last.messageIds = [...messageIds, ...last.messageIds];
}

/**
 * The lines that add what came. `written` says where new bodies lie; others are where they were. What the index says
 * already, as `indexed` has it, is left out, and so is what stands apart: the index has no holes.
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

/** The lines of a whole index; where reading stood comes last, so that half of it counts as nothing. */
export function* wholeLines(
  headers: readonly MessageHeader[],
  bodies: ReadonlyMap<string, BodyPlace>,
  place: SavedCursor,
): Generator<IndexLine, void, undefined> {
  for (let start = 0; start < headers.length; start += entriesPerLine) {
    const part = headers.slice(start, start + entriesPerLine).filter((header) => !header.isDetached);
    const entries = part.map((header) => ({ header, body: bodies.get(header.messageId) }));
    yield { arrival: 'after', entries };
  }
  yield { arrival: 'after', entries: [], place };
}
