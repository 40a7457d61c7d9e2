import type { PageFact } from '../../shared/protocol/rowTypes.ts';
import type { SendCondition, SendTime } from '../../shared/protocol/vocabulary.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import type { Failure } from './failure.ts';
import type { SessionKey } from './sessionKey.ts';

/**
 * The delivery state of an outgoing message (R29). `accepted`: the entry has a `messageId`. `notSent`: certainly not
 * processed, scheduled for a condition that can't be met anymore (see {@link isScheduled}), or kept by an earlier
 * version (see {@link waitedForService}). `unknown`: may have been processed; if the message can't be found in the
 * list, only the user can decide, and Send Again and Discard first change the state to `notSent`. Entries are removed
 * when they are discarded or appear in the list.
 */
export type OutboxState = 'queued' | 'sending' | 'accepted' | 'unknown' | 'notSent';

/** An attachment of a draft or an outgoing message. Its bytes are on disk under `blobId`. */
export interface StoredAttachment {
  readonly attachmentId: string;
  readonly kind: 'file' | 'selection' | 'image';
  /** The name sent to the service, for example `cart.ts#L10-L24`. */
  readonly name: string;
  /** Relative to the workspace folder, with forward slashes; absent for content that isn't in a workspace folder. */
  readonly path?: string | undefined;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly blobId: string;
  /** Whether the document had unsaved changes, which are included. */
  readonly isUnsaved: boolean;
  /** The source, used to detect whether it has changed since it was attached. Never sent. */
  readonly sourceUri?: string | undefined;
  /** Sent as `parsedData` with the file (spec 4.4): the outputs of a notebook cell, as text. */
  readonly parsedData?: string | undefined;
}

/** Identifies the outputs that are sent with an attachment. The user can preview and remove them like an attachment. */
export function outputsId({ attachmentId }: Pick<StoredAttachment, 'attachmentId'>): string {
  return `${attachmentId}.outputs`;
}

/** An outgoing message. It is saved to disk before the first byte is sent (R34). */
export interface OutboxEntry {
  readonly entryId: string;
  readonly key: SessionKey;
  readonly text: string;
  readonly attachments: readonly StoredAttachment[];
  readonly computerId?: string | undefined;
  /** When to send the message if the agent is working. Set only if the user chose it for this message. */
  readonly when?: SendTime | undefined;
  /** What a scheduled message waits for before it joins the queue (see {@link isScheduled}). Independent of `when`. */
  readonly after?: SendCondition | undefined;
  /** Whether this message is the next one and waits until the agent of its session is idle. Not saved to disk. */
  readonly waitsForAgent?: boolean | undefined;
  /** In Unix ms, by this machine's clock. */
  readonly createdAt: number;
  readonly state: OutboxState;
  readonly messageId?: string | undefined;
  /**
   * The ID of a listed message that is probably this one, although the service hasn't confirmed it. The two share one
   * row (R33). Removed if it turns out to be a different message.
   */
  readonly candidateMessageId?: string | undefined;
  /** Whether a search of the list for an entry in state `unknown` is running or due. */
  readonly isSearching?: boolean | undefined;
  /**
   * Whether the first reads of the list during the search (`isSearching`) didn't find the message. The user can then
   * decide before the search ends.
   */
  readonly isDoubtful?: boolean | undefined;
  /** Whether the user allowed later messages of the session to be sent before a decision about this one. */
  readonly isPassed?: boolean | undefined;
  /** The failure that led to `unknown` or `notSent`, or back to `queued`. */
  readonly failure?: Failure | undefined;
  /** From 0 to 1 while `sending`. Not saved to disk. */
  readonly progress?: number | undefined;
}

/** The ID of the listed message that shares a row with an entry: the confirmed or probable match (R33). */
export function matchedMessageId(entry: OutboxEntry): string | undefined {
  return entry.messageId ?? entry.candidateMessageId;
}

