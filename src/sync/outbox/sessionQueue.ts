import type { Disposable } from '../../shared/lifecycle.ts';
import type { SendCondition } from '../../shared/protocol/vocabulary.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { ReleaseRequest } from '../lease/leaseFiles.ts';
import { type Ownership, type QueueFiles, QueueOwnership } from '../lease/queueOwnership.ts';
import { privateLease } from '../lease/sessionLease.ts';
import { EchoMatcher } from './echoMatcher.ts';
import type { StoredEntry } from './outboxFiles.ts';
import { QueueEntries } from './queueEntries.ts';
import type { QueuedMessage } from './queuedMessage.ts';
import { Schedule } from './schedule.ts';
import { SendGate } from './sendGate.ts';
import { type QueueServices, SendLoop } from './sendLoop.ts';

/**
 * The outgoing messages of one session. They are sent one at a time, in the order in which they were typed or their
 * conditions were met; messages after an unknown or unsent one wait until the user lets them pass (R30). Nothing is
 * sent or searched for while the session is not in the list. While another window owns the queue, memory follows the
 * files.
 */
export class SessionQueue implements Disposable {
  readonly key: SessionKey;
  readonly #services: QueueServices;
  readonly #queueFiles: QueueFiles;
  readonly #entries: QueueEntries;
  readonly #matcher: EchoMatcher;
  readonly #gate: SendGate;
  readonly #ownership: QueueOwnership;
  readonly #loop: SendLoop;
  readonly #schedule: Schedule;
  /** The number of the user's decisions that are being carried out. No other work starts in the meantime. */
  #decisions = 0;
  /** Resolves when this window has finished trying to own the queue. If `#isOwningDue` is set, it then tries again. */
  #owning: Promise<void> | undefined;
  #isOwningDue = false;
  #isDisposed = false;

  /** `queueFiles`: the files of all queues of this window. */
  constructor(key: SessionKey, services: QueueServices, queueFiles: QueueFiles) {
    this.key = key;
    this.#services = services;
    this.#queueFiles = queueFiles;
    const { store, clock, log, files, leases, agents, sendStates, changes } = services;
    const service = sendStates.of(key.origin);
    this.#entries = new QueueEntries(key, store, files, clock, log, changes);
    this.#matcher = new EchoMatcher(key, this.#entries, agents, store, service, clock);
    this.#gate = new SendGate(key, this.#entries, agents, store, service, clock);
    const lease = files.isSaved(key.origin) ? leases.create(key) : privateLease;
    this.#ownership = new QueueOwnership(lease, queueFiles, clock, log);
    this.#schedule = new Schedule(this.#entries, agents, store, service, files.host, clock);
    this.#loop = new SendLoop(services, queueFiles, service, this.#entries, this.#matcher, this.#gate, this.#ownership);
    this.#entries.onDidSave(() => this.#matchAndAdvance());
    this.#loop.onDidEndAttempt(() => this.#matchAndAdvance());
    this.#matcher.onDidDecide(() => this.advance());
    this.#gate.onDidEndPause(() => this.advance());
    this.#schedule.onDue(() => this.advance());
    this.#ownership.onDidChange((requests) => this.#handleRequests(requests));
  }

  get messages(): readonly QueuedMessage[] {
    return this.#entries.all;
  }

  /** Whether the session is in the session list. */
  get isListed(): boolean {
    return this.#services.store.record(this.key) !== undefined;
  }

  /** Whether a message of this queue waits for another session. */
  get awaitsSession(): boolean {
    return this.#schedule.awaitsSession;
  }

