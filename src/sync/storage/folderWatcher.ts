import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import type { Clock } from './clock.ts';

/** The default interval for rereading all files. Needed because some file systems don't report changes. */
const usualRereadMs = 10_000;

interface FolderWatcherOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Calls `listener` with the name of a file that may have changed; undefined if any file may have changed. */
  readonly watch: (listener: (name: string | undefined) => void) => Disposable;
  readonly readOne: (name: string) => Promise<void>;
  readonly readAll: () => Promise<void>;
  readonly rereadMs?: number;
}

/**
 * Follows the changes that other windows make in a folder, once `start` is called: reads a file when the system reports
 * that it may have changed, and all files at an interval. Only one read runs at a time. The failures of these reads are
 * logged.
 */
export class FolderWatcher implements Disposable {
  readonly #options: FolderWatcherOptions;
  readonly #due = new Set<string>();
  #watcher: Disposable = onDispose(() => undefined);
  #timer: Disposable = onDispose(() => undefined);
  readonly #queue = new SerialQueue();
  #nextReadAll: Promise<void> | undefined;
  #isDisposed = false;

  constructor(options: FolderWatcherOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isDisposed) return;
    this.#watcher.dispose();
    this.#watcher = this.#options.watch((name) => this.#notice(name));
    this.#rereadLater();
  }

  /**
   * Reads all files. The read starts after this call, so it finds all earlier changes. Rejects with the
   * system's error.
   */
  readAll(): Promise<void> {
    this.#nextReadAll ??= this.#queue.run(() => {
      this.#nextReadAll = undefined;
      return this.#options.readAll();
    });
    return this.#nextReadAll;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher.dispose();
    this.#timer.dispose();
  }

  #notice(name: string | undefined): void {
    if (this.#isDisposed) return;
    if (name === undefined) {
      this.#logged(this.readAll());
      return;
    }
    if (this.#due.has(name)) return;
    this.#due.add(name);
    this.#logged(
      this.#queue.run(async () => {
        this.#due.delete(name);
        if (!this.#isDisposed) await this.#options.readOne(name);
      }),
    );
  }

  #rereadLater(): void {
    this.#timer.dispose();
    this.#timer = this.#options.clock.after(this.#options.rereadMs ?? usualRereadMs, () => {
      this.#rereadLater();
      this.#logged(this.readAll());
    });
  }

  #logged(reading: Promise<void>): void {
    reading.catch((error: unknown) => this.#options.log.warn(`files could not be read again: ${reasonOf(error)}`));
  }
}
