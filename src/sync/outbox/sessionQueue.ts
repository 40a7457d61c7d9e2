import type { Disposable } from '../../shared/lifecycle.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { QueueOwnership, type Term } from '../lease/queueOwnership.ts';
import type { QueueContext } from './queueContext.ts';
import { LaneItems, LaneSaves } from './queueEntries.ts';
import { SendOutcomes } from './outcomes.ts';
import { SendLoop } from './sendLoop.ts';
import type { LeaseAsk } from '../lease/leaseFiles.ts';
import { MessageClaims, EchoMatcher } from './echoMatcher.ts';
import type { StoredEntry } from './outboxFiles.ts';
import type { QueuedMessage } from './queuedMessage.ts';
import { SendPause } from './sendGate.ts';

/**
 * The outgoing messages of one session, in the order typed. One is in flight at a time; after one that is unknown or not
 * sent the later ones wait (R30). A session that is not on the deck is left alone. While another window is in charge,
 * this is what lies on disk.
 */
export class SessionQueue implements Disposable {
  readonly key: SessionKey;
  readonly #context: QueueContext;
  readonly #pause: SendPause;
  readonly #claims: MessageClaims;
  readonly #finder: EchoMatcher;
  readonly #items: LaneItems;
  readonly #saves: LaneSaves;
  readonly #charge: QueueOwnership;
  readonly #results: SendOutcomes;
  readonly #sender: SendLoop;
  #isGivingWay = false;
  #isDisposed = false;

