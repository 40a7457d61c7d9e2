import { silentLog } from '../../../src/shared/log.ts';
import { type Disposable, onDispose } from '../../../src/shared/lifecycle.ts';
import type { SessionsApi } from '../../../src/api/sessionsApi.ts';
import { Store } from '../../../src/state/store/store.ts';
import type { Drafts } from '../../../src/sync/drafts/drafts.ts';
import { Outbox } from '../../../src/sync/outbox/outbox.ts';
import { ServiceClocks } from '../../../src/sync/connection/serviceLimits.ts';
import { Blobs } from '../../../src/sync/storage/blobs.ts';
import type { Clock } from '../../../src/sync/storage/clock.ts';
import { type RecordStore, openDisk } from '../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../src/sync/storage/recordStores.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';

export const origin = 'https://service.test';

/** A window's clock runs `speed` times as fast as real time. Both agree at `startedAt`, in Unix ms. */
export interface ClockTask {
  readonly speed: number;
  readonly startedAt: number;
}

/** The clock of a window in a process of its own. */
export function fastClock({ speed, startedAt }: ClockTask): Clock {
  return {
    now: () => startedAt + (Date.now() - startedAt) * speed,
    random: Math.random,
    after(delayMs, task): Disposable {
      const timer = setTimeout(task, delayMs / speed);
      return onDispose(() => clearTimeout(timer));
    },
  };
}

/** The parts of a window that drafts need. */
type DraftParts = Pick<ConstructorParameters<typeof Drafts>[0], 'records' | 'blobs' | 'store'>;

interface WindowOptions {
  /** Replaces the record store with one that fails. */
  readonly wrap?: (disk: RecordStore) => RecordStore;
  /** Creates the drafts from which messages are sent. */
  readonly draftsOf?: (parts: DraftParts) => Drafts;
}

/** A window on a real folder, in a process of its own. */
export class ProcessWindow {
  readonly clock: Clock;
  readonly store = new Store(memoryBodies());
  readonly records: RecordStores;
  readonly blobs: Blobs;
  readonly outbox: Outbox;
  readonly #disk: RecordStore;

  private constructor(
    folder: string,
    disk: RecordStore,
    clock: Clock,
    api: SessionsApi,
    draftsOf: WindowOptions['draftsOf'],
  ) {
    this.clock = clock;
    this.#disk = disk;
    this.records = new RecordStores(disk);
    this.blobs = new Blobs(folder, silentLog);
    this.outbox = new Outbox({
      records: this.records,
      blobs: this.blobs,
      store: this.store,
      clock,
      clocks: new ServiceClocks(),
      log: silentLog,
      drafts: draftsOf?.({ records: this.records, blobs: this.blobs, store: this.store }),
      apiFor: () => api,
    });
  }

  /** Opens the folder. Call `load` next. */
  static async open(
    folder: string,
    clock: Clock,
    api: SessionsApi,
    { wrap = (disk) => disk, draftsOf }: WindowOptions = {},
  ): Promise<ProcessWindow> {
    return new ProcessWindow(folder, wrap(await openDisk(folder, silentLog)), clock, api, draftsOf);
  }

  /** The number of entries that are still in the outbox. */
  get leftCount(): number {
    return this.store.records.reduce((sum, record) => sum + record.outbox.length, 0);
  }

  async load(sessionIds: readonly string[]): Promise<void> {
    for (const sessionId of sessionIds) this.store.addSession({ key: { origin, sessionId }, addedAt: 1 });
    await this.outbox.load();
    await this.blobs.sweep();
  }

  /** Ends the window as closing it would. */
  async close(): Promise<void> {
    this.outbox.dispose();
    await this.outbox.released();
    await this.#disk.flush();
  }
}
