import { sameValue } from '../../shared/equality.ts';
import type { AddedMessage } from '../../api/sessionsApi.ts';
import type { SessionStatus } from '../../api/resources/session.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { SendCondition, SendTime } from '../../shared/protocol/vocabulary.ts';
import {
  type OutboxEntry,
  type OutboxState,
  assertTransition,
  isScheduled,
  needsDecision,
  otherServiceCode,
} from '../../state/store/outboxEntry.ts';
import type { Clock } from '../storage/clock.ts';
import { type MessageState, stateAfter } from './messageState.ts';
import type { Transition } from './outcomes.ts';
import type { Scheduler, SendAttempt, StoredEntry } from './outboxFiles.ts';

/** The code of the failure of an entry whose file was lost after another window had written it. */
const lostCode = 'ELOST';

/** An outgoing message in memory: its entry on disk, and the state that applies only while this window is running. */
export class QueuedMessage {
  #stored: StoredEntry;
  #state: MessageState;
  /** The last version of the entry that this window wrote. */
  #written: StoredEntry | undefined;
  #isHeld = false;
  #isGone = false;
  #othersTurn: Disposable | undefined;
  #unsentAttempt: { readonly attemptId: string | undefined; readonly isCanceled: boolean } | undefined;

  constructor(stored: StoredEntry) {
    this.#stored = stored;
    this.#state = stateAfter(undefined, stored.state);
  }

  get stored(): StoredEntry {
    return this.#stored;
  }

  get entryId(): string {
    return this.#stored.entryId;
  }

  get state(): OutboxState {
    return this.#state.kind;
  }

  /** Whether the message is being saved for the first time or being removed. It is not sent in the meantime. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Whether the message has left the queue, for example because the conversation lists it or the user discarded it. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether a request of this window may be in progress for the message. */
  get isSendingHere(): boolean {
    return this.#state.kind === 'sending' && this.#state.request !== undefined;
  }

  /** Whether the user stopped the current attempt. */
  get isCanceled(): boolean {
    return this.#state.kind === 'sending' && this.#state.isCanceled;
  }

  /** Whether a search for the message is running or due. */
  get isSearching(): boolean {
    return this.#state.kind === 'unknown' && this.#state.search !== 'none';
  }

  /** Whether the user can decide: the message was not sent, or it hasn't been found so far. */
  get needsDecision(): boolean {
    return needsDecision(this.toEntry());
  }

  /** Whether the user let later messages be sent before deciding about this one. */
  get isPassed(): boolean {
    return this.#stored.isPassed === true;
  }

  /** Whether the message is outside the delivery order; see {@link isScheduled}. */
  get isScheduled(): boolean {
    return isScheduled(this.#stored);
  }

  /** Whether a search should start in this window if it owns the queue. */
  get isSearchDue(): boolean {
    return this.#state.kind === 'unknown' && this.#state.search === 'due';
  }

  /** The ID of the message that was found for an unknown entry; undefined once the entry is accepted. */
  get foundMessageId(): string | undefined {
    const found = this.#state.kind === 'unknown' ? this.#state.foundMessageId : undefined;
    // Meanwhile, another window may have learned that the message belongs to another entry.
    return found !== undefined && this.#stored.attempt?.knownMessageIds.includes(found) === true ? undefined : found;
  }

  /** The ID of the listed message that was probably created from this one (R33). */
  get candidateMessageId(): string | undefined {
    return 'candidateMessageId' in this.#state ? this.#state.candidateMessageId : undefined;
  }

  /** Whether the message is accepted and hidden because the conversation already lists it. */
  get isHidden(): boolean {
    return this.#state.kind === 'accepted' && this.#state.isHidden;
  }

  /** The agent's status after the message was accepted; undefined if unknown or not accepted. */
  get status(): SessionStatus | undefined {
    return this.#state.kind === 'accepted' ? this.#state.status : undefined;
  }

  /** Whether the window in which the message was typed still has time to send it. */
  get isLeftToOthers(): boolean {
    return this.#othersTurn !== undefined;
  }

  /**
   * The outcome of an interrupted attempt: `uncertain` unless this window remembers that it sent nothing. `canceled`:
   * the user had stopped that attempt.
   */
  get interruptedAttempt(): 'unsent' | 'canceled' | 'uncertain' {
    const attemptId = this.#stored.attempt?.attemptId;
    if (attemptId === undefined || attemptId !== this.#unsentAttempt?.attemptId) return 'uncertain';
    return this.#unsentAttempt.isCanceled ? 'canceled' : 'unsent';
  }

  hold(): void {
    this.#isHeld = true;
  }

  endHold(): void {
    this.#isHeld = false;
  }

  /** For `forMs`, reserves the message for the window in which it was typed; then calls `onOver`. */
  leaveToOthers(clock: Clock, forMs: number, onOver: () => void): void {
    this.#othersTurn = clock.after(forMs, () => {
      this.#othersTurn = undefined;
      onOver();
    });
  }

