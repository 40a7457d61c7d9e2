import { ApiError } from '../../api/errors.ts';
import type { AddedMessage, SessionsApi } from '../../api/sessionsApi.ts';
import { Emitter } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { isOffline } from '../../state/store/connection.ts';
import { isNetworkFailure } from '../../state/store/failure.ts';
import type { Store } from '../../state/store/store.ts';
import { isRetriedRead } from '../connection/backoff.ts';
import type { Ownership, QueueFiles, QueueOwnership } from '../lease/queueOwnership.ts';
import type { SessionLeases } from '../lease/sessionLease.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Clock } from '../storage/clock.ts';
import type { Agents } from './agents.ts';
import { createAttempt, outgoingMessageOf } from './attempt.ts';
import type { EchoMatcher } from './echoMatcher.ts';
import { type ImageForm, type ImageForms, imageFormOf, isImageFormRejected, otherForm } from './imageForms.ts';
import { judgeFailure, type SendOutcome, transitionAfter, transitionAfterInterruption } from './outcomes.ts';
import type { OutboxFiles, SendAttempt } from './outboxFiles.ts';
import type { QueueEntries } from './queueEntries.ts';
import type { QueuedMessage } from './queuedMessage.ts';
import type { SendGate, ServiceSendState, ServiceSendStates } from './sendGate.ts';
import type { SentFiles } from './sentFiles.ts';

/** The minimum interval between progress updates. */
const progressIntervalMs = 100;
/** The longest time that a probe delays a message. Other windows wait longer than this for the queue to be yielded. */
const probeMs = 10_000;

/** The dependencies shared by all queues of a window. */
export interface QueueServices {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly log: Log;
  readonly files: OutboxFiles;
  readonly leases: SessionLeases;
  readonly sendStates: ServiceSendStates;
  readonly imageForms: ImageForms;
  readonly agents: Agents;
  /** If absent, the attachments of sent messages are not recorded. */
  readonly sentFiles: SentFiles | undefined;
  /**
   * Fires when callers that wait for an outcome should check again, because an entry, or the reason why it isn't sent
   * yet, may have changed.
   */
  readonly changes: Emitter<undefined>;
}

/** Sends the messages of a session, one at a time, and applies the outcome of each attempt. */
export class SendLoop {
  readonly #services: QueueServices;
  readonly #queueFiles: QueueFiles;
  readonly #service: ServiceSendState;
  readonly #entries: QueueEntries;
  readonly #matcher: EchoMatcher;
  readonly #gate: SendGate;
  readonly #ownership: QueueOwnership;
  readonly #ended = new Emitter<undefined>();
  #isChecking = false;
  #isDisposed = false;

  constructor(
    services: QueueServices,
    queueFiles: QueueFiles,
    service: ServiceSendState,
    entries: QueueEntries,
    matcher: EchoMatcher,
    gate: SendGate,
    ownership: QueueOwnership,
  ) {
    this.#services = services;
    this.#queueFiles = queueFiles;
    this.#service = service;
    this.#entries = entries;
    this.#matcher = matcher;
    this.#gate = gate;
    this.#ownership = ownership;
  }

  /** Fires when an attempt has ended and its outcome has been applied. */
  readonly onDidEndAttempt = this.#ended.event;

  /**
   * Whether the pauses that other windows recorded, or the service itself, are being checked before the next attempt.
   */
  get isChecking(): boolean {
    return this.#isChecking;
  }

