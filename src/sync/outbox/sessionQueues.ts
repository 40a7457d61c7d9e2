import type { Disposable } from '../../shared/lifecycle.ts';
import { reasonOf } from '../../shared/log.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { QueueFiles } from '../lease/queueOwnership.ts';
import { FolderWatcher } from '../storage/folderWatcher.ts';
import type { UnreadableFile } from '../storage/recordFormat.ts';
import type { StoredEntry } from './outboxFiles.ts';
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
export class SessionQueues implements QueueFiles, Disposable {
  readonly #services: QueueServices;
  readonly #watcher: FolderWatcher;
  readonly #queues = new Map<string, SessionQueue>();
  /** The queues whose sessions were in the list at its last change. */
  readonly #listed = new Set<SessionQueue>();
  #lastOrder = 0;
  #isDisposed = false;

  constructor(services: QueueServices) {
    const { files, clock, log } = services;
    this.#services = services;
    this.#watcher = new FolderWatcher({
      clock,
      log,
      watch: (listener) => files.watch(listener),
      readOne: async (entryId) => {
        await this.#read(entryId);
      },
      readAll: async () => {
        await this.#readAll();
      },
    });
  }

  /**
   * Reads all entries, and follows the files from then on. Resolves to the files that are damaged or of a newer
   * version; rejects with the system's error.
   */
  load(): Promise<UnreadableFile[]> {
    this.#watcher.start();
    return this.#readAll();
  }

  reload(): Promise<void> {
    return this.#watcher.readAll();
  }

  /** The queue of a session; undefined if it never had an entry. */
  get(key: SessionKey): SessionQueue | undefined {
    return this.#queues.get(keyText(key));
  }

  /** The queue of a session, created if necessary. */
  getOrCreate(key: SessionKey): SessionQueue {
    const existing = this.get(key);
    if (existing) return existing;
    const queue = new SessionQueue({ origin: key.origin, sessionId: key.sessionId }, this.#services, this);
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

  /** The `order` of a message typed at `createdAt` (Unix ms): greater than that of all others. */
  nextOrder(createdAt: number): number {
    this.#lastOrder = Math.max(this.#lastOrder + 1, createdAt);
    return this.#lastOrder;
  }

  /** Retries all waiting messages. */
  wake(): void {
    for (const queue of this.#queues.values()) queue.wake();
  }

  /** Wakes the queues of the services whose connections changed. The others check again whether they may send. */
  handleConnectionChange(origins: ReadonlySet<string>): void {
    for (const queue of this.#queues.values()) {
      if (origins.has(queue.key.origin)) queue.wake();
      else queue.advance();
    }
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

  dispose(): void {
    this.#isDisposed = true;
    for (const queue of this.#queues.values()) queue.dispose();
    this.#watcher.dispose();
  }

  /** Call this after `dispose`. Resolves when other windows can see that this window owns no queue. */
  async released(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.released()));
  }

  async #readAll(): Promise<UnreadableFile[]> {
    const unreadable: UnreadableFile[] = [];
    const saved = [...this.#savedEntryIds()];
    for (const entryId of new Set([...(await this.#services.files.entryIds()), ...saved])) {
      const file = await this.#read(entryId);
      if (file) unreadable.push(file);
    }
    return unreadable;
  }

  /** The IDs of the entries in memory that are also saved to disk. */
  *#savedEntryIds(): Iterable<string> {
    for (const { key, messages } of this.#queues.values()) {
      if (this.#services.files.isSaved(key.origin)) yield* messages.map(({ entryId }) => entryId);
    }
  }

  async #read(entryId: string): Promise<UnreadableFile | undefined> {
    const { files } = this.#services;
    const wasFinished = files.isFinished(entryId);
    const read = await files.read(entryId);
    if (read.kind === 'newer') return read.file;
    // Ignore the result of a read that began before the entry was finished, because it is out of date.
    if (wasFinished !== files.isFinished(entryId)) return undefined;
    const stored = read.kind === 'entry' ? read.stored : undefined;
    if (wasFinished) await this.#removeLeftover(entryId, stored);
    else if (read.kind !== 'lost') this.#applyFromDisk(entryId, stored);
    else this.#handleLost(entryId, read.rescued);
    return read.kind === 'lost' ? read.file : undefined;
  }

  /** Never rejects: if the file of a delivered message can't be removed, other messages must still be sent. */
  async #removeLeftover(entryId: string, stored: StoredEntry | undefined): Promise<void> {
    const { files, log } = this.#services;
    try {
      await files.removeLeftover(entryId, stored);
    } catch (error) {
      log.warn(`outbox: couldn't remove the file of a sent message: ${reasonOf(error)}`);
    }
  }

  /** Applies an entry as it is on disk; undefined if a window removed it. */
  #applyFromDisk(entryId: string, stored: StoredEntry | undefined): void {
    if (this.#isDisposed) return;
    const found = this.find(entryId);
    if (found) found.queue.applyFromDisk(found.message, stored);
    else if (stored) this.#addFromDisk(stored);
  }

  /**
   * Keeps an entry whose file was damaged, or removed by something other than a window. `rescued` is the readable part
   * of a damaged file; it is used if the entry is not in memory.
   */
  #handleLost(entryId: string, rescued: StoredEntry | undefined): void {
    if (this.#isDisposed) return;
    if (rescued && !this.find(entryId)) this.#addFromDisk(rescued);
    const found = this.find(entryId);
    found?.queue.handleLost(found.message);
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
