import { randomUUID } from 'node:crypto';
import type { OutgoingMessage } from '../../api/http/requestBody.ts';
import { type MessageHeader, summarizeMessage } from '../../state/store/messageHeader.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Blobs } from '../storage/blobStore.ts';
import type { SendAttempt, StoredEntry } from './outboxFiles.ts';
import { type SentCriteria, clockToleranceMs, mayBeUser } from './sentSearch.ts';

/** Where no clock says which messages are too old to be taken for a new one, so many are remembered. */
const rememberedWithoutClock = 500;

/** What is known of a session at `startedAt` (Unix ms), just before the first byte of a message leaves. */
export function beginAttempt(
  record: SessionRecord,
  startedAt: number,
  serverOffsetMs: number | undefined,
  claimedIds: Iterable<string>,
): SendAttempt {
  const { headers, history, session } = record;
  const since = serverOffsetMs === undefined ? undefined : startedAt + serverOffsetMs - clockToleranceMs;
  const known = new Set(claimedIds);
  for (let index = headers.length - 1; index >= 0; index--) {
    const header = headers[index];
    if (!header) break;
    if (since === undefined ? known.size >= rememberedWithoutClock : header.createdAt < since) break;
    if (mayBeUser(header.role)) known.add(header.messageId);
  }
  return {
    attemptId: randomUUID(),
    startedAt,
    serverOffsetMs,
    newestKnownAt: newestTime([
      headers.at(-1)?.createdAt,
      session?.updatedAt,
      history.completeness === 'unread' ? undefined : 0,
    ]),
    knownMessageIds: [...known],
  };
}

function newestTime(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** A stored entry as the API takes it; its bytes are read from disk while they are sent. */
export function outgoingMessageOf(entry: StoredEntry, blobs: Blobs): OutgoingMessage {
  const images = entry.attachments.filter(({ kind }) => kind === 'image');
  const files = entry.attachments.filter(({ kind }) => kind !== 'image');
  return {
    text: entry.text,
    ...(images.length > 0 && {
      images: images.map(({ blobId, sizeBytes }) => ({ bytes: blobs.open(blobId, sizeBytes) })),
    }),
    ...(files.length > 0 && {
      files: files.map(({ blobId, sizeBytes, mediaType, name, path }) => {
        return { bytes: blobs.open(blobId, sizeBytes), mediaType, name, path };
      }),
    }),
    computerId: entry.computerId,
  };
}

/**
 * The message in the list that an entry on its way most likely became, told by what a list keeps of it: its first line,
 * or the name of something attached. Of several the earliest.
 */
export function findLikelyHeader(
  headers: readonly MessageHeader[],
  entry: StoredEntry,
  { excludedIds, notBefore }: SentCriteria,
): MessageHeader | undefined {
  const firstLines = new Set([firstLineOf(entry.text), ...entry.attachments.map(({ name }) => name)]);
  let likely: MessageHeader | undefined;
  for (let index = headers.length - 1; index >= 0; index--) {
    const header = headers[index];
    if (!header || header.createdAt < notBefore) break;
    if (excludedIds.has(header.messageId) || !mayBeUser(header.role) || !firstLines.has(header.firstLine)) continue;
    likely = header;
  }
  return likely;
}

function firstLineOf(text: string): string {
  return summarizeMessage({ id: '', createdAt: 0, updatedAt: 0, content: [{ type: 'text', text }] }).firstLine;
}