  /**
   * Sends the next message if it may be sent now and no window has recorded a pause. If the service was unreachable,
   * probes it first.
   */
  sendNext(ownership: Ownership): void {
    if (!this.#service.sharesPauses && !this.#isUnreachable()) this.#sendNow(ownership);
    else if (!this.#isChecking && this.#gate.isOpen && !this.#gate.checkPause()) void this.#checkAndSend();
  }

  /** Accepts a message that the service has, according to its response or the list. */
  accept(message: QueuedMessage, added: AddedMessage): void {
    this.#service.learnClock(added.serverTimeMs);
    message.apply({ to: 'accepted', added });
    this.#matcher.noteAcceptance(message);
    this.#entries.save(message);
    this.excludeFromOthers(message);
    this.#services.sentFiles?.note(message.stored);
    this.#entries.removeListed();
  }

  /**
   * Records and saves in each unknown entry that the message of this accepted entry isn't its own, because nothing else
   * shows that after the accepted entry is removed. Call this before the removal, while this window owns the queue.
   */
  excludeFromOthers({ stored: { messageId } }: QueuedMessage): void {
    if (messageId === undefined) return;
    for (const other of this.#entries.all) if (other.exclude(messageId)) this.#entries.save(other);
  }

  /** Resolves messages whose window ended, or lost the queue, while sending them (R34). */
  resolveInterruptedSends(): void {
    for (const message of this.#entries.all) {
      if (message.state !== 'sending' || message.isSendingHere) continue;
      message.apply(transitionAfterInterruption(message.interruptedAttempt, this.#services.clock.now()));
      message.requestSearch();
      this.#matcher.excludeClaimed(message);
      this.#entries.save(message);
    }
  }

  /** Ignores all outcomes from now on; the next owner resolves them. */
  dispose(): void {
    this.#isDisposed = true;
  }

  async #checkAndSend(): Promise<void> {
    this.#isChecking = true;
    await this.#service.refreshPauses();
    const failure = await this.#probe();
    this.#isChecking = false;
    // The owner, the next message, and whether it may be sent may have changed in the meantime.
    if (this.#ownership.current && !this.#isDisposed) this.#sendNow(this.#ownership.current, failure);
    this.#services.changes.fire(undefined);
  }

  /** `failure`: why the message can't be sent, if a probe of the service failed. */
  #sendNow(ownership: Ownership, failure?: ApiError): void {
    const { next } = this.#entries;
    const { api } = this.#gate;
    if (next && api && !this.#gate.checkPause()) void this.#send(next, api, ownership, failure);
  }

  /** Whether the service of the next message couldn't be reached at the last refresh. */
  #isUnreachable(): boolean {
    const { store } = this.#services;
    const key = this.#entries.next?.stored.key;
    return (
      key !== undefined && (isNetworkFailure(store.record(key)?.failure) || isOffline(store.recordsOf(key.origin)))
    );
  }

  /**
   * Reads the session before a POST if the service was unreachable. A connection that drops during a POST leaves the
   * outcome unknown; one that drops during a read doesn't. Resolves to the reason not to send, if there is one.
   */
  async #probe(): Promise<ApiError | undefined> {
    const { store, clock } = this.#services;
    const { api } = this.#gate;
    const key = this.#entries.next?.stored.key;
    if (!key || !api || !this.#isUnreachable()) return undefined;
    const signal = AbortSignal.timeout(probeMs);
    const requestNumber = store.countRequest();
    try {
      const computerId = store.record(key)?.listEntry.computerId;
      const session = await api.getSession(key.sessionId, { computerId, signal });
      // Whether the agent is idle may have changed while the service was unreachable.
      const known = store.record(key)?.session?.updatedAt ?? 0;
      if (session.updatedAt >= known) store.takeSession(key, session, clock.now(), requestNumber);
      return undefined;
    } catch (error) {
      if (signal.aborted) return new ApiError('deadline', 'the probe took too long', { sent: 'no', cause: error });
      // The POST reports other errors, such as a rejected key.
      return error instanceof ApiError && isRetriedRead(error) ? error : undefined;
    }
  }

  async #send(message: QueuedMessage, api: SessionsApi, ownership: Ownership, failure?: ApiError): Promise<void> {
    const { store, clock } = this.#services;
    const record = store.record(message.stored.key);
    if (!record) return;
    const attempt = createAttempt(record, clock.now(), this.#service.clockOffsetMs, this.#matcher.claimedIds);
    this.#services.agents.messageStarts(message.stored.key);
    const signal = message.startSending(attempt);
    this.#entries.publish();
    const outcome: SendOutcome = failure
      ? { kind: 'retry', error: failure }
      : await this.#attempt(message, api, signal, ownership);
    message.endRequest();
    if (this.#isDisposed) return;
    if (message.state === 'sending' && message.stored.attempt === attempt && ownership.isCurrent) {
      this.#handleOutcome(message, outcome);
    } else {
      this.#handleLateOutcome(message, attempt, outcome);
      await this.#queueFiles.reload().catch(() => undefined);
      if (this.#ownership.current) this.resolveInterruptedSends();
    }
    this.#ended.fire(undefined);
  }

  /**
   * Runs one attempt. The entry is saved as "sending", and its attachments are checked, before the first byte is sent
   * (R34). After the API key was read, and immediately before the first byte, the ownership is confirmed on disk (R35).
   * If the service rejects the form of the images, the message is sent once more in the other form. Never rejects.
   */
  async #attempt(
    message: QueuedMessage,
    api: SessionsApi,
    signal: AbortSignal,
    ownership: Ownership,
  ): Promise<SendOutcome> {
    const { files, blobs, imageForms } = this.#services;
    const { stored } = message;
    let form: ImageForm;
    try {
      // Confirm before saving, so that the save does not overwrite a newer state from another window.
      if (!(await ownership.confirm())) return stoppedBeforeSending();
      await files.save(stored);
      message.noteWritten(stored);
      form = await imageFormOf(stored, imageForms);
      for (const attachment of stored.attachments) {
        const isIntact = await blobs.isIntact(attachment, signal);
        if (!isIntact && !signal.aborted) throw new Error('an attachment is damaged');
      }
    } catch (error) {
      return { kind: 'notSent', error };
    }
    const outcome = await this.#post(message, api, signal, ownership, form);
    if (!isImageFormRejected(outcome, stored)) return outcome;
    const second = await this.#post(message, api, signal, ownership, otherForm(form));
    if (second.kind === 'accepted') void imageForms.learn(stored.key.origin, otherForm(form));
    // If neither form is accepted, the form isn't the reason, and the first response explains the rejection.
    return second.kind === 'notSent' ? outcome : second;
  }

  async #post(
    message: QueuedMessage,
    api: SessionsApi,
    signal: AbortSignal,
    ownership: Ownership,
    form: ImageForm,
  ): Promise<SendOutcome> {
    const { blobs, store } = this.#services;
    const { stored } = message;
    const mayStart = async () =>
      (await ownership.confirm()) && !signal.aborted && store.record(stored.key) !== undefined;
    if (!(await mayStart())) return stoppedBeforeSending();
    try {
      // The client asks again, so that as little as possible happens between the check and the first byte.
      const options = { signal, mayStart, onProgress: this.#progressOf(message) };
      const added = await api.addMessage(stored.key.sessionId, outgoingMessageOf(stored, blobs, form), options);
      return { kind: 'accepted', added };
    } catch (error) {
      return judgeFailure(error);
    }
  }

  #progressOf(message: QueuedMessage) {
    const { clock } = this.#services;
    let updatedAt = Number.NEGATIVE_INFINITY;
    return (sentBytes: number, totalBytes: number) => {
      if (message.state !== 'sending' || clock.now() - updatedAt < progressIntervalMs) return;
      updatedAt = clock.now();
      message.setProgress(totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : undefined);
      this.#entries.publish();
    };
  }

  /** Applies an outcome while this window still owns the queue, without having lost it since the attempt began. */
  #handleOutcome(message: QueuedMessage, outcome: SendOutcome): void {
    if (outcome.kind === 'accepted') {
      this.#gate.resetFailures();
      this.accept(message, outcome.added);
      return;
    }
    const { clock, log } = this.#services;
    log.info(`outbox: ${outcome.kind}: ${reasonOf(outcome.error)}`);
    const transition = transitionAfter(outcome, message.isCanceled, clock.now());
    message.apply(transition);
    message.requestSearch();
    this.#matcher.excludeClaimed(message);
    if (transition.to === 'unknown' && transition.failure.retryAfterMs !== undefined) {
      this.#service.pauseRequested(transition.failure.retryAfterMs);
    }
    if (transition.to === 'queued') {
      // The rejected key may have been replaced since the request was sent. The connection then stays ready.
      const isReady = this.#services.store.connectionOf(message.stored.key.origin).kind === 'ready';
      this.#service.isKeyRejected ||= outcome.kind === 'keyRejected' && !isReady;
      this.#gate.attemptFailed(transition.failure.retryAfterMs);
    }
    this.#entries.save(message);
  }

  /**
   * Applies an outcome after this window lost the queue. A message that the service accepted is still marked as
   * accepted.
   */
  #handleLateOutcome(message: QueuedMessage, attempt: SendAttempt, outcome: SendOutcome): void {
    if (outcome.kind === 'retry') message.rememberUnsent(attempt);
    if (outcome.kind !== 'accepted' || message.isGone || message.state === 'accepted') return;
    message.acceptLate(outcome.added);
    this.#matcher.noteAcceptance(message);
    this.#entries.save(message);
    if (this.#ownership.current) this.excludeFromOthers(message);
    this.#entries.removeListed();
  }
}

function stoppedBeforeSending(): SendOutcome {
  return { kind: 'retry', error: new ApiError('cancelled', 'stopped before sending', { sent: 'no' }) };
}
