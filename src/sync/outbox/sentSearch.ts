import { ApiError } from '../../api/errors.ts';
import type { Message } from '../../api/resources/message.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { isKeyRejected } from '../connection/probe.ts';
import { orderOf, paginate } from '../history/pagination.ts';
import { longestPauseMs } from '../connection/backoff.ts';
import type { Clock } from '../storage/clock.ts';
import type { SendAttempt } from './outboxFiles.ts';
import type { QueuedMessage } from './queuedMessage.ts';
import type { ServiceSendState } from './sendGate.ts';

/**
 * The tolerance for a clock offset derived from a Date header, which is affected by rounding to seconds, the round
 * trip, and drift.
 */
export const clockToleranceMs = 120_000;

/** Criteria that distinguish the message created by an attempt from all others. */
export interface SentCriteria {
  readonly text: string;
  /** The IDs of messages that existed before the attempt, or belong to another entry. */
  readonly excludedIds: ReadonlySet<string>;
  /** The earliest possible `createdAt`, Unix ms by the service's clock. */
  readonly notBefore: number;
}

/**
 * The earliest `createdAt`, in Unix ms by the service's clock, that a message created by this attempt can have.
 * `serverOffsetMs` is the currently known offset of the service's clock from ours; it is used only if the attempt
 * didn't record one. Undefined if neither an offset nor an earlier message provides a bound; no message may be claimed
 * then.
 */
export function earliestCreation(attempt: SendAttempt, serverOffsetMs?: number): number | undefined {
  const offsetMs = attempt.serverOffsetMs ?? serverOffsetMs;
  return offsetMs === undefined ? attempt.newestKnownAt : attempt.startedAt + offsetMs - clockToleranceMs;
}

/**
 * The message that an attempt created, by the rule of R32: its role is user, unknown, or missing, it is new since the
 * attempt, no other entry claims it, and it has the same text. An exact match wins over a match after trimming and
 * folding of line breaks; among equal matches, the earlier message wins. A message without text never matches one with
 * a tool result: some services list tool results, which may have no text either, with the role user.
 */
export function findSentMessage(messages: readonly Message[], criteria: SentCriteria): Message | undefined {
  const candidates = messages
    .filter((message) => isCandidate(message, criteria))
    .sort((a, b) => a.createdAt - b.createdAt);
  const folded = foldText(criteria.text);
  return (
    candidates.find((message) => textsOf(message).includes(criteria.text)) ??
    candidates.find((message) => textsOf(message).some((text) => foldText(text) === folded))
  );
}

/** Whether a message with this role can be the user's. */
export function mayBeUser(role: Message['role']): boolean {
  return role === 'user' || role === 'unknown' || role === undefined;
}

function isCandidate(message: Message, { text, excludedIds, notBefore }: SentCriteria): boolean {
  return (
    (text.trim() !== '' || message.content.every(({ type }) => type !== 'tool_result')) &&
    mayBeUser(message.role) &&
    message.unreadable === undefined &&
    message.createdAt >= notBefore &&
    !excludedIds.has(message.id)
  );
}

/**
 * The strings to compare with the sent text: each text block, and all text blocks joined, because a service may add
 * blocks for attachments.
 */
function textsOf(message: Message): string[] {
  const blocks = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return [...blocks, blocks.join(''), blocks.join('\n')];
}

function foldText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n+/g, '\n').trim();
}

/** The times of the reads, in ms from the start of the search: six reads within a minute (R32). */
const readAtMs = [200, 1_000, 3_000, 8_000, 23_000, 53_000];
/** After this many reads without a result, the user can decide. */
const readsUntilDoubtful = 3;
/** The time that the whole search takes. If the service requests a longer pause, the user can decide at once. */
const longestSearchMs = 60_000;
/**
 * The maximum number of pages per read. In a list that starts with the oldest message, the next read continues at the
 * last page.
 */
const maxPagesPerRead = 50;
/** The statuses with which a service rejects the filter for user messages. Then all messages are requested instead. */
const filterRejections: readonly (number | undefined)[] = [400, 404, 422];

/** The result of a search; `stopped`: the list could not be read, so the message may still be there. */
export type SearchResult =
  | { readonly kind: 'found'; readonly message: Message }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'stopped'; readonly error: Error };

/** The owner of a search. */
export interface SearchClient {
  /** The current criteria for the message of an entry; undefined if no message may be claimed for the entry. */
  criteriaOf(message: QueuedMessage): SentCriteria | undefined;
  /** Called when the first reads didn't find the message, or the service requests a long pause. The search goes on. */
  onSearchDoubtful(message: QueuedMessage): void;
  /** Called once, unless the search is disposed first. */
  onSearchEnd(message: QueuedMessage, result: SearchResult): void;
}

