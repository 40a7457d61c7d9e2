import { MemoryRecordStore } from './memoryRecordStore.ts';
import type { RecordStore } from './recordStore.ts';

/**
 * The record stores of a window: one on disk, and one in memory for services that stop when the window closes (the
 * demo). Only this class decides which store holds a service's records.
 */
export class RecordStores {
  /** Also holds the records that don't belong to a service. */
  readonly disk: RecordStore;
  readonly #memory = new MemoryRecordStore();
  readonly #memoryOrigins = new Set<string>();

  constructor(disk: RecordStore) {
    this.disk = disk;
  }

  /** Keeps a service's records in memory until the window closes. Call this before the first record is written. */
  keepInMemory(origin: string): void {
    this.#memoryOrigins.add(origin);
  }

  /** Whether a service's records are on disk. */
  isOnDisk(origin: string): boolean {
    return !this.#memoryOrigins.has(origin);
  }

  /** The store for a service's records. */
  of(origin: string): RecordStore {
    return this.isOnDisk(origin) ? this.disk : this.#memory;
  }
}
