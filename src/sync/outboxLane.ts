import type { AddedMessage, SessionsApi } from '../api/sessionsApi.ts';
import type { Disposable } from '../events.ts';
import { reasonOf } from '../log.ts';
import type { OutboxEntry } from '../state/outboxEntry.ts';
import { assertTransition } from '../state/outboxEntry.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import type { LaneContext, ServiceFacts } from './laneContext.ts';
import { MessageClaims } from './messageClaims.ts';
import { MessageFinder } from './messageFinder.ts';
import type { OutgoingItem } from './outgoingItem.ts';
import { failureProblem, takeKeyRefusal } from './sendProblem.ts';
import { beginAttempt } from './sendAttempt.ts';
import { sendOnce } from './sendOnce.ts';
import type { SendOutcome } from './sendOutcome.ts';
import { SendPause } from './sendPause.ts';

/**
 * The outgoing messages of one session, in the order typed. One is in flight at a time; after one that is unknown or not
 * sent the later ones wait (R30). A session that is not on the deck is left alone.
 */
export class OutboxLane implements Disposable {
  readonly key: SessionKey;
  readonly #context: LaneContext;
  readonly #facts: ServiceFacts;
  readonly #pause: SendPause;
  readonly #claims: MessageClaims;
  readonly #finder: MessageFinder;
  #items: OutgoingItem[] = [];
  #shown: readonly OutboxEntry[] | undefined;
  #isDisposed = false;

