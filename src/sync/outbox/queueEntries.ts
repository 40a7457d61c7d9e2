import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { OutboxEntry } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Clock } from '../storage/clock.ts';
import type { OutboxFiles, StoredEntry } from './outboxFiles.ts';
import type { QueuedMessage } from './queuedMessage.ts';

/** The delay before a failed save is tried again. */
const saveRetryMs = 5_000;

/**
 * The outgoing messages of one session in memory: their order, their state in the store, and their saved state. A
 * change is applied in memory first. Until it is on disk, the entry counts as unsaved and the save is retried, so that
 * an older file doesn't override what the user has already seen. If this window loses the queue, it gives up these
 * saves, and the files apply, except to accepted messages.
 */
export class QueueEntries implements Disposable {
  readonly #key: SessionKey;
  readonly #store: Store;
  readonly #files: OutboxFiles;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changes: Emitter<undefined>;
  readonly #saved = new Emitter<undefined>();
  readonly #unsaved = new Set<QueuedMessage>();
  readonly #lost = new Set<QueuedMessage>();
  readonly #saves = new Set<Promise<void>>();
  readonly #retries = new Set<Disposable>();
  #messages: QueuedMessage[] = [];
  #awaitingAgent: QueuedMessage | undefined;
  #published: readonly OutboxEntry[] | undefined;
  #isDisposed = false;

  /** Fires `changes` when the entries in the store have changed. */
  constructor(key: SessionKey, store: Store, files: OutboxFiles, clock: Clock, log: Log, changes: Emitter<undefined>) {
    this.#key = key;
    this.#store = store;
    this.#files = files;
    this.#clock = clock;
    this.#log = log;
    this.#changes = changes;
  }

  /** Fires when the current state of a message is on disk. */
  readonly onDidSave = this.#saved.event;

  /** In sending order, with the scheduled ones last, by their times; those without a time come after the others. */
  get all(): readonly QueuedMessage[] {
    return this.#messages;
  }

  /**
   * The message that all later ones wait for (R30): the first one that is neither accepted nor scheduled, leaving out
   * those that the user let later messages pass. It is not necessarily queued.
   */
  get next(): QueuedMessage | undefined {
    return this.#messages.find((message) => message.state !== 'accepted' && !message.isPassed && !message.isScheduled);
  }

  /** Whether a request of this window may be in progress for any of the messages. */
  get isSendingHere(): boolean {
    return this.#messages.some((message) => message.isSendingHere);
  }

  /** Whether memory is newer than the disk for any message. */
  get hasUnsaved(): boolean {
    return this.#messages.some((message) => this.isUnsaved(message));
  }

  /** Whether memory is newer than the disk. */
  isUnsaved(message: QueuedMessage): boolean {
    return this.#unsaved.has(message);
  }

  /** Whether the file of any message was damaged, or removed by something other than a window. */
  get hasLost(): boolean {
    return this.#lost.size > 0;
  }

  /** Records whether the file of a message was damaged, or removed by something other than a window. */
  setLost(message: QueuedMessage, isLost: boolean): void {
    if (isLost) this.#lost.add(message);
    else this.#lost.delete(message);
  }

