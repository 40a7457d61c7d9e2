import type { Disposable } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { Blobs } from '../storage/blobStore.ts';
import type { Clock } from '../storage/clock.ts';
import type { UnreadableFile } from '../storage/recordStore.ts';
import { FolderWatcher } from '../storage/folderWatcher.ts';
import type { OutboxFiles, StoredEntry } from './outboxFiles.ts';
import { type WindowIdentity, hasSurelyEnded } from '../storage/windowIdentity.ts';

/** What a message of another window became stays on disk this long after it was seen, for that window to see it, too. */
const keepForOthersMs = 15_000;

export interface OutboxMirrorOptions {
  readonly files: OutboxFiles;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly log: Log;
  readonly window: WindowIdentity;
  /** The entries in memory that are meant to be on disk. */
  readonly knownIds: () => Iterable<string>;
  /** What lies on disk of an entry now; undefined: nothing. */
  readonly fold: (entryId: string, stored: StoredEntry | undefined) => void;
}

/** Keeps the entries in memory in step with what this window and the others have on disk. */
export class OutboxFileSync implements Disposable {
  readonly #options: OutboxMirrorOptions;
  readonly #watch: FolderWatcher;
  /** Entries that are through, and when their file has to be gone, Unix ms. */
  readonly #finished = new Map<string, { readonly entry: StoredEntry; readonly goneAt: number }>();

  constructor(options: OutboxMirrorOptions) {
    this.#options = options;
    this.#watch = new FolderWatcher({
      ...options,
      watch: (listener) => options.files.watch(listener),
      readOne: async (entryId) => {
        await this.#read(entryId);
      },
      readAll: async () => {
        await this.#readAll();
      },
    });
  }

  /** Reads every entry and follows what other windows do from then on. Returns what could not be read. */
  async open(): Promise<UnreadableFile[]> {
    this.#watch.start();
    return this.#readAll();
  }

  /** Reads every entry as it is from now on. Rejects with the system's error. */
  refold(): Promise<void> {
    return this.#watch.readAll();
  }

  /** Whether a message was typed in another window that may still run. */
  isOthers({ window }: StoredEntry): boolean {
    return window !== undefined && window.windowId !== this.#options.window.windowId && !hasSurelyEnded(window);
  }

  /** A message is through: its bytes go, and its file as soon as every window knows. Never rejects. */
  async finish(entry: StoredEntry): Promise<void> {
    const { clock, blobs, log } = this.#options;
    const { entryId, attachments } = entry;
    const waitMs = this.isOthers(entry) ? keepForOthersMs : 0;
    this.#finished.set(entryId, { entry, goneAt: clock.now() + waitMs });
    try {
      if (waitMs === 0) await this.#options.files.remove(entryId);
      await blobs.release(attachments);
    } catch (error) {
      log.warn(`outbox: the file of a sent message could not be removed: ${reasonOf(error)}`);
    }
  }

  dispose(): void {
    this.#watch.dispose();
  }

  async #readAll(): Promise<UnreadableFile[]> {
    const unreadable: UnreadableFile[] = [];
    const known = [...this.#options.knownIds()];
    for (const entryId of new Set([...(await this.#options.files.entryIds()), ...known])) {
      const file = await this.#read(entryId);
      if (file) unreadable.push(file);
    }
    return unreadable;
  }

  async #read(entryId: string): Promise<UnreadableFile | undefined> {
    const { files, clock, fold } = this.#options;
    const finished = this.#finished.get(entryId);
    const read = await files.read(entryId);
    if (read && 'kind' in read) return read;
    // What was read before it was through says nothing of it now, nor that another window left it behind.
    if (finished !== this.#finished.get(entryId)) return undefined;
    if (!finished) fold(entryId, read);
    // A window that was stopped while it wrote may leave a file again, or write over what became of the message.
    else if (read && clock.now() >= finished.goneAt) await files.remove(entryId);
    else if (read && read.state !== 'accepted') await files.save(finished.entry);
    return undefined;
  }
}
