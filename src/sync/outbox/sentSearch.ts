import { ApiError } from '../../api/errors.ts';
import type { Message } from '../../api/resources/message.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { isKeyRefused } from '../connection/probe.ts';
import { orderOf, paginate } from '../history/pagination.ts';
import { longestPauseMs } from '../polling/backoff.ts';
import type { Clock } from '../storage/clock.ts';
import type { SendAttempt } from './outboxFiles.ts';

/** Clocks that a Date header compares may be this far apart: its seconds, the way there and back, and drift. */
export const clockToleranceMs = 120_000;

/** What tells the message that an attempt made from all others. */
export interface SentCriteria {
  readonly text: string;
  /** Known before sending, or claimed by another entry. */
  readonly excludedIds: ReadonlySet<string>;
  /** The earliest `createdAt`, by the service's clock. */
  readonly notBefore: number;
}

/**
 * The earliest `createdAt` that a message made by this attempt can have, by the service's clock. `serverOffsetMs` is the
 * service's clock minus ours as known now, for an attempt that did not know it. Undefined: neither a clock nor an
 * earlier message says where to look, so nothing may be claimed.
 */
export function earliestCreation(attempt: SendAttempt, serverOffsetMs?: number): number | undefined {
  const offsetMs = attempt.serverOffsetMs ?? serverOffsetMs;
  return offsetMs === undefined ? attempt.newestKnownAt : attempt.startedAt + offsetMs - clockToleranceMs;
}

/**
 * The message that an attempt made, by the rule of R32: role user or missing, new since the attempt, claimed by no other
 * entry, and of the same text, exactly if there is one, else after trimming and folding of line breaks. Of two
 * candidates the earlier.
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

/** Whether a role lets a message be one of the user's. */
export function mayBeUser(role: Message['role']): boolean {
  return role === 'user' || role === 'unknown' || role === undefined;
}

function isCandidate(message: Message, { excludedIds, notBefore }: SentCriteria): boolean {
  return (
    mayBeUser(message.role) &&
    message.unreadable === undefined &&
    message.createdAt >= notBefore &&
    !excludedIds.has(message.id)
  );
}

/** A service may add blocks for what was attached, so the text may be one block or all of them. */
function textsOf(message: Message): string[] {
  const blocks = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return [...blocks, blocks.join(''), blocks.join('\n')];
}

function foldText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n+/g, '\n').trim();
}

/** When the list is read after an attempt ended unknown, in ms from the start of the search: 5 reads within 60 s. */
const readAtMs = [1_000, 3_000, 8_000, 23_000, 53_000];
/** A bound for one read of a list that comes oldest first; later reads go on from where one ended. */
const maxPagesPerRead = 50;
/** The service can be asked for user messages only; one that refuses the filter is asked for all. */
const filterRefusals = [400, 404, 422];

/** How a search ended; `stopped`: reading was not possible, so not finding it means nothing. */
export type SearchResult =
  | { readonly kind: 'found'; readonly message: Message }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'stopped'; readonly error: Error };

export interface SentSearchOptions {
  readonly key: SessionKey;
  readonly computerId: string | undefined;
  readonly clock: Clock;
  /** Absent while the service may not be talked to. */
  readonly api: () => SessionsApi | undefined;
  /** Undefined where nothing may be claimed. `serverTimeMs`: the time that a page told. */
  readonly criteria: (serverTimeMs: number | undefined) => SentCriteria | undefined;
  /** Called once, unless disposed before. */
  readonly onEnd: (result: SearchResult) => void;
}

/**
 * Looks in the list for a message whose sending ended unknown (R32), in either order of the list. A read that fails
 * counts too: where the last one failed, the search ends as `stopped`.
 */
export class SentSearch implements Disposable {
  readonly #options: SentSearchOptions;
  readonly #abort = new AbortController();
  #timer: Disposable | undefined;
  #reads = 0;
  #elapsedMs = 0;
  #usesFilter = true;
  /** Oldest first: the page where the list ended. */
  #tailCursor: string | undefined;

  constructor(options: SentSearchOptions) {
    this.#options = options;
    this.#next();
  }

  dispose(): void {
    this.#abort.abort();
    this.#timer?.dispose();
  }

  /** Waits for the turn of the next read; `error` is what the read before ended with. */
  #next(error?: Error): void {
    const atMs = readAtMs[this.#reads];
    const retryAfterMs = (error instanceof ApiError ? error.retryAfterMs : undefined) ?? 0;
    if (atMs === undefined || isKeyRefused(error) || retryAfterMs > longestPauseMs) {
      this.#options.onEnd(error ? { kind: 'stopped', error } : { kind: 'notFound' });
      return;
    }
    const delayMs = Math.max(atMs - this.#elapsedMs, retryAfterMs);
    this.#elapsedMs = atMs;
    this.#reads++;
    this.#timer = this.#options.clock.after(delayMs, () => void this.#readOnce());
  }

  async #readOnce(): Promise<void> {
    const api = this.#options.api();
    try {
      if (!api) throw new Error('the service may not be asked now');
      const message = await this.#read(api);
      if (this.#abort.signal.aborted) return;
      if (message) {
        this.#options.onEnd({ kind: 'found', message });
        return;
      }
      this.#next();
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      if (error instanceof ApiError && error.kind === 'status' && filterRefusals.includes(error.status ?? 0)) {
        this.#usesFilter = false;
        this.#tailCursor = undefined;
      }
      this.#next(error instanceof Error ? error : new Error('reading failed', { cause: error }));
    }
  }

  /** One read of the part of the list that the message can be in. */
  async #read(api: SessionsApi): Promise<Message | undefined> {
    const { key, computerId, criteria } = this.#options;
    const messages: Message[] = [];
    let wanted: SentCriteria | undefined;
    let pages = 0;
    const role = this.#usesFilter ? 'user' : undefined;
    const options = { computerId, signal: this.#abort.signal, role, from: this.#tailCursor } as const;
    for await (const { page, cursor, next } of paginate(api, key.sessionId, options)) {
      messages.push(...page.messages);
      wanted ??= criteria(page.serverTimeMs);
      const order = orderOf(page.messages);
      if (order === 'oldestFirst' && cursor !== undefined) this.#tailCursor = cursor;
      if (order === 'newestFirst' && isPast(page.messages, wanted)) break;
      if (next === undefined || ++pages === maxPagesPerRead) break;
    }
    return wanted ? findSentMessage(messages, wanted) : undefined;
  }
}

/** Whether the pages after this one, newest first, are all too old. */
function isPast(messages: readonly Message[], wanted: SentCriteria | undefined): boolean {
  const oldest = messages.at(-1);
  return wanted === undefined || (oldest !== undefined && oldest.createdAt < wanted.notBefore);
}
