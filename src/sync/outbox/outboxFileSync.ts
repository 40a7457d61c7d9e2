import type { Disposable } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import type { Clock } from '../storage/clock.ts';
import { FolderWatcher } from '../storage/folderWatcher.ts';
import type { UnreadableFile } from '../storage/recordFormat.ts';
import type { OutboxFiles, StoredEntry } from './outboxFiles.ts';

/** The entries in memory. */
export interface EntryTarget {
  /** The IDs of the entries in memory that are also saved to disk. */
  savedEntryIds(): Iterable<string>;
  /** Applies an entry as it is on disk; undefined if a window removed it. */
  applyFromDisk(entryId: string, stored: StoredEntry | undefined): void;
  /**
   * Keeps an entry whose file was damaged, or removed by something other than a window. `rescued` is the readable part
   * of a damaged file; it is used if the entry is not in memory.
   */
  handleLost(entryId: string, rescued: StoredEntry | undefined): void;
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
    if (read.kind === 'newer') return read.file;
    // Ignore the result of a read that began before the entry was finished, because it is out of date.
    if (wasFinished !== this.#files.isFinished(entryId)) return undefined;
    const stored = read.kind === 'entry' ? read.stored : undefined;
    if (wasFinished) await this.#files.removeLeftover(entryId, stored);
    else if (read.kind !== 'lost') this.#target.applyFromDisk(entryId, stored);
    else this.#target.handleLost(entryId, read.rescued);
    return read.kind === 'lost' ? read.file : undefined;
  }
}
