import type { PageFact } from '../../shared/protocol/pageModel.ts';
import { plainLine, type Translate, wholeNumber } from '../../shared/text.ts';
import type { Failure } from './failure.ts';
import type { SessionKey } from './sessionKey.ts';

/**
 * How far an outgoing message is (R29). `accepted` has a `messageId`; an entry that was seen in the list, or discarded,
 * is gone. `notSent`: surely not processed. `unknown`: it may or may not have been; it stays so when it was looked for and
 * not found, as only the user can decide then. Their Send Again and Discard lead through `notSent`.
 */
export type OutboxState = 'queued' | 'sending' | 'accepted' | 'unknown' | 'notSent';

/** Bytes that travel with a draft or an outgoing message; the bytes themselves lie on disk under `blobId`. */
export interface StoredAttachment {
  readonly attachmentId: string;
  readonly kind: 'file' | 'selection' | 'image';
  /** As it goes on the wire, for example `cart.ts#L10-L24`. */
  readonly name: string;
  /** Relative to the workspace folder, forward slashes; absent outside it. */
  readonly path?: string | undefined;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly blobId: string;
  /** The document had unsaved changes, which are included. */
  readonly isUnsaved: boolean;
  /** Where it was read from, to tell whether that has changed since; never sent. */
  readonly sourceUri?: string | undefined;
}

/** A message on its way out. Its file is on disk before the first byte leaves (R34). */
export interface OutboxEntry {
  readonly entryId: string;
  readonly key: SessionKey;
  readonly text: string;
  readonly attachments: readonly StoredAttachment[];
  readonly computerId?: string | undefined;
  /** When it goes out while the agent is at work, where the person chose that for this message. */
  readonly when?: 'now' | 'whenIdle' | undefined;
  /** Unix ms, our clock. */
  readonly createdAt: number;
  readonly state: OutboxState;
  readonly messageId?: string | undefined;
  /**
   * A message in the list that is most likely this one, while the service has not said so: the two share one bubble
   * (R33). Withdrawn when it turns out to be another one.
   */
  readonly candidateMessageId?: string | undefined;
  /** While `unknown`: it is being looked for in the list. Afterwards "it may not have been sent". */
  readonly isSearching?: boolean | undefined;
  /** Why it is `unknown` or `notSent`, or still `queued` after an attempt. */
  readonly problem?: Failure | undefined;
  /** 0 to 1 while `sending`. Not kept on disk. */
  readonly progress?: number | undefined;
}

/** The message whose bubble an entry shares, where the list has it: the one it became, or most likely became (R33). */
export function matchedMessageId(entry: OutboxEntry): string | undefined {
  return entry.messageId ?? entry.candidateMessageId;
}

/** Whether a message waits for one before it, of which it is not known, or to be decided, what becomes of it (R30). */
export function isBlocked(entry: OutboxEntry, outbox: readonly OutboxEntry[]): boolean {
  const before = outbox.slice(0, outbox.indexOf(entry));
  return entry.state === 'queued' && before.some(({ state }) => state === 'unknown' || state === 'notSent');
}

const allowedTransitions: Readonly<Record<OutboxState, readonly (OutboxState | 'gone')[]>> = {
  queued: ['sending', 'gone'],
  sending: ['accepted', 'unknown', 'notSent', 'queued'],
  accepted: ['gone'],
  unknown: ['accepted', 'notSent'],
  notSent: ['queued', 'gone'],
};

/**
 * Refuses every move R29 does not list. `sending` to `queued` is the one case in which the entry surely never left (no
 * connection was made, or 429) and waits for its next turn.
 */
export function assertTransition(from: OutboxState, to: OutboxState | 'gone'): void {
  if (!allowedTransitions[from].includes(to)) throw new Error(`An outbox entry cannot go from ${from} to ${to}.`);
}

/** What is kept of an attachment after its bytes have left. `sha256` is in lower-case hex. */
export type SentFile = Pick<StoredAttachment, 'name' | 'path' | 'mediaType' | 'sizeBytes' | 'sha256'>;

/** What was sent with a message, for its details: a line for each file, and the hash of its bytes. */
export function sentFacts(files: readonly SentFile[], t: Translate): PageFact[] {
  return files.flatMap(({ name, path, mediaType, sizeBytes, sha256 }) => {
    const place = plainLine(path === undefined || path.endsWith(name) ? (path ?? name) : `${name} (${path})`, 200);
    const value = t('{0}, {1}, {2} bytes', place, plainLine(mediaType, 80), wholeNumber(sizeBytes));
    return [
      { label: t('Sent file'), value },
      { label: 'SHA-256', value: sha256, isId: true },
    ];
  });
}
