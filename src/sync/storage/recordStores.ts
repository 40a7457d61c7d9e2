import { MemoryRecordStore } from './memoryRecordStore.ts';
import type { RecordStore } from './recordStore.ts';

/**
 * The record stores of a window: one on disk, and one in memory for services that end with the window (the demo). This
 * is the only place that decides which of them holds the records of a service.
 */
export class RecordStores {
  /** Also holds the records that belong to no service. */
  readonly disk: RecordStore;
  readonly #memory = new MemoryRecordStore();
  readonly #memoryOrigins = new Set<string>();

  constructor(disk: RecordStore) {
    this.disk = disk;
  }

  /** Keeps the records of a service in memory until the window ends. Call it before the first record is written. */
  keepInMemory(origin: string): void {
    this.#memoryOrigins.add(origin);
  }

  /** Whether the records of a service are on disk. */
  isOnDisk(origin: string): boolean {
    return !this.#memoryOrigins.has(origin);
  }

  /** The store for the records of a service. */
  of(origin: string): RecordStore {
    return this.isOnDisk(origin) ? this.disk : this.#memory;
  }
}