  constructor(key: SessionKey, context: LaneContext) {
    this.key = key;
    this.#context = context;
    this.#facts = context.factsOf(key.origin);
    this.#pause = new SendPause(context.clock, this.#facts, () => this.go());
    this.#claims = new MessageClaims(key, context);
    this.#finder = new MessageFinder(key, context, this.#claims, {
      found: (item, messageId) => this.#found(item, messageId),
      changed: () => this.show(),
      ended: (item) => {
        this.#context.files.saveLater(item.stored);
        this.show();
      },
    });
  }

  get items(): readonly OutgoingItem[] {
    return this.#items;
  }

  /** Whether nothing will move by itself until something outside changes, or a pause is over. */
  get isStalled(): boolean {
    const head = this.#head();
    return head?.state !== 'sending' && head?.search === undefined;
  }

  /** Takes a message over at its place in the order. It is sent at once unless it is held. */
  add(item: OutgoingItem): void {
    const { messageId, order } = item.stored;
    if (messageId !== undefined) this.#claims.claim(messageId, item);
    const after = this.#items.findLastIndex((other) => other.stored.order < order);
    this.#items.splice(after + 1, 0, item);
    this.show();
  }

  /** Goes on with what was waiting: the session is on the deck, the connection or an entry changed. */
  wake(): void {
    this.#pause.cut();
    this.noticeMessages();
    for (const item of this.#items) {
      if (this.#isOnDeck()) this.#finder.search(item);
      else item.endSearch(false);
    }
    if (this.#shown !== this.#context.store.record(this.key)?.outbox) this.show();
    this.go();
  }

  /** Sends the next message, if it may go now. */
  go(): void {
    if (this.#isDisposed) return;
    const head = this.#head();
    const canGo = head?.state === 'queued' && !head.isHeld && this.#isOnDeck() && !this.#facts.isKeyRefused;
    const api = canGo && !this.#pause.isOn ? this.#context.apiFor(this.key.origin) : undefined;
    if (head && api) void this.#send(head, api);
    else this.#context.announce();
  }

  /** Messages came into the store: some entries may have been seen. */
  noticeMessages(): void {
    // First, so that no message is shown beside its entry when one before it goes.
    for (const item of this.#items) this.#finder.matchEcho(item);
    this.#confirm();
  }

  /** A message may go out again by the user's decision. */
  sendAgain(item: OutgoingItem): void {
    if (item.state === 'unknown') item.move('notSent', { problem: item.stored.problem });
    item.move('queued');
    this.#pause.forgetFailures();
    this.#context.files.saveLater(item.stored);
    this.wake();
  }

  /** Stops the attempt under way; what became of it is found out as after any broken attempt. */
  stopSending(item: OutgoingItem): void {
    item.isCancelled = true;
    item.abort?.abort();
  }

  /**
   * Takes a message out of the queue, after `keep` has put its content elsewhere. Resolves when its file is gone; when
   * that or `keep` fails, it rejects and the message stays where it was.
   */
  async remove(item: OutgoingItem, keep: () => Promise<void>): Promise<void> {
    item.isHeld = true;
    item.endSearch(false);
    try {
      await keep();
      await this.#context.files.remove(item.entryId);
    } catch (error) {
      item.isHeld = false;
      this.wake();
      throw error;
    }
    if (item.state === 'unknown') item.move('notSent');
    this.#drop(item);
    await this.#context.blobs.release(item.stored.attachments);
    this.go();
  }

  /** Takes out what was never on disk. */
  withdraw(item: OutgoingItem): void {
    this.#drop(item);
    this.go();
  }

  /** Puts the lane into the store, where the session is on the deck. */
  show(): void {
    if (this.#isDisposed) return;
    this.#shown = this.#items.map((item) => item.toEntry());
    this.#context.store.setOutbox(this.key, this.#shown);
    this.#context.announce();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#pause.dispose();
    for (const item of this.#items) item.release();
  }

  #isOnDeck(): boolean {
    return this.#context.store.record(this.key) !== undefined;
  }

  /** The first message that is not through. */
  #head(): OutgoingItem | undefined {
    return this.#items.find((item) => item.state !== 'accepted');
  }

  async #send(item: OutgoingItem, api: SessionsApi): Promise<void> {
    const { store, clock } = this.#context;
    const record = store.record(this.key);
    if (!record) return;
    const attempt = beginAttempt(record, clock.now(), this.#facts.serverOffsetMs, this.#claims.claimedIds);
    const abort = new AbortController();
    item.abort = abort;
    item.isCancelled = false;
    item.move('sending', { attempt });
    this.show();
    const outcome = await sendOnce(item, api, this.#context, abort.signal, () => this.show());
    item.abort = undefined;
    if (this.#isDisposed) return;
    this.#take(item, outcome);
    this.go();
  }

  #take(item: OutgoingItem, outcome: SendOutcome): void {
    if (outcome.kind === 'accepted') {
      this.#pause.forgetFailures();
      this.#accept(item, outcome.added);
      return;
    }
    const { clock, log } = this.#context;
    const problem = failureProblem(outcome, clock.now());
    log.info(`outbox: ${outcome.kind}: ${reasonOf(outcome.error)}`);
    if (outcome.kind === 'unknown') {
      item.move('unknown', { problem });
      this.#finder.search(item);
      this.#finder.matchEcho(item);
    } else if (outcome.kind === 'notSent' || item.isCancelled) {
      item.move('notSent', { problem });
    } else {
      item.move('queued', { problem });
      this.#facts.isKeyRefused ||= outcome.kind === 'keyRefused';
      this.#pause.begin(problem.retryAfterMs);
    }
    this.show();
    this.#context.files.saveLater(item.stored);
    if (outcome.kind === 'keyRefused') takeKeyRefusal(this.#context.store, this.key.origin, problem);
  }

  #found(item: OutgoingItem, messageId: string): void {
    const status = this.#context.store.record(this.key)?.session?.status ?? 'unknown';
    this.#accept(item, { messageId, status });
    this.go();
  }

  /** The service has the message, by its own word or because it was found. */
  #accept(item: OutgoingItem, { messageId, status, serverTimeMs }: AddedMessage): void {
    if (serverTimeMs !== undefined) this.#facts.serverOffsetMs = serverTimeMs - this.#context.clock.now();
    this.#claims.claim(messageId, item);
    item.status = status;
    item.move('accepted', { messageId });
    this.show();
    this.#context.files.saveLater(item.stored);
    this.#confirm();
  }

  /** Lets go of messages that were seen in the list. */
  #confirm(): void {
    for (const item of this.#items.filter(({ state }) => state === 'accepted')) {
      const headers = this.#context.store.record(this.key)?.headers ?? [];
      if (!headers.some((header) => header.messageId === item.stored.messageId)) continue;
      this.#drop(item);
      void this.#forget(item);
    }
  }

  async #forget(item: OutgoingItem): Promise<void> {
    const { files, blobs, log } = this.#context;
    try {
      await files.remove(item.entryId);
      await blobs.release(item.stored.attachments);
    } catch (error) {
      log.warn(`outbox: the file of a sent message could not be removed: ${reasonOf(error)}`);
    }
  }

  #drop(item: OutgoingItem): void {
    assertTransition(item.state, 'gone');
    item.isGone = true;
    item.release();
    this.#items = this.#items.filter((other) => other !== item);
    this.show();
  }
}