  constructor(key: SessionKey, context: QueueContext) {
    this.key = key;
    this.#context = context;
    this.#pause = new SendPause(context.clock, context.factsOf(key.origin), () => this.go());
    this.#claims = new MessageClaims(key, context);
    this.#items = new LaneItems(key, context);
    this.#saves = new LaneSaves(context, () => this.#goOn());
    const parts = { key, context, items: this.#items, claims: this.#claims, saves: this.#saves, pause: this.#pause };
    this.#results = new SendOutcomes(parts);
    this.#finder = new EchoMatcher(key, context, this.#claims, {
      found: (item, messageId) => {
        item.foundAs(messageId);
        this.go();
      },
      changed: () => this.#items.show(),
      ended: (item) => {
        this.#saves.save(item);
        this.#items.show();
        this.go();
      },
    });
    this.#charge = new QueueOwnership(key, context, {
      taken: () => this.#begin(),
      lost: () => this.#lost(),
      asked: (asks) => this.#giveWay(asks),
      retry: () => this.go(),
      written: () => this.#saves.written(),
    });
    this.#sender = new SendLoop(parts, this.#charge, this.#results, () => this.#goOn());
  }

  get items(): readonly QueuedMessage[] {
    return this.#items.all;
  }

  get isListed(): boolean {
    return this.#context.store.record(this.key) !== undefined;
  }

  /** Whether nothing will move by itself until something outside changes, or a pause is over. */
  get isStalled(): boolean {
    const { head } = this.#items;
    if (head?.state === 'sending' || head?.isSearching || this.#sender.isLooking) return false;
    return !(this.#charge.isElsewhere && this.#sender.isReady && head?.stored.problem === undefined);
  }

  /** Takes a message over at its place in the order. */
  add(item: QueuedMessage): void {
    if (item.stored.messageId !== undefined) this.#claims.claim(item.stored.messageId, item);
    item.askForSearch();
    this.#items.add(item);
    this.go();
  }

  /** What lies on disk of an entry; in charge only what other windows may do counts: to say that it was accepted. */
  fold(item: QueuedMessage, stored: StoredEntry | undefined): void {
    if (item.isHeld || item.isUnsaved || item.isSendingHere) return;
    if (item.state === 'accepted') {
      this.#saves.uphold(item, stored);
    } else if (!stored) {
      this.#items.forget(item);
      this.#context.blobs.forget(item.stored.attachments);
    } else if (!item.isLike(stored) && (!this.#charge.term || stored.state === 'accepted')) {
      this.#results.mirror(item, stored);
    }
    this.go();
  }

  /** Goes on with what was waiting: the session is on the deck, the connection or an entry changed. */
  wake(): void {
    this.#pause.cut();
    this.noticeMessages();
    for (const item of this.#items.all) {
      if (this.isListed) item.askForSearch();
      else item.endSearch(false);
    }
    this.#items.showAgain();
    this.go();
  }

  /** Does what is to be done now, in charge; takes charge if there is something to do, and gives it back if not. */
  go(): void {
    if (this.#isDisposed) return;
    if (this.#charge.term) this.#work(this.#charge.term);
    else if (this.#isWanted()) this.#charge.take();
    else this.#charge.forget();
    this.#context.announce();
  }

  /** A file in the folder of leases changed. */
  noticeLease(name: string | undefined): void {
    this.#charge.notice(name);
  }

  /** Messages came into the store: some entries may have been seen. */
  noticeMessages(): void {
    // First, so that no message is shown beside its entry when one before it goes.
    for (const item of this.#items.all) this.#finder.matchEcho(item);
    this.#results.confirm();
  }

  /** Runs `task` while this window, and nobody else, may decide about the messages here; undefined if it cannot. */
  decide<T>(ask: LeaseAsk, task: () => T | Promise<T>): Promise<T | undefined> {
    return this.#charge.decide(ask, task);
  }

  /** A message may go out again by the user's decision. */
  sendAgain(item: QueuedMessage): void {
    if (item.state === 'unknown') item.move('notSent', { problem: item.stored.problem });
    item.move('queued');
    this.#pause.forgetFailures();
    this.#saves.save(item);
    this.wake();
  }

  /**
   * Takes a message out of the queue, after `keep` has put its content elsewhere. Resolves when its file is gone; when
   * that or `keep` fails, it rejects and the message stays where it was.
   */
  async remove(item: QueuedMessage, keep: () => Promise<void>): Promise<void> {
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
    this.#items.drop(item);
    await this.#context.blobs.release(item.stored.attachments);
    this.go();
  }

  /** Takes out what was never on disk. */
  withdraw(item: QueuedMessage): void {
    this.#items.drop(item);
    this.go();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#pause.dispose();
    this.#sender.dispose();
    this.#saves.dispose();
    this.#items.dispose();
    this.#charge.dispose();
  }

  /** After dispose: resolves when the other windows can see that this one is not in charge. */
  released(): Promise<void> {
    return this.#charge.released();
  }

  /** Whether there is something that only the window in charge may do. */
  #isWanted(): boolean {
    if (this.#charge.isDeciding) return true;
    if (!this.isListed) return false;
    const isPending = ({ state, isSearching, foundMessageId }: QueuedMessage) =>
      state === 'sending' || isSearching || foundMessageId !== undefined;
    return this.#items.all.some(isPending) || (this.#sender.isReady && !this.#items.head?.isLeftToOthers);
  }

  #work(term: Term): void {
    if (this.#charge.isDeciding) return;
    if (this.#isGivingWay) for (const item of this.#items.all) item.handSearchOver();
    if (!this.#isGivingWay) {
      for (const item of this.#items.all) this.#pursue(item);
      this.#sender.sendNext(term);
    }
    const isBusy = this.#items.isSendingHere || this.#items.all.some((item) => item.isUnsaved);
    if (isBusy || (this.#isWanted() && !this.#isGivingWay)) return;
    this.#charge.letGo(this.#isGivingWay);
    this.#isGivingWay = false;
  }

  /** Looks for an unknown message, and takes it for sent once it was found. */
  #pursue(item: QueuedMessage): void {
    const { foundMessageId } = item;
    if (foundMessageId !== undefined && item.state === 'unknown') {
      const status = this.#context.store.record(this.key)?.session?.status ?? 'unknown';
      this.#results.accept(item, { messageId: foundMessageId, status });
    } else if (item.isSearchDue) this.#finder.search(item);
  }

  #begin(): void {
    this.#results.settleLeftovers();
    this.#goOn();
  }

  #goOn(): void {
    this.noticeMessages();
    this.go();
  }

  #lost(): void {
    for (const item of this.#items.all) {
      item.abort?.abort();
      item.handSearchOver();
    }
    this.#saves.giveUp(this.#items.all);
    this.#isGivingWay = false;
    void Promise.allSettled([this.#context.refold()]).then(() => this.go());
  }

  #giveWay(asks: readonly LeaseAsk[]): void {
    for (const { cancelEntryId } of asks) {
      const item = cancelEntryId === undefined ? undefined : this.#items.find(cancelEntryId);
      if (item?.isSendingHere) item.stopSending();
    }
    this.#isGivingWay = true;
    this.go();
  }
}
