import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { reasonOf } from '../../shared/log.ts';
import { assertTransition, type OutboxEntry } from '../../state/store/outboxEntry.ts';
import type { StoredEntry } from './outboxFiles.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { QueueContext } from './queueContext.ts';
import type { QueuedMessage } from './queuedMessage.ts';

/** The outgoing messages of one session in memory, in sending order, and what the store shows of them. */
export class LaneItems {
  readonly #key: SessionKey;
  readonly #context: QueueContext;
  #items: QueuedMessage[] = [];
  #shown: readonly OutboxEntry[] | undefined;
  #isHidden = false;

  constructor(key: SessionKey, context: QueueContext) {
    this.#key = key;
    this.#context = context;
  }

  get all(): readonly QueuedMessage[] {
    return this.#items;
  }

  /** The first message that is not through. */
  get head(): QueuedMessage | undefined {
    return this.#items.find((item) => item.state !== 'accepted');
  }

  /** Whether a request of this window may be carrying one of them. */
  get isSendingHere(): boolean {
    return this.#items.some((item) => item.isSendingHere);
  }

  find(entryId: string): QueuedMessage | undefined {
    return this.#items.find((item) => item.entryId === entryId);
  }

  /** Puts a message at its place in the order. */
  add(item: QueuedMessage): void {
    const after = this.#items.findLastIndex((other) => isBefore(other, item));
    this.#items.splice(after + 1, 0, item);
    this.show();
  }

  /** Hides a message that was seen in the list. It stays in the queue until its file says that it was accepted. */
  hide(item: QueuedMessage): void {
    if (item.isSeen) return;
    item.isSeen = true;
    this.show();
  }

  /** Takes out a message that is through, or that the user dropped. @throws Error where R29 does not list that. */
  drop(item: QueuedMessage): void {
    assertTransition(item.state, 'gone');
    this.forget(item);
  }

  /** Takes out a message whose end another window saw to. */
  forget(item: QueuedMessage): void {
    item.isGone = true;
    item.release();
    this.#items = this.#items.filter((other) => other !== item);
    this.show();
  }

  /** Puts them into the store, where the session is on the deck. */
  show(): void {
    if (this.#isHidden) return;
    this.#shown = this.#items.filter(({ isSeen }) => !isSeen).map((item) => item.toEntry());
    this.#context.store.setOutbox(this.#key, this.#shown);
    this.#context.announce();
  }

  /** The session came back to the deck, with nothing in it. */
  showAgain(): void {
    if (this.#shown !== this.#context.store.record(this.#key)?.outbox) this.show();
  }

  dispose(): void {
    this.#isHidden = true;
    for (const item of this.#items) item.release();
  }
}

/** Two windows may give the same order at the same moment; all have to agree on what comes first. */
function isBefore({ stored: one }: QueuedMessage, { stored: other }: QueuedMessage): boolean {
  return one.order === other.order ? one.entryId < other.entryId : one.order < other.order;
}

const retryMs = 5_000;

/**
 * Writes what is already true in memory. Until it is on disk the entry counts as unsaved, and it is tried again: what
 * was said to the user must not be taken back by an older file.
 */
export class LaneSaves implements Disposable {
  readonly #context: QueueContext;
  readonly #onSaved: () => void;
  readonly #writes = new Set<Promise<void>>();
  readonly #retries = new Set<Disposable>();
  readonly #disposables = new Disposables();

  constructor(context: QueueContext, onSaved: () => void) {
    this.#context = context;
    this.#onSaved = onSaved;
  }

  save(item: QueuedMessage): void {
    const write = this.#save(item).finally(() => this.#writes.delete(write));
    this.#writes.add(write);
  }

  /** Saves an accepted message again where another window wrote over it: what the service said stands. */
  uphold(item: QueuedMessage, stored: StoredEntry | undefined): void {
    if (stored && stored.state !== 'accepted') this.save(item);
  }

  /** Resolves when every write under way has ended, well or not. */
  async written(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /** Another window is in charge: what is not on disk is not true any more, but for what the service said. */
  giveUp(items: readonly QueuedMessage[]): void {
    for (const item of items) if (item.state !== 'accepted') item.isUnsaved = false;
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const retry of this.#retries) retry.dispose();
  }

  async #save(item: QueuedMessage): Promise<void> {
    const { files, clock, log } = this.#context;
    const { stored } = item;
    item.isUnsaved = true;
    try {
      await files.save(stored);
      if (item.stored !== stored) return;
      item.isUnsaved = false;
      if (!this.#disposables.isDisposed) this.#onSaved();
    } catch (error) {
      log.error(`outbox: an entry could not be saved: ${reasonOf(error)}`);
      if (this.#disposables.isDisposed) return;
      const retry = clock.after(retryMs, () => {
        this.#retries.delete(retry);
        if (item.isUnsaved && !item.isGone && item.stored === stored) this.save(item);
      });
      this.#retries.add(retry);
    }
  }
}
