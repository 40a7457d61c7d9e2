import type { SessionStatus } from '../api/session.ts';
import type { Disposable } from '../events.ts';
import { type OutboxEntry, type OutboxState, assertTransition } from '../state/outboxEntry.ts';
import type { StoredEntry } from './outboxFiles.ts';

/** An outgoing message in memory: what is on disk, and what is only true while this window runs. */
export class OutgoingItem {
  #stored: StoredEntry;
  /** Being written for the first time, or on its way out of the queue: it is not sent meanwhile. */
  isHeld = false;
  /** While sending: lets go of the request. */
  abort: AbortController | undefined;
  /** Taken out of the queue: seen in the list, or dropped by the user. */
  isGone = false;
  /** The user asked to stop the attempt under way. */
  isCancelled = false;
  /** 0 to 1 while sending. */
  progress: number | undefined;
  /** While unknown: looks for the message in the list. */
  search: Disposable | undefined;
  likelyMessageId: string | undefined;
  /** Messages that only seemed to be this one. */
  readonly rejectedIds = new Set<string>();
  /** The agent's status as the service answered it. */
  status: SessionStatus | undefined;

  constructor(stored: StoredEntry) {
    this.#stored = stored;
  }

  get stored(): StoredEntry {
    return this.#stored;
  }

  get entryId(): string {
    return this.#stored.entryId;
  }

  get state(): OutboxState {
    return this.#stored.state;
  }

  /** Changes the state and what goes with it. @throws Error for a move that R29 does not list. */
  move(state: OutboxState, change: Partial<StoredEntry> = {}): void {
    assertTransition(this.#stored.state, state);
    this.#stored = { ...this.#stored, problem: undefined, ...change, state };
    this.progress = undefined;
    if (state !== 'unknown') this.#endSearch();
    if (state !== 'sending' && state !== 'unknown') this.likelyMessageId = undefined;
  }

  /** The search for the message ended without a find. */
  endSearch(isSearched: boolean): void {
    const { attempt } = this.#stored;
    if (attempt && isSearched) this.#stored = { ...this.#stored, attempt: { ...attempt, isSearched } };
    this.#endSearch();
  }

  /** The message that seemed to be this one is not. */
  rejectLikely(): void {
    if (this.likelyMessageId !== undefined) this.rejectedIds.add(this.likelyMessageId);
    this.likelyMessageId = undefined;
  }

  /** What the store shows. */
  toEntry(): OutboxEntry {
    const { entryId, key, text, attachments, computerId, createdAt, state, messageId, problem } = this.#stored;
    return {
      entryId,
      key,
      text,
      attachments,
      computerId,
      createdAt,
      state,
      messageId,
      problem,
      likelyMessageId: this.likelyMessageId,
      isSearching: this.search !== undefined,
      progress: this.progress,
    };
  }

  /** Lets go of what runs for it; what is on disk stays. */
  release(): void {
    this.#endSearch();
    this.abort?.abort();
  }

  #endSearch(): void {
    this.search?.dispose();
    this.search = undefined;
  }
}
