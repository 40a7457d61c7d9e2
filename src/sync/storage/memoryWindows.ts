import * as z from 'zod/mini';
import type { Clock } from './clock.ts';
import type { RecordFormat } from './recordFormat.ts';
import type { RecordStore } from './recordStore.ts';
import { hasSurelyEnded, newWindowIdentity, windowIdentitySchema } from './windowIdentity.ts';

const subfolder = 'memoryWindows';
const schema = z.object({ ...windowIdentitySchema.shape, since: z.number() });
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };
/** A mark that is older counts as left behind, because another computer's processes can't be checked. */
const longestMs = 30 * 24 * 3_600_000;

/**
 * Marks on disk for the windows that keep records in memory (see `RecordStores`). Other windows don't see these
 * records, and so must not remove files that the records may need.
 */
export class MemoryWindows {
  readonly #disk: RecordStore;
  readonly #clock: Clock;
  readonly #own = newWindowIdentity();
  #isMarked = false;

  constructor(disk: RecordStore, clock: Clock) {
    this.#disk = disk;
    this.#clock = clock;
  }

  /** Marks this window until {@link unmark}. Rejects with the system's error; the next call tries again. */
  async mark(): Promise<void> {
    if (this.#isMarked) return;
    this.#isMarked = true;
    try {
      await this.#disk.write(this.#name, format, { ...this.#own, since: this.#clock.now() });
    } catch (error) {
      this.#isMarked = false;
      throw error;
    }
  }

  /** Removes the mark of this window. Rejects with the system's error. */
  async unmark(): Promise<void> {
    if (this.#isMarked) await this.#disk.remove(this.#name);
    this.#isMarked = false;
  }

  /**
   * Whether a running window may be marked, which includes windows of a newer version. Removes the marks of ended
   * windows, old marks, and damaged ones. Rejects with the system's error.
   */
  async isAnyRunning(): Promise<boolean> {
    let isAny = false;
    for (const name of await this.#disk.list(subfolder)) {
      const read = await this.#disk.read(name, format);
      if (read.kind === 'record') {
        if (this.#isOver(read.record)) await this.#disk.remove(name);
        else isAny = true;
      } else if (read.kind === 'unreadable') {
        if (read.cause === 'damaged') await this.#disk.remove(read.keptAs);
        else isAny = true;
      }
    }
    return isAny;
  }

  #isOver(mark: z.output<typeof schema>): boolean {
    return hasSurelyEnded(mark) || Math.abs(this.#clock.now() - mark.since) > longestMs;
  }

  get #name(): string {
    return `${subfolder}/${this.#own.windowId}.json`;
  }
}