  /** Whether nothing can happen until an external change or the end of a pause. */
  get isStalled(): boolean {
    const { next } = this.#entries;
    if (next?.state === 'sending' || next?.isSearching || this.#loop.isChecking) return false;
    const awaitsOwnership = this.#owning !== undefined || this.#ownership.isBackingOff || this.#ownership.isElsewhere;
    return !(awaitsOwnership && this.#gate.isOpen && next?.stored.problem === undefined);
  }

  /** Adds a message at its place in the order. */
  add(message: QueuedMessage): void {
    this.#matcher.noteAcceptance(message);
    message.requestSearch();
    this.#entries.add(message);
    this.advance();
  }

  /** Removes a message that was never saved. */
  withdraw(message: QueuedMessage): void {
    this.#entries.remove(message);
    this.advance();
  }

  /**
   * Applies an entry as it is on disk. `stored` is undefined if a window removed the entry. The owner applies only
   * changes that other windows may make at any time: the removal of an entry, the acceptance of a message, and the
   * whole entry in place of one that was rescued from a damaged file. It also applies the outcome of an interrupted
   * attempt.
   */
  applyFromDisk(message: QueuedMessage, stored: StoredEntry | undefined): void {
    if (message.isHeld || message.isSendingHere || this.#entries.isUnsaved(message)) return;
    const isAccepted = message.state === 'accepted';
    if (stored && !isAccepted && message.isMoreCompleteThan(stored)) {
      this.handleLost(message);
      return;
    }
    this.#entries.setLost(message, false);
    if (isAccepted) {
      this.#entries.restoreAccepted(message, stored);
    } else if (!stored) {
      this.#entries.forget(message);
      this.#services.blobs.forget(message.stored.attachments);
      // The message may have been sent and accepted since its file was read.
      this.#services.agents.messageAccepted(this.key);
    } else if (!message.isSameAs(stored) && this.#mayApply(message, stored)) {
      this.#applyRemoteChange(message, stored);
    }
    this.advance();
  }

  /**
   * Keeps a message whose file was damaged, or removed by something other than a window. The owner writes it again
   * (R44).
   */
  handleLost(message: QueuedMessage): void {
    if (message.isHeld || message.isSendingHere || this.#entries.isUnsaved(message)) return;
    if (message.state !== 'accepted') this.#entries.setLost(message, true);
    this.advance();
  }

  /**
   * Continues after the session was added to the list or removed from it, or after the connection or an entry changed.
   */
  wake(): void {
    this.#gate.endPause();
    this.matchMessages();
    for (const message of this.#entries.all) {
      if (this.isListed) message.requestSearch();
      else message.stopSearch();
    }
    this.#entries.publishIfMissing();
    this.advance();
  }

  /**
   * Runs pending work if this window owns the queue. Acquires the ownership if there is work, and releases it if not.
   */
  advance(): void {
    if (this.#isDisposed) return;
    this.#schedule.check(this.isListed);
    if (this.#ownership.current) this.#work(this.#ownership.current);
    else if (this.#hasWork()) void this.#own();
    else if (!this.#owning) this.#ownership.stopWaiting();
    this.#entries.setAwaitingAgent(this.#gate.awaitingAgent);
    this.#announce();
  }

  /** Checks messages that arrived in the store, because some may be the echo of an entry. */
  matchMessages(): void {
    // Match first, so that a message never appears next to its own entry when an earlier entry is removed.
    this.#matcher.matchAll();
    this.#entries.removeListed();
  }

  /**
   * Runs a user's decision as the owner of the queue. If another window owns the queue, that window is asked to yield
   * it as soon as nothing is in flight. Resolves to undefined if this window couldn't become the owner in time. Rejects
   * with the error of `decision` or of the system.
   */
  async runDecision<T>(request: ReleaseRequest, decision: () => T | Promise<T>): Promise<T | undefined> {
    this.#decisions++;
    try {
      return (await this.#becomeOwner(request)) ? await decision() : undefined;
    } finally {
      this.#decisions--;
      this.advance();
    }
  }

  /** Queues a message again at the user's request. */
  sendAgain(message: QueuedMessage): void {
    if (message.isScheduled) {
      this.sendNow(message);
      return;
    }
    message.allowWhileConnected();
    message.requeue();
    this.#gate.resetFailures();
    this.#entries.save(message);
    this.wake();
  }

  /** Sends a scheduled or queued message now, even if the agent may be working, at the user's request. */
  sendNow(message: QueuedMessage): void {
    message.allowWhileConnected();
    if (message.isScheduled) this.#entries.join(message, 'now');
    else this.#entries.hurry(message);
    this.#gate.resetFailures();
    this.wake();
  }

  /** Changes what a scheduled message waits for, at the user's request. */
  reschedule(message: QueuedMessage, after: SendCondition): void {
    const { files, sendStates } = this.#services;
    message.allowWhileConnected();
    message.reschedule(after, sendStates.of(this.key.origin).scheduler(files.host));
    this.#entries.save(message);
    this.wake();
  }

  /** Lets later messages be sent before the user decides about this one, at the user's request. */
  letOthersPass(message: QueuedMessage): void {
    message.letOthersPass();
    this.#entries.save(message);
    this.wake();
  }

  /**
   * Removes a message at the user's request after `keep` has saved its content elsewhere. Resolves when its file is
   * gone. If either step fails, it rejects and the message stays in the queue; the function that `keep` returned is
   * called, so that the content isn't in two places.
   */
  async remove(message: QueuedMessage, keep: () => Promise<() => void>): Promise<void> {
    message.hold();
    message.stopSearch();
    let undoKeep: (() => void) | undefined;
    try {
      undoKeep = await keep();
      await this.#services.files.remove(message.entryId);
    } catch (error) {
      undoKeep?.();
      message.endHold();
      this.wake();
      throw error;
    }
    this.#entries.discard(message);
    await this.#services.blobs.release(message.stored.attachments);
    this.advance();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#schedule.dispose();
    this.#gate.dispose();
    this.#loop.dispose();
    this.#entries.dispose();
    this.#ownership.close(this.#entries.savesFinished());
  }

  /** Call this after `dispose`. Resolves when other windows can see that this window does not own the queue. */
  async released(): Promise<void> {
    await this.#owning;
    await this.#ownership.released();
  }

  /**
   * Tries to own the queue, unless this window is already trying. Resolves when it has succeeded or failed; immediately
   * if this window is waiting before it tries again.
   */
  #own(): Promise<void> {
    if (this.#ownership.isBackingOff) return Promise.resolve();
    // The lease may have become free since this window began to try.
    this.#isOwningDue = this.#owning !== undefined;
    this.#owning ??= this.#tryToOwn();
    return this.#owning;
  }

  async #tryToOwn(): Promise<void> {
    const ownership = await this.#ownership.own();
    if (ownership?.isCurrent) {
      ownership.lost.addEventListener('abort', () => this.#handleLoss());
      for (const message of this.#entries.all) if (message.state === 'accepted') this.#loop.excludeFromOthers(message);
      this.#loop.resolveInterruptedSends();
      this.#matchAndAdvance();
    }
    this.#owning = undefined;
    if (this.#isOwningDue || ownership?.isCurrent === false) this.advance();
    else this.#announce();
  }

  /**
   * Acquires the queue for a decision of the user. If another window owns it, asks that window to yield it. Resolves to
   * whether this window owns the queue.
   */
  async #becomeOwner(request: ReleaseRequest): Promise<boolean> {
    if (!this.#isOwner()) {
      this.#ownership.endBackoff();
      await this.#own();
    }
    if (!this.#isOwner()) await this.#ownership.request(request);
    return this.#isOwner();
  }

  #isOwner(): boolean {
    return this.#ownership.current !== undefined;
  }

  /** Stops everything that only the owner may do. Another window owns or may own the queue. */
  #handleLoss(): void {
    for (const message of this.#entries.all) {
      message.abortRequest();
      message.handSearchOver();
    }
    this.#entries.discardUnsaved();
    void Promise.allSettled([this.#queueFiles.reload()]).then(() => this.advance());
  }

  /**
   * Stops the messages that the user stopped in other windows. Then yields the queue if another window wants it, or
   * tries to own it if there is work.
   */
  #handleRequests(requests: readonly ReleaseRequest[]): void {
    for (const { cancelEntryId } of requests) {
      const message = cancelEntryId === undefined ? undefined : this.#entries.find(cancelEntryId);
      if (message?.isSendingHere) message.cancelRequest();
    }
    this.advance();
  }

  #announce(): void {
    this.#services.changes.fire(undefined);
  }

  #matchAndAdvance(): void {
    this.matchMessages();
    this.advance();
  }

  /** Whether there is work that only the owner may do. */
  #hasWork(): boolean {
    if (this.#decisions > 0 || this.#entries.hasLost) return true;
    if (!this.isListed) return false;
    if (this.#schedule.hasWork || this.#gate.askedFirst) return true;
    const isPending = ({ state, isSearching, foundMessageId }: QueuedMessage) =>
      state === 'sending' || isSearching || foundMessageId !== undefined;
    return this.#entries.all.some(isPending) || (this.#gate.isOpen && !this.#entries.next?.isLeftToOthers);
  }

  #work(ownership: Ownership): void {
    if (this.#decisions > 0) return;
    this.#entries.restoreLost();
    if (this.#ownership.isWanted) {
      for (const message of this.#entries.all) message.handSearchOver();
    } else {
      this.#schedule.apply();
      const { askedFirst } = this.#gate;
      if (askedFirst) this.#entries.ask(askedFirst);
      for (const message of this.#entries.all) this.#resolveUnknown(message);
      this.#loop.sendNext(ownership);
    }
    if (this.#entries.isSendingHere || this.#entries.hasUnsaved) return;
    if (this.#ownership.isWanted) void this.#ownership.yield().then(() => this.advance());
    else if (!this.#hasWork()) void this.#ownership.release().then(() => this.advance());
  }

  /** Accepts an unknown message that was found, or else starts the search for it. */
  #resolveUnknown(message: QueuedMessage): void {
    const { foundMessageId } = message;
    if (foundMessageId === undefined) this.#matcher.search(message);
    else this.#loop.accept(message, { messageId: foundMessageId, status: this.#sessionStatus ?? 'unknown' });
  }

  #mayApply(message: QueuedMessage, stored: StoredEntry): boolean {
    if (!this.#ownership.current || stored.state === 'accepted') return true;
    // The queue was lost during this attempt, and another window may have resolved it.
    if (message.state === 'sending') return true;
    return message.stored.isRescued === true && !stored.isRescued;
  }

  #applyRemoteChange(message: QueuedMessage, stored: StoredEntry): void {
    message.applyRemoteChange(stored, this.#sessionStatus);
    this.#matcher.noteAcceptance(message);
    this.#entries.publish();
    if (this.#isOwner()) this.#loop.excludeFromOthers(message);
    this.#entries.removeListed();
  }

  get #sessionStatus() {
    return this.#services.store.record(this.key)?.session?.status;
  }
}
