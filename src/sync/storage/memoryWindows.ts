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
 * Marks on disk for the windows that keep records in memory (see `RecordStores`). Other windows don't see these records,
 * and so must not remove files that they may need.
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

  /** Marks this window until {@link unmark}. Rejects with the system's error. */
  async mark(): Promise<void> {
    if (this.#isMarked) return;
    this.#isMarked = true;
    await this.#disk.write(this.#name, format, { ...this.#own, since: this.#clock.now() });
  }

  /** Removes the mark of this window. Rejects with the system's error. */
  async unmark(): Promise<void> {
    if (this.#isMarked) await this.#disk.remove(this.#name);
    this.#isMarked = false;
  }

  /** Whether a running window may be marked. Removes the marks of others. Rejects with the system's error. */
  async isAnyRunning(): Promise<boolean> {
    let isAny = false;
    for (const name of await this.#disk.list(subfolder)) {
      const read = await this.#disk.read(name, format);
      const isOver =
        read.kind !== 'record' ||
        hasSurelyEnded(read.record) ||
        Math.abs(this.#clock.now() - read.record.since) > longestMs;
      if (!isOver) isAny = true;
      else if (read.kind === 'record') await this.#disk.remove(name);
      else if (read.kind === 'unreadable' && read.cause === 'damaged') await this.#disk.remove(read.keptAs);
    }
    return isAny;
  }

  get #name(): string {
    return `${subfolder}/${this.#own.windowId}.json`;
  }
}