/**
 * Whether this message is outside the delivery order because it is scheduled. It joins the queue when its condition is
 * met or the user sends it now. In state `notSent`, its condition can't be met anymore, and the user decides.
 */
export function isScheduled({ state, after }: Pick<OutboxEntry, 'state' | 'after'>): boolean {
  return after !== undefined && (state === 'queued' || state === 'notSent');
}

/**
 * The session whose agent must be idle before this message can be sent or join the queue; undefined if there is none.
 */
export function awaitedSession({ key, state, after, waitsForAgent }: OutboxEntry): SessionKey | undefined {
  if (state !== 'queued') return undefined;
  if (after) return after.kind === 'sessionIdle' ? after.key : undefined;
  return waitsForAgent ? key : undefined;
}

/**
 * Whether this message waits behind an earlier one that is unknown or not sent, unless the user let later messages pass
 * that one (R30). `entry` must be an item of `outbox`.
 */
export function isBlocked(entry: OutboxEntry, outbox: readonly OutboxEntry[]): boolean {
  if (entry.state !== 'queued' || isScheduled(entry)) return false;
  const before = outbox.slice(0, outbox.indexOf(entry));
  return before.some((other) => {
    return !other.isPassed && !isScheduled(other) && (other.state === 'unknown' || other.state === 'notSent');
  });
}

/** The failure code of a message for which {@link waitedForService} is true. */
export const otherServiceCode = 'OTHER_SERVICE';

/**
 * Whether this message wasn't sent because an earlier version kept it until its service would be the current one again.
 * Such a message is sent only after a question (R55), because the user may have forgotten it.
 */
export function waitedForService({ state, failure }: Pick<OutboxEntry, 'state' | 'failure'>): boolean {
  return state === 'notSent' && failure?.code === otherServiceCode;
}

/** Whether the user can decide about this message: it wasn't sent, or it hasn't been found so far. */
export function needsDecision({ state, isSearching = false, isDoubtful = false }: OutboxEntry): boolean {
  return state === 'notSent' || (state === 'unknown' && (!isSearching || isDoubtful));
}

const allowedTransitions: Readonly<Record<OutboxState, readonly (OutboxState | 'gone')[]>> = {
  queued: ['sending', 'notSent', 'gone'],
  sending: ['accepted', 'unknown', 'notSent', 'queued'],
  accepted: ['gone'],
  unknown: ['accepted', 'notSent'],
  notSent: ['queued', 'gone'],
};

/**
 * Checks that R29 allows a transition. A transition from `sending` to `queued` means that the message was certainly not
 * processed (R31) and will be sent again. One from `queued` to `notSent` means that the condition of a scheduled
 * message can't be met anymore, or that an earlier version kept the message (see {@link waitedForService}).
 * @throws Error if the transition isn't allowed.
 */
export function assertTransition(from: OutboxState, to: OutboxState | 'gone'): void {
  if (!allowedTransitions[from].includes(to)) throw new Error(`An outbox entry can't go from ${from} to ${to}.`);
}

/** What is stored about an attachment that was sent. `sha256` is in lowercase hex. */
export type SentFile = Pick<StoredAttachment, 'name' | 'path' | 'mediaType' | 'sizeBytes' | 'sha256'>;

/** The details of the attachments sent with a message: a description and a hash for each file. */
export function sentFacts(files: readonly SentFile[], t: Translate): PageFact[] {
  return files.flatMap(({ name, path, mediaType, sizeBytes, sha256 }) => {
    const place = plainLine(path === undefined || path.endsWith(name) ? (path ?? name) : `${name} (${path})`, 200);
    const value = t(
      { one: '{0}, {1}, 1 byte', other: '{0}, {1}, {2} bytes' },
      place,
      plainLine(mediaType, 80),
      sizeBytes,
    );
    return [
      { label: t('Sent file'), value },
      { label: 'SHA-256', value: sha256, isId: true },
    ];
  });
}
