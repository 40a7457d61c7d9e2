import type { Problem } from './problem.ts';
import type { SessionKey } from './sessionKey.ts';

/**
 * How far an outgoing message is (R29). `accepted` has a `messageId`; an entry that was seen in the list, or discarded,
 * is gone. `unknown`: it may or may not have been processed; `notSent`: surely not, or not found when we looked.
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
}

/** A message on its way out. Its file is on disk before the first byte leaves (R34). */
export interface OutboxEntry {
  readonly entryId: string;
  readonly key: SessionKey;
  readonly text: string;
  readonly attachments: readonly StoredAttachment[];
  readonly computerId?: string | undefined;
  /** Unix ms, our clock. */
  readonly createdAt: number;
  readonly state: OutboxState;
  readonly messageId?: string | undefined;
  /** Why it is `unknown` or `notSent`. */
  readonly problem?: Problem | undefined;
  /** 0 to 1 while `sending`. Not kept on disk. */
  readonly progress?: number | undefined;
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
