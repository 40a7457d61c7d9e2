import { ApiError } from '../../api/errors.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import type { QueueOwnership, Term } from '../lease/queueOwnership.ts';
import { beginAttempt, outgoingMessageOf } from './attempt.ts';
import { judgeFailure, type LaneParts, type SendOutcomes, type SendOutcome } from './outcomes.ts';
import type { QueueContext } from './queueContext.ts';
import type { QueuedMessage } from './queuedMessage.ts';
import { isAgentFree } from './sendGate.ts';

/** Progress is told at most this often. */
const progressEveryMs = 100;

/**
 * One attempt to send: the entry, already `sending`, is synced to disk and its bytes are checked before the first byte
 * leaves (R34), and just before that `confirm` says whether it is still for this window to send it (R35). Never rejects.
 */
export async function sendOnce(
  item: QueuedMessage,
  api: SessionsApi,
  context: QueueContext,
  signal: AbortSignal,
  confirm: () => Promise<boolean>,
  onProgress: () => void,
): Promise<SendOutcome> {
  const { stored } = item;
  const stopped = () => new ApiError('cancelled', 'stopped before sending', { sent: 'no' });
  try {
    // What another window has made of the entry meanwhile must not be written over.
    if (!(await confirm())) return { kind: 'retry', error: stopped() };
    await context.files.save(stored);
    for (const attachment of stored.attachments) {
      const isIntact = await context.blobs.isIntact(attachment, signal);
      if (!isIntact && !signal.aborted) throw new Error('the bytes of an attachment are damaged');
    }
  } catch (error) {
    return { kind: 'notSent', error };
  }
  // Last of all: between this and the first byte nothing is waited for on our side.
  if (!(await confirm()) || signal.aborted || !context.store.record(stored.key)) {
    return { kind: 'retry', error: stopped() };
  }
  try {
    const options = { signal, onProgress: throttledProgress(item, context, onProgress) };
    const added = await api.addMessage(stored.key.sessionId, outgoingMessageOf(stored, context.blobs), options);
    return { kind: 'accepted', added };
  } catch (error) {
    return judgeFailure(error);
  }
}

function throttledProgress(item: QueuedMessage, { clock }: QueueContext, onProgress: () => void) {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (sentBytes: number, totalBytes: number) => {
    if (item.state !== 'sending' || clock.now() - toldAt < progressEveryMs) return;
    toldAt = clock.now();
    item.progress = totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : undefined;
    onProgress();
  };
}

/** Sends the messages of a session, one at a time. */
export class SendLoop {
  readonly #parts: LaneParts;
  readonly #charge: QueueOwnership;
  readonly #results: SendOutcomes;
  readonly #onEnd: () => void;
  #isLooking = false;
  #isDisposed = false;

  /** `onEnd`: an attempt ended, and what is known of it is in the entry. */
  constructor(parts: LaneParts, charge: QueueOwnership, results: SendOutcomes, onEnd: () => void) {
    this.#parts = parts;
    this.#charge = charge;
    this.#results = results;
    this.#onEnd = onEnd;
  }

  /** Whether the first message may go, as soon as no pause is on. */
  get isReady(): boolean {
    return this.#api() !== undefined;
  }

  /** Whether the first message goes as soon as it is known that no window was asked to wait. */
  get isLooking(): boolean {
    return this.#isLooking;
  }

  /** Sends the first message, if it may go now: no window was asked for a pause that is not over. */
  sendNext(term: Term): void {
    const { key, context } = this.#parts;
    const { pauses } = context;
    if (!pauses) this.#sendNow(term);
    if (!pauses || this.#isLooking || !this.isReady || this.#parts.pause.isOn) return;
    this.#isLooking = true;
    void pauses.refresh(key.origin).then(() => {
      this.#isLooking = false;
      const facts = context.factsOf(key.origin);
      facts.notBefore = Math.max(facts.notBefore, pauses.askedUntil(key.origin));
      // Who is in charge, and of what, may have changed meanwhile.
      if (this.#charge.term && !this.#isDisposed) this.#sendNow(this.#charge.term);
      context.announce();
    });
  }

  #sendNow(term: Term): void {
    const { head } = this.#parts.items;
    const api = this.#api();
    if (head && api && !this.#parts.pause.isOn) void this.#send(head, api, term);
  }

  /** Nothing is told any more. */
  dispose(): void {
    this.#isDisposed = true;
  }

  /** The client for the first message. */
  #api(): SessionsApi | undefined {
    const { key, context, items } = this.#parts;
    const { head } = items;
    if (head?.state !== 'queued' || head.isHeld || items.isSendingHere) return undefined;
    const record = context.store.record(key);
    if (!record || context.factsOf(key.origin).isKeyRefused) return undefined;
    if (this.#isToWait(head) && !isAgentFree(record, this.#results.acceptedAt)) return undefined;
    return context.apiFor(key.origin);
  }

  /**
   * Whether the first message waits for an idle agent. Messages keep their order, so one that the person wants sent now
   * takes those before it along.
   */
  #isToWait(head: QueuedMessage): boolean {
    const { context, items } = this.#parts;
    if (items.all.some(({ state, stored }) => state === 'queued' && stored.when === 'now')) return false;
    return (head.stored.when ?? (context.isWhenIdle() ? 'whenIdle' : 'now')) === 'whenIdle';
  }

  async #send(item: QueuedMessage, api: SessionsApi, term: Term): Promise<void> {
    const { key, context, items, claims } = this.#parts;
    const { store, clock, clocks } = context;
    const record = store.record(key);
    if (!record) return;
    const attempt = beginAttempt(record, clock.now(), clocks.offsetMs(key.origin), claims.claimedIds);
    const abort = new AbortController();
    item.abort = abort;
    item.isCancelled = false;
    item.move('sending', { attempt });
    items.show();
    const confirm = () => this.#charge.confirm(term);
    const outcome = await sendOnce(item, api, context, abort.signal, confirm, () => items.show());
    item.abort = undefined;
    if (this.#isDisposed) return;
    if (item.state === 'sending' && item.stored.attempt === attempt && this.#charge.term) {
      this.#results.take(item, outcome);
    } else {
      this.#results.takeLate(item, attempt, outcome);
      await context.refold().catch(() => undefined);
      if (this.#charge.term) this.#results.settleLeftovers();
    }
    this.#onEnd();
  }
}