/**
 * Searches the list, in either order, for a message with an unknown outcome (R32). Starts when it is created. A failed
 * read counts as one of the reads. The search ends as `stopped` if the last read fails, or if the service rejects the
 * API key or requests a pause that is too long.
 */
export class SentSearch implements Disposable {
  readonly #client: SearchClient;
  readonly #message: QueuedMessage;
  readonly #computerId: string | undefined;
  readonly #service: ServiceSendState;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  #timer: Disposable | undefined;
  #reads = 0;
  #elapsedMs = 0;
  #usesFilter = true;
  /** In a list that starts with the oldest message: the cursor of the last page that was read. */
  #tailCursor: string | undefined;

  constructor(
    client: SearchClient,
    message: QueuedMessage,
    computerId: string | undefined,
    service: ServiceSendState,
    clock: Clock,
  ) {
    this.#client = client;
    this.#message = message;
    this.#computerId = computerId;
    this.#service = service;
    this.#clock = clock;
    this.#scheduleRead();
  }

  dispose(): void {
    this.#abort.abort();
    this.#timer?.dispose();
  }

  /** Schedules the next read, or ends the search. `error`: the error of the previous read. */
  #scheduleRead(error?: Error): void {
    const atMs = readAtMs[this.#reads];
    const retryAfterMs = (error instanceof ApiError ? error.retryAfterMs : undefined) ?? 0;
    if (atMs === undefined || isKeyRejected(error)) {
      this.#client.onSearchEnd(this.#message, error ? { kind: 'stopped', error } : { kind: 'notFound' });
      return;
    }
    const delayMs = Math.max(atMs - this.#elapsedMs, retryAfterMs, this.#service.remainingPauseMs);
    if (delayMs > longestPauseMs) {
      const stopped = error ?? new Error('the service requested a long pause');
      // End the search only after its constructor has returned, because the client doesn't have the search before that.
      this.#timer = this.#clock.after(0, () =>
        this.#client.onSearchEnd(this.#message, { kind: 'stopped', error: stopped }),
      );
      return;
    }
    if (this.#reads === readsUntilDoubtful || delayMs > longestSearchMs) this.#client.onSearchDoubtful(this.#message);
    this.#elapsedMs = atMs;
    this.#reads++;
    this.#timer = this.#clock.after(delayMs, () => void this.#readOnce());
  }

  async #readOnce(): Promise<void> {
    const { api } = this.#service;
    try {
      if (!api) throw new Error('the service must not be contacted now');
      const message = await this.#read(api);
      if (this.#abort.signal.aborted) return;
      if (message) {
        this.#client.onSearchEnd(this.#message, { kind: 'found', message });
        return;
      }
      this.#scheduleRead();
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      if (error instanceof ApiError && error.kind === 'status' && filterRejections.includes(error.status)) {
        this.#usesFilter = false;
        this.#tailCursor = undefined;
      }
      this.#scheduleRead(error instanceof Error ? error : new Error('the list could not be read', { cause: error }));
    }
  }

  /** Reads the part of the list that can contain the message. */
  async #read(api: SessionsApi): Promise<Message | undefined> {
    const { sessionId } = this.#message.stored.key;
    const computerId = this.#computerId;
    const messages: Message[] = [];
    let wanted: SentCriteria | undefined;
    let pages = 0;
    const role = this.#usesFilter ? 'user' : undefined;
    const options = { computerId, signal: this.#abort.signal, role, from: this.#tailCursor } as const;
    for await (const { page, cursor, next } of paginate(api, sessionId, options)) {
      for (const message of page.messages) messages.push(message);
      if (!wanted) {
        this.#service.learnClock(page.serverTimeMs);
        wanted = this.#client.criteriaOf(this.#message);
      }
      // All pages together, because the times of few messages can be misleading.
      const order = orderOf(messages);
      if (order === 'oldestFirst' && cursor !== undefined) this.#tailCursor = cursor;
      if (order === 'newestFirst' && isPast(page.messages, wanted)) break;
      if (next === undefined || ++pages === maxPagesPerRead) break;
    }
    return wanted ? findSentMessage(messages, wanted) : undefined;
  }
}

/**
 * Whether the remaining pages of a list that starts with the newest message needn't be read: their messages are too
 * old, or no message may be claimed.
 */
function isPast(messages: readonly Message[], wanted: SentCriteria | undefined): boolean {
  const oldest = messages.at(-1);
  return wanted === undefined || (oldest !== undefined && oldest.createdAt < wanted.notBefore);
}