  /** Starts an attempt by this window. @returns the signal that stops it. */
  startSending(attempt: SendAttempt): AbortSignal {
    this.#change('sending', { attempt });
    const request = new AbortController();
    if (this.#state.kind === 'sending') this.#state.request = request;
    return request.signal;
  }

  /** Records that the request of this window has ended; its outcome is applied next. */
  endRequest(): void {
    if (this.#state.kind === 'sending') this.#state.request = undefined;
  }

  /** Sets the progress, from 0 to 1; undefined if the size is not known. */
  setProgress(progress: number | undefined): void {
    if (this.#state.kind === 'sending') this.#state.progress = progress;
  }

  /** Cancels the current attempt at the user's request. Its outcome is determined as for any interrupted request. */
  cancelRequest(): void {
    if (this.#state.kind === 'sending') this.#state.isCanceled = true;
    this.abortRequest();
  }

  /** Aborts the request of this window, if there is one. */
  abortRequest(): void {
    if (this.#state.kind === 'sending') this.#state.request?.abort();
  }

  /** Records that an attempt of this window sent nothing. Call this if the window lost the queue during the attempt. */
  rememberUnsent({ attemptId }: SendAttempt): void {
    this.#unsentAttempt = { attemptId, isCanceled: this.isCanceled };
  }

  /** Applies the outcome of an attempt. @throws Error for a transition that R29 does not list. */
  apply(transition: Transition): void {
    if (transition.to === 'accepted') this.#accept(transition.added);
    else this.#change(transition.to, { problem: transition.failure });
  }

  /** Accepts a message whose attempt ended after the window lost the queue, regardless of changes by other windows. */
  acceptLate({ messageId, status }: AddedMessage): void {
    this.applyRemoteChange({ ...this.#stored, state: 'accepted', messageId, problem: undefined }, status);
  }

  /** Queues the message again at the user's request. @throws Error if it is neither unknown nor not sent. */
  requeue(): void {
    if (this.state === 'unknown') this.#change('notSent', {});
    this.#stored = { ...this.#stored, isRescued: undefined, isPassed: undefined };
    this.#change('queued', {});
  }

  /** Replaces what a scheduled message waits for. `scheduledBy`: the computer on which the user requested that. */
  reschedule(after: SendCondition, scheduledBy: Scheduler): void {
    if (this.state === 'notSent') this.#change('queued', {});
    this.#stored = { ...this.#stored, after, scheduledBy, isPassed: undefined };
  }

  /** Puts a scheduled message in the delivery order. */
  join(order: number, when: SendTime | undefined): void {
    if (this.state === 'notSent') this.#change('queued', {});
    this.#stored = { ...this.#stored, after: undefined, scheduledBy: undefined, order, when, isPassed: undefined };
  }

  /** Lets the message be sent even if the agent may be working, at the user's request. */
  hurry(): void {
    this.#stored = { ...this.#stored, when: 'now' };
  }

  /** Records that the condition of a scheduled message can't be met anymore, so that the user has to decide. */
  miss(): void {
    this.#change('notSent', {});
  }

  /** Lets the user decide about a message that waited for a service that isn't the current one. `at` is Unix ms. */
  ask(at: number): void {
    this.#change('notSent', { problem: { kind: 'cancelled', code: otherServiceCode, at } });
  }

  /** Records that the user chose to send the message, whichever service is the current one. */
  allowWhileConnected(): void {
    this.#stored = { ...this.#stored, whileConnected: true };
  }

  /** Marks the message as gone because it leaves the queue. @throws Error for a transition that R29 does not list. */
  remove(): void {
    assertTransition(this.state, 'gone');
    this.forget();
  }

  /** Discards the message at the user's request. @throws Error for a transition that R29 does not list. */
  discard(): void {
    if (this.state === 'unknown') this.#change('notSent', {});
    this.remove();
  }

  /** Marks the message as gone, for example because another window removed it. */
  forget(): void {
    this.#isGone = true;
    this.release();
  }

  /** Applies a change that another window wrote. `status`: the agent's current status, if known. */
  applyRemoteChange(stored: StoredEntry, status: SessionStatus | undefined): void {
    this.#stored = stored;
    this.stopSearch();
    this.#enter(stored.state);
    if (this.#state.kind === 'accepted') this.#state.status = status;
    this.requestSearch();
  }

  /** Whether the entry equals one that was read from disk. Undefined members, which aren't written, count as absent. */
  isSameAs(stored: StoredEntry): boolean {
    return sameValue(this.#stored, stored);
  }

  /** Whether `stored` was recovered from a damaged file, and this entry is complete. */
  isMoreCompleteThan(stored: StoredEntry): boolean {
    return stored.isRescued === true && stored.state === 'unknown' && !this.#stored.isRescued;
  }

  /** Records that this window wrote a version of the entry. */
  noteWritten(stored: StoredEntry): void {
    this.#written = stored;
  }

  /**
   * Prepares the entry for being written again at `at` (Unix ms), because its file is lost. If another window wrote the
   * last version, it may have sent the message since: then only the user decides whether to send it again.
   */
  restore(at: number): void {
    const { state } = this.#stored;
    if (this.#written === this.#stored || (state !== 'queued' && state !== 'sending')) return;
    this.applyRemoteChange(
      { ...this.#stored, state: 'unknown', after: undefined, problem: { kind: 'disk', code: lostCode, at } },
      undefined,
    );
  }

  hide(): void {
    if (this.#state.kind === 'accepted') this.#state.isHidden = true;
  }

  /** Schedules a search, unless one is running or was completed. */
  requestSearch(): void {
    const { attempt } = this.#stored;
    if (this.#state.kind !== 'unknown' || this.#state.search !== 'none' || !attempt || attempt.isSearched) return;
    this.#state.search = 'due';
  }

  startSearch(search: Disposable): void {
    if (this.#state.kind === 'unknown') this.#state.search = search;
    else search.dispose();
  }

  /** Ends the search; it can be requested again. */
  stopSearch(): void {
    if (this.#state.kind !== 'unknown') return;
    if (typeof this.#state.search === 'object') this.#state.search.dispose();
    this.#state.search = 'none';
  }

  /** Records that the first reads of a search didn't find the message, or that the service requested a long pause. */
  setDoubtful(): void {
    if (this.#state.kind === 'unknown') this.#state.isDoubtful = true;
  }

  /** Lets later messages be sent before the user decides about this one. */
  letOthersPass(): void {
    this.#stored = { ...this.#stored, isPassed: true };
  }

  /** Ends a search that did not find the message. It isn't searched for again, and the user can decide (R32). */
  completeSearch(): void {
    const { attempt } = this.#stored;
    if (attempt) this.#stored = { ...this.#stored, attempt: { ...attempt, isSearched: true } };
    this.stopSearch();
  }

  /** Records that a message belongs to another entry. @returns whether to save that; only an unknown entry needs it. */
  exclude(messageId: string): boolean {
    const { attempt } = this.#stored;
    const ids = this.state === 'unknown' && !this.#isHeld ? attempt?.knownMessageIds : undefined;
    if (!attempt || !ids || ids.includes(messageId)) return false;
    const wasFound = this.foundMessageId === messageId;
    this.#stored = { ...this.#stored, attempt: { ...attempt, knownMessageIds: [...ids, messageId] } };
    if (wasFound) this.requestSearch();
    return true;
  }

  /** Aborts a running search. The next window that owns the queue starts it again. */
  handSearchOver(): void {
    if (this.#state.kind !== 'unknown' || typeof this.#state.search !== 'object') return;
    this.stopSearch();
    this.#state.search = 'due';
  }

  /** Records the ID of the listed message that was created from an unknown entry. */
  setFound(messageId: string): void {
    this.stopSearch();
    if (this.#state.kind === 'unknown') this.#state.foundMessageId = messageId;
  }

  setCandidate(messageId: string | undefined): void {
    if ('candidateMessageId' in this.#state) this.#state.candidateMessageId = messageId;
  }

  /** The entry in the form in which the store holds it. */
  toEntry(): OutboxEntry {
    const { entryId, key, text, attachments, computerId, when, after, createdAt, messageId, problem } = this.#stored;
    return {
      entryId,
      key,
      text,
      attachments,
      computerId,
      when,
      after,
      createdAt,
      state: this.state,
      messageId,
      failure: problem,
      candidateMessageId: this.candidateMessageId,
      isSearching: this.isSearching,
      isDoubtful: this.#state.kind === 'unknown' && this.#state.isDoubtful,
      isPassed: this.isPassed,
      progress: this.#state.kind === 'sending' ? this.#state.progress : undefined,
    };
  }

  /** Stops all activity for the message. Its file is not changed. */
  release(): void {
    this.#othersTurn?.dispose();
    this.stopSearch();
    this.abortRequest();
  }

  #accept({ messageId, status }: AddedMessage): void {
    this.#change('accepted', { messageId });
    if (this.#state.kind === 'accepted') this.#state.status = status;
  }

  #change(state: OutboxState, change: Pick<Partial<StoredEntry>, 'attempt' | 'messageId' | 'problem'>): void {
    assertTransition(this.state, state);
    this.#stored = { ...this.#stored, problem: undefined, ...change, state };
    this.#enter(state);
  }

  #enter(state: OutboxState): void {
    this.stopSearch();
    this.#state = stateAfter(this.#state, state);
  }
}
