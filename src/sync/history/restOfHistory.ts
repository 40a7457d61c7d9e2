import { type HistoryReading, type PageBatch, pages, takeNext, takeOlder, walkPastKnown } from './historyReader.ts';
import { isCursorRejected } from './pagination.ts';

/**
 * Loads the rest of a session's messages, one batch of pages at each step. Each page is requested while the previous
 * one is handled, so that neither the service nor the disk waits for the other. Other tasks on the session can run
 * between two steps.
 */
export class RestOfHistory {
  readonly #reading: HistoryReading;
  #walk: ReturnType<typeof pages> | undefined;
  #last: PageBatch | undefined;

  #isOver = false;
  #pagesRead = 0;

  constructor(reading: HistoryReading) {
    this.#reading = reading;
  }

  /** Whether the last page was loaded, or there was none to load. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The number of pages that were loaded. */
  get pagesRead(): number {
    return this.#pagesRead;
  }

  /** Loads the next pages. Rejects with the ApiError. */
  async step(): Promise<void> {
    this.#isOver = await this.#load();
  }

  async #load(): Promise<boolean> {
    const { cursor, tell } = this.#reading;
    const isOldestFirst = cursor.order === 'oldestFirst';
    if (cursor.completeness !== 'partial' || (!isOldestFirst && cursor.olderCursor === undefined)) return true;
    tell(false);
    try {
      const step = await this.#next(isOldestFirst);
      if (!step) return true;
      this.#pagesRead += step.cursors.length;
      if (isOldestFirst) takeNext(this.#reading, step);
      else takeOlder(this.#reading, step);
      return step.next === undefined;
    } catch (error) {
      await this.end();
      if (!isCursorRejected(error)) throw error;
      if (isOldestFirst && cursor.tailCursor === undefined) throw error;
      if (isOldestFirst) cursor.dropTailCursor();
      else {
        await walkPastKnown(this.#reading);
        this.#pagesRead += 1;
      }
      return false;
    }
  }

  /** Cancels the request for the next page. */
  async end(): Promise<void> {
    const walk = this.#walk;
    this.#walk = undefined;
    await walk?.return();
  }

  async #next(isOldestFirst: boolean): Promise<PageBatch | undefined> {
    const { cursor } = this.#reading;
    const last = this.#last;
    // Another task may have loaded a page meanwhile.
    const isNext = isOldestFirst ? last?.cursor === cursor.tailCursor : last?.next === cursor.olderCursor;
    if (!isNext) await this.end();
    this.#walk ??= pages(this.#reading, isOldestFirst ? cursor.tailCursor : cursor.olderCursor, () => true);
    const { value } = await this.#walk.next();
    this.#last = value ?? undefined;
    return this.#last;
  }
}
