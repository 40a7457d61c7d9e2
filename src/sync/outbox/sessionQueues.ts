import type { Disposable } from '../../shared/lifecycle.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { UnreadableFile } from '../storage/recordFormat.ts';
import type { StoredEntry } from './outboxFiles.ts';
import { type EntryTarget, OutboxFileSync } from './outboxFileSync.ts';
import { QueuedMessage } from './queuedMessage.ts';
import type { QueueServices } from './sendLoop.ts';
import { SessionQueue } from './sessionQueue.ts';

/** The time for which a message is reserved for the window in which it was typed before other windows may send it. */
const leaveToOthersMs = 3_000;

/** An outgoing message and its queue. */
export interface LocatedMessage {
  readonly queue: SessionQueue;
  readonly message: QueuedMessage;
}

/** The queues of all sessions. They follow the files, which other windows change too. */
export class SessionQueues implements EntryTarget, Disposable {
  readonly #services: QueueServices;
  readonly #fileSync: OutboxFileSync;
  readonly #queues = new Map<string, SessionQueue>();
  /** The queues whose sessions were in the list at its last change. */
  readonly #listed = new Set<SessionQueue>();
  #lastOrder = 0;
  #isDisposed = false;

  constructor(services: Omit<QueueServices, 'fileSync'>) {
    this.#fileSync = new OutboxFileSync(this, services.files, services.clock, services.log);
    this.#services = { ...services, fileSync: this.#fileSync };
  }

  /** Reads all entries, and follows the files from then on. Returns the files that could not be read. */
  load(): Promise<UnreadableFile[]> {
    return this.#fileSync.start();
  }

  /** The queue of a session; undefined if it never had an entry. */
  get(key: SessionKey): SessionQueue | undefined {
    return this.#queues.get(keyText(key));
  }

  /** The queue of a session, created if necessary. */
  getOrCreate(key: SessionKey): SessionQueue {
    const existing = this.get(key);
    if (existing) return existing;
    const queue = new SessionQueue({ origin: key.origin, sessionId: key.sessionId }, this.#services);
    this.#queues.set(keyText(key), queue);
    if (queue.isListed) this.#listed.add(queue);
    return queue;
  }

  find(entryId: string): LocatedMessage | undefined {
    for (const queue of this.#queues.values()) {
      const message = queue.messages.find((candidate) => candidate.entryId === entryId);
      if (message) return { queue, message };
    }
    return undefined;
  }

  /** Checks the messages that wait for another session, after a session or the session list changed. */
  checkAwaited(): void {
    for (const queue of this.#queues.values()) if (queue.awaitsSession) queue.advance();
  }

  /** The place of a message typed at `createdAt` (Unix ms): after all others. */
  nextOrder(createdAt: number): number {
    this.#lastOrder = Math.max(this.#lastOrder + 1, createdAt);
    return this.#lastOrder;
  }

  *savedEntryIds(): Iterable<string> {
    for (const { key, messages } of this.#queues.values()) {
      if (this.#services.files.isSaved(key.origin)) yield* messages.map(({ entryId }) => entryId);
    }
  }

  applyFromDisk(entryId: string, stored: StoredEntry | undefined): void {
    if (this.#isDisposed) return;
    const found = this.find(entryId);
    if (found) found.queue.applyFromDisk(found.message, stored);
    else if (stored) this.#addFromDisk(stored);
  }

  handleLost(entryId: string, rescued: StoredEntry | undefined): void {
    if (this.#isDisposed) return;
    if (rescued && !this.find(entryId)) this.#addFromDisk(rescued);
    const found = this.find(entryId);
    found?.queue.handleLost(found.message);
  }

  /** Retries all waiting messages. */
  wake(): void {
    for (const queue of this.#queues.values()) queue.wake();
  }

  /** Wakes the queues of sessions that were added to the session list or removed from it. */
  handleSessionListChange(): void {
    for (const queue of this.#queues.values()) {
      if (queue.isListed === this.#listed.has(queue)) continue;
      if (queue.isListed) this.#listed.add(queue);
      else this.#listed.delete(queue);
      queue.wake();
    }
  }

  /** Call this when a file in the lease folder has changed. `name` is undefined if any file may have changed. */
  handleLeaseFileChange(name: string | undefined): void {
    for (const queue of this.#queues.values()) queue.handleLeaseFileChange(name);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const queue of this.#queues.values()) queue.dispose();
    this.#fileSync.dispose();
  }

  /** Call this after `dispose`. Resolves when other windows can see that this window owns no queue. */
  async released(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.released()));
  }

  #addFromDisk(stored: StoredEntry): void {
    const { blobs, clock, files } = this.#services;
    blobs.hold(stored.attachments);
    files.dropFromDraft(stored);
    this.#lastOrder = Math.max(this.#lastOrder, stored.order);
    const message = new QueuedMessage(stored);
    const queue = this.getOrCreate(stored.key);
    if (files.isFromOtherWindow(stored)) message.leaveToOthers(clock, leaveToOthersMs, () => queue.advance());
    queue.add(message);
  }
}
