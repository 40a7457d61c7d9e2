import { randomUUID } from 'node:crypto';
import type { OutgoingMessage } from '../../api/http/requestBody.ts';
import type { Message } from '../../api/resources/message.ts';
import { type MessageHeader, summarizeMessage } from '../../state/store/messageHeader.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { ImageForm } from './imageForms.ts';
import type { SendAttempt, StoredEntry } from './outboxFiles.ts';
import { type SentCriteria, clockToleranceMs, mayBeUser } from './sentSearch.ts';

/** The maximum number of message IDs that an attempt records if the service's clock is not known. */
const maxKnownWithoutClock = 500;

/**
 * Returns the known state of a session at `startedAt` (Unix ms), when an attempt to send a message begins (R32).
 * `serverOffsetMs`: the service's clock minus ours, if known. `claimedIds`: the IDs of the messages that are matched
 * with an entry.
 */
export function createAttempt(
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
    if (since === undefined ? known.size >= maxKnownWithoutClock : header.createdAt < since) break;
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
  return known.length > 0 ? known.reduce((newest, time) => Math.max(newest, time)) : undefined;
}

/**
 * Converts an entry for the API, with the media type of images if they are sent as `typed`. Attachments are read from
 * disk while they are sent.
 */
export function outgoingMessageOf(entry: StoredEntry, blobs: Blobs, form: ImageForm): OutgoingMessage {
  const images = entry.attachments.filter(({ kind }) => kind === 'image');
  const files = entry.attachments.filter(({ kind }) => kind !== 'image');
  return {
    text: entry.text,
    ...(images.length > 0 && {
      images: images.map(({ blobId, sizeBytes, mediaType }) => {
        return { bytes: blobs.open(blobId, sizeBytes), ...(form === 'typed' && { mediaType }) };
      }),
    }),
    ...(files.length > 0 && {
      files: files.map(({ blobId, sizeBytes, mediaType, name, path, parsedData }) => {
        return { bytes: blobs.open(blobId, sizeBytes), mediaType, name, path, parsedData };
      }),
    }),
    computerId: entry.computerId,
  };
}

/**
 * Finds, by its header, the listed message that was most probably created from an entry: its first line is that of the
 * entry or the name of an attachment. Returns the earliest match.
 */
export function findCandidateHeader(
  headers: readonly MessageHeader[],
  entry: StoredEntry,
  { excludedIds, notBefore }: SentCriteria,
): MessageHeader | undefined {
  const firstLines = new Set([...firstLinesOf(entry.text), ...entry.attachments.map(({ name }) => name)]);
  let candidate: MessageHeader | undefined;
  for (let index = headers.length - 1; index >= 0; index--) {
    const header = headers[index];
    if (!header || header.createdAt < notBefore) break;
    if (excludedIds.has(header.messageId) || !mayBeUser(header.role) || !firstLines.has(header.firstLine)) continue;
    // A message that has only images has no first line, and neither does a tool result without output.
    if (header.firstLine !== '' || header.toolCount === 0) candidate = header;
  }
  return candidate;
}

/**
 * The first lines that the header of a message with this text can have: without and with the parts that look like
 * additions of the agent's tooling.
 */
function firstLinesOf(text: string): readonly string[] {
  const message: Message = { id: '', createdAt: 0, updatedAt: 0, content: [{ type: 'text', text }] };
  return [summarizeMessage(message, 'user'), summarizeMessage(message, 'user', true)].map(({ firstLine }) => firstLine);
}
