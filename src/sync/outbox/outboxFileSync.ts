import type { Disposable } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import type { Clock } from '../storage/clock.ts';
import { FolderWatcher } from '../storage/folderWatcher.ts';
import type { UnreadableFile } from '../storage/recordStore.ts';
import type { OutboxFiles, StoredEntry } from './outboxFiles.ts';

/** The entries in memory. */
export interface EntryTarget {
  /** The IDs of the entries in memory that are also saved to disk. */
  savedEntryIds(): Iterable<string>;
  /** Applies an entry as it is on disk; undefined if there is no file. */
  applyFromDisk(entryId: string, stored: StoredEntry | undefined): void;
}

/** Applies entries on disk, saved by this or another window, to memory. Saving handles the opposite direction. */
export class OutboxFileSync implements Disposable {
  readonly #target: EntryTarget;
  readonly #files: OutboxFiles;
  readonly #watch: FolderWatcher;

  constructor(target: EntryTarget, files: OutboxFiles, clock: Clock, log: Log) {
    this.#target = target;
    this.#files = files;
    this.#watch = new FolderWatcher({
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

  /** Applies all entries, and follows later changes. Returns the files that could not be read. */
  async start(): Promise<UnreadableFile[]> {
    this.#watch.start();
    return this.#readAll();
  }

  /** Applies all entries as they are on disk. The read starts after this call. Rejects with the system's error. */
  reload(): Promise<void> {
    return this.#watch.readAll();
  }

  dispose(): void {
    this.#watch.dispose();
  }

  async #readAll(): Promise<UnreadableFile[]> {
    const unreadable: UnreadableFile[] = [];
    const saved = [...this.#target.savedEntryIds()];
    for (const entryId of new Set([...(await this.#files.entryIds()), ...saved])) {
      const file = await this.#read(entryId);
      if (file) unreadable.push(file);
    }
    return unreadable;
  }

  async #read(entryId: string): Promise<UnreadableFile | undefined> {
    const wasFinished = this.#files.isFinished(entryId);
    const read = await this.#files.read(entryId);
    if (read && 'kind' in read) return read;
    // Ignore the result of a read that began before the entry was finished, because it is out of date.
    if (wasFinished !== this.#files.isFinished(entryId)) return undefined;
    if (wasFinished) await this.#files.removeLeftover(entryId, read);
    else this.#target.applyFromDisk(entryId, read);
    return undefined;
  }
}
