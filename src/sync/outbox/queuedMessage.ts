import { isDeepStrictEqual } from 'node:util';
import type { SessionStatus } from '../../api/resources/session.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { type OutboxEntry, type OutboxState, assertTransition } from '../../state/store/outboxEntry.ts';
import type { Clock } from '../storage/clock.ts';
import type { StoredEntry } from './outboxFiles.ts';

/** An outgoing message in memory: what is on disk, and what is only true while this window runs. */
export class QueuedMessage {
  #stored: StoredEntry;
  #leaving: Disposable | undefined;
  /** Being written for the first time, or on its way out of the queue: it is not sent meanwhile. */
  isHeld = false;
  /** What is in memory is newer than what is on disk. */
  isUnsaved = false;
  /** While sending: lets go of the request. */
  abort: AbortController | undefined;
  /** Seen in the list, and hidden until it is saved. */
  isSeen = false;
  /** Taken out of the queue: seen in the list, or dropped by the user. */
  isGone = false;
  /** The user asked to stop the attempt under way. */
  isCancelled = false;
  /** 0 to 1 while sending. */
  progress: number | undefined;
  /** While unknown: looks for the message in the list. */
  search: Disposable | undefined;
  /** While unknown: it is to be looked for, by whichever window has the lease. */
  isSearchDue = false;
  /** Of an attempt of this window that surely sent nothing, should it still be the last one on disk. */
  unsentAttemptId: string | undefined;
  /** While unknown: the message it became. */
  foundMessageId: string | undefined;
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
    this.#afterChange();
  }

  /** Takes what another window made of it. */
  mirror(stored: StoredEntry): void {
    this.#stored = stored;
    this.endSearch(false);
    this.#afterChange();
    this.askForSearch();
  }

  /** Whether it is left to the window where it was typed to send it. */
  get isLeftToOthers(): boolean {
    return this.#leaving !== undefined;
  }

  /** Leaves it to the window where it was typed for so long; then calls `onOver`. */
  leaveToOthers(clock: Clock, forMs: number, onOver: () => void): void {
    this.#leaving = clock.after(forMs, () => {
      this.#leaving = undefined;
      onOver();
    });
  }

  /** Whether it is the same as what lies on disk. */
  isLike(stored: StoredEntry): boolean {
    // What is undefined is not written.
    return isDeepStrictEqual(JSON.parse(JSON.stringify(this.#stored)), JSON.parse(JSON.stringify(stored)));
  }

  /** Stops the attempt under way; what became of it is found out as after any broken attempt. */
  stopSending(): void {
    this.isCancelled = true;
    this.abort?.abort();
  }

  /** It is to be looked for in the list, unless that is under way or was done. */
  askForSearch(): void {
    const { attempt } = this.#stored;
    if (this.state === 'unknown' && !this.search && attempt && !attempt.isSearched) this.isSearchDue = true;
  }

  /** Whether it is, or is about to be, looked for in the list. */
  get isSearching(): boolean {
    return this.search !== undefined || (this.state === 'unknown' && this.isSearchDue);
  }

  /** Whether the last attempt surely sent nothing: it was made here, and none was made since, here or elsewhere. */
  get isSurelyUnsent(): boolean {
    const attemptId = this.#stored.attempt?.attemptId;
    return attemptId !== undefined && attemptId === this.unsentAttemptId;
  }

  /** Whether a request of this window may be carrying it right now. */
  get isSendingHere(): boolean {
    return this.abort !== undefined;
  }

  /** The search for the message ended without a find. */
  endSearch(isSearched: boolean): void {
    const { attempt } = this.#stored;
    if (attempt && isSearched) this.#stored = { ...this.#stored, attempt: { ...attempt, isSearched } };
    this.isSearchDue = false;
    this.#endSearch();
  }

  /** It became this message, as the list says. */
  foundAs(messageId: string): void {
    this.endSearch(false);
    this.foundMessageId = messageId;
  }

  /** The search is broken off here, and goes on in whichever window has the lease next. */
  handSearchOver(): void {
    if (!this.search) return;
    this.#endSearch();
    this.isSearchDue = true;
  }

  /** The message that seemed to be this one is not. */
  rejectLikely(): void {
    if (this.likelyMessageId !== undefined) this.rejectedIds.add(this.likelyMessageId);
    this.likelyMessageId = undefined;
  }

  /** What the store shows. */
  toEntry(): OutboxEntry {
    const { entryId, key, text, attachments, computerId, when, createdAt, state, messageId, problem } = this.#stored;
    return {
      entryId,
      key,
      text,
      attachments,
      computerId,
      when,
      createdAt,
      state,
      messageId,
      problem,
      candidateMessageId: this.likelyMessageId,
      isSearching: this.isSearching,
      progress: this.progress,
    };
  }

  /** Lets go of what runs for it; what is on disk stays. */
  release(): void {
    this.#leaving?.dispose();
    this.#endSearch();
    this.abort?.abort();
  }

  #afterChange(): void {
    const { state } = this.#stored;
    this.progress = undefined;
    if (state !== 'unknown') this.endSearch(false);
    if (state !== 'unknown') this.foundMessageId = undefined;
    if (state !== 'sending' && state !== 'unknown') this.likelyMessageId = undefined;
  }

  #endSearch(): void {
    this.search?.dispose();
    this.search = undefined;
  }
}