  /** Writes the messages whose files are lost. Call this only while this window owns the queue. */
  restoreLost(): void {
    for (const message of this.#lost) {
      this.#log.warn(`outbox: ${message.entryId} is written again, because its file was damaged or removed`);
      message.restore(this.#clock.now());
      this.save(message);
    }
  }

  /** Records in the store which message waits until the agent is idle; undefined if none does. */
  setAwaitingAgent(message: QueuedMessage | undefined): void {
    if (this.#awaitingAgent === message) return;
    this.#awaitingAgent = message;
    this.publish();
  }

  find(entryId: string): QueuedMessage | undefined {
    return this.#messages.find((message) => message.entryId === entryId);
  }

  /** Inserts a message at its place in the order. */
  add(message: QueuedMessage): void {
    this.#messages = [...this.#messages, message];
    this.publish();
  }

  /** Puts a scheduled message at the end of the delivery order: it is then like one that was just typed. */
  join(message: QueuedMessage, when = message.stored.when): void {
    const queued = this.#messages.filter(({ isScheduled }) => !isScheduled);
    message.join(
      queued.reduce((order, { stored }) => Math.max(order, stored.order + 1), this.#clock.now()),
      when,
    );
    this.save(message);
  }

  /** Lets a queued message be sent at its place in the delivery order, even if the agent may be working. */
  hurry(message: QueuedMessage): void {
    message.hurry();
    this.save(message);
  }

  /** Lets the user decide about a scheduled message whose condition can't be met anymore. */
  miss(message: QueuedMessage): void {
    message.miss();
    this.save(message);
  }

  /** Lets the user decide about a message of an earlier version, which waited for its service to be the current one. */
  ask(message: QueuedMessage): void {
    message.ask(this.#clock.now());
    this.save(message);
  }

  /**
   * Removes a message that was accepted and listed, or never saved.
   * @throws Error for a transition that R29 does not list.
   */
  remove(message: QueuedMessage): void {
    message.remove();
    this.#drop(message);
  }

  /** Removes a message that the user discarded. @throws Error for a transition that R29 does not list. */
  discard(message: QueuedMessage): void {
    message.discard();
    this.#drop(message);
  }

  /** Removes a message that another window removed. */
  forget(message: QueuedMessage): void {
    message.forget();
    this.#drop(message);
  }

  /**
   * Removes accepted messages that the conversation lists, once the state "accepted" is on disk (R45); hides them until
   * then.
   */
  removeListed(): void {
    for (const message of this.#messages.filter(({ state }) => state === 'accepted')) {
      const headers = this.#store.record(this.#key)?.headers ?? [];
      const { messageId } = message.stored;
      if (!message.isHidden && !headers.some((header) => header.messageId === messageId)) continue;
      if (!this.isUnsaved(message)) {
        this.remove(message);
        void this.#files.finish(message.stored);
      } else if (!message.isHidden) {
        message.hide();
        this.publish();
      }
    }
  }

  /** Sorts the messages and, if the session is in the list, puts them in the store. */
  publish(): void {
    this.#messages = this.#messages.toSorted(compareOrder);
    if (this.#isDisposed) return;
    this.#published = this.#messages.filter(({ isHidden }) => !isHidden).map((message) => this.#entryOf(message));
    this.#store.setOutbox(this.#key, this.#published);
    this.#changes.fire(undefined);
  }

  /** Puts the messages in the store again after the session returned to the list. */
  publishIfMissing(): void {
    if (this.#published !== this.#store.record(this.#key)?.outbox) this.publish();
  }

  /** Writes the current state of a message, and puts it in the store. A failed write is retried. */
  save(message: QueuedMessage): void {
    this.#write(message);
    this.publish();
  }

  /** Saves an accepted message again if another window overwrote it: "accepted" is final. */
  restoreAccepted(message: QueuedMessage, stored: StoredEntry | undefined): void {
    if (stored && stored.state !== 'accepted') this.#write(message);
  }

  /**
   * Gives up saving changes, so that the files apply, because another window owns or may own the queue. Accepted
   * messages are still saved, because that state is final.
   */
  discardUnsaved(): void {
    for (const message of this.#unsaved) if (message.state !== 'accepted') this.#unsaved.delete(message);
  }

  /** Resolves when every running save has ended, successfully or not. */
  async savesFinished(): Promise<void> {
    await Promise.all(this.#saves);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#saved.dispose();
    for (const retry of this.#retries) retry.dispose();
    for (const message of this.#messages) message.release();
  }

  #entryOf(message: QueuedMessage): OutboxEntry {
    const entry = message.toEntry();
    return message === this.#awaitingAgent ? { ...entry, waitsForAgent: true } : entry;
  }

  #drop(message: QueuedMessage): void {
    this.#messages = this.#messages.filter((other) => other !== message);
    this.#lost.delete(message);
    this.publish();
  }

  #write(message: QueuedMessage): void {
    const save = this.#save(message).finally(() => this.#saves.delete(save));
    this.#saves.add(save);
  }

  async #save(message: QueuedMessage): Promise<void> {
    const { stored } = message;
    this.#unsaved.add(message);
    this.#lost.delete(message);
    try {
      await this.#files.save(stored);
      message.noteWritten(stored);
      if (message.stored !== stored) return;
      this.#unsaved.delete(message);
      this.#saved.fire(undefined);
    } catch (error) {
      this.#log.error(`outbox: couldn't save an entry: ${reasonOf(error)}`);
      if (this.#isDisposed) return;
      const retry = this.#clock.after(saveRetryMs, () => {
        this.#retries.delete(retry);
        if (this.isUnsaved(message) && !message.isGone && message.stored === stored) this.#write(message);
      });
      this.#retries.add(retry);
    }
  }
}

/**
 * Compares the positions of two messages. Two windows may assign the same order at the same time, but all windows must
 * agree on which message is first.
 */
function compareOrder(a: QueuedMessage, b: QueuedMessage): number {
  const ranks = [scheduleRank(a) - scheduleRank(b), a.stored.order - b.stored.order];
  return ranks.find((difference) => difference !== 0) ?? (a.entryId < b.entryId ? -1 : 1);
}

/**
 * The time of a scheduled message; the smallest number for a message in the queue, the largest for one without a time.
 */
function scheduleRank({ isScheduled, stored: { after } }: QueuedMessage): number {
  if (!isScheduled) return -Number.MAX_VALUE;
  return after?.kind === 'time' ? after.at : Number.MAX_VALUE;
}
