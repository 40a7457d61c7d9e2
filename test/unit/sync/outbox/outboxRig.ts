import type { SessionStatus } from '../../../../src/api/resources/session.ts';
import type { SendCondition, SendTime } from '../../../../src/shared/protocol/vocabulary.ts';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../../src/shared/log.ts';
import type { OutboxEntry } from '../../../../src/state/store/outboxEntry.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { Blobs } from '../../../../src/sync/storage/blobs.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import type { Clock } from '../../../../src/sync/storage/clock.ts';
import type { RecordFormat } from '../../../../src/sync/storage/recordFormat.ts';
import { type RecordStore, type RecordRead, openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { Outbox } from '../../../../src/sync/outbox/outbox.ts';
import { ServiceClocks, ServicePauses } from '../../../../src/sync/connection/serviceLimits.ts';
import { newWindowIdentity, type WindowIdentity } from '../../../../src/sync/storage/windowIdentity.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { until } from '../../../fakes/until.ts';
import { MemoryService, type MemoryServiceHabits } from './memoryService.ts';

export const origin = 'https://service.test';

export function keyOf(sessionId: string): SessionKey {
  return { origin, sessionId };
}

export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'lineside-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** An outbox over real files and a real store, with a clock and a service that the test controls. */
export class OutboxRig {
  readonly clock: FakeClock;
  readonly service: MemoryService;
  readonly folder: string;
  disk!: CountingDisk;
  blobs!: Blobs;
  store!: Store;
  outbox!: Outbox;
  clocks!: ServiceClocks;
  isOnline = true;
  whileRunning: SendTime = 'now';
  isTemporary = false;
  /** The clock of this window's computer minus `clock`, in ms. Timers don't depend on it. */
  clockOffsetMs = 0;
  /**
   * True while the window is suspended: its timers don't run, and it doesn't learn of changes to files. Requests and
   * writes that are in progress continue.
   */
  isSuspended = false;
  /** What a suspended window does when it resumes. */
  readonly #due: (() => void)[] = [];
  #heldWrites: { readonly entryId: string; readonly until: Promise<void>; isReached: boolean } | undefined;
  #releaseWrites: () => void = () => undefined;
  readonly #removeFolder: () => Promise<void>;
  /** Stays the same after a restart, so that the new window doesn't mistake the old one for another running window. */
  readonly #window: WindowIdentity;

  private constructor(
    folder: string,
    removeFolder: () => Promise<void>,
    habits: Partial<MemoryServiceHabits>,
    first?: OutboxRig,
    computer: Pick<Partial<WindowIdentity>, 'host'> = {},
  ) {
    this.folder = folder;
    this.#window = { ...newWindowIdentity(), ...computer };
    this.#removeFolder = removeFolder;
    this.clock = first?.clock ?? new FakeClock();
    this.service = first?.service ?? new MemoryService(this.clock, habits);
  }

  /** Opens another window with the same folder, clock, and service, on the same computer or one with another name. */
  async secondWindow(
    sessionIds: readonly string[] = ['s1'],
    computer: Pick<Partial<WindowIdentity>, 'host'> = {},
  ): Promise<OutboxRig> {
    const other = new OutboxRig(this.folder, () => Promise.resolve(), {}, this, computer);
    await other.start(sessionIds);
    return other;
  }

  static async open(
    habits: Partial<MemoryServiceHabits> = {},
    sessionIds: readonly string[] = ['s1'],
  ): Promise<OutboxRig> {
    const { path, remove } = await temporaryFolder();
    const rig = new OutboxRig(path, remove, habits);
    await rig.start(sessionIds);
    return rig;
  }

  async start(sessionIds: readonly string[]): Promise<void> {
    const ownClock = this.#ownClock();
    const renameFile = (from: string, to: string) => this.#rename(from, to);
    const disk = await openDisk(this.folder, silentLog, this.clock, renameFile);
    this.disk = new CountingDisk(disk, (task) => this.#unlessSuspended(task));
    this.blobs = new Blobs(this.folder, silentLog, this.clock);
    this.store = new Store(memoryBodies());
    this.clocks = new ServiceClocks();
    const records = new RecordStores(this.disk);
    if (this.isTemporary) records.keepInMemory(origin);
    this.outbox = new Outbox({
      clocks: this.clocks,
      records,
      blobs: this.blobs,
      store: this.store,
      clock: ownClock,
      log: silentLog,
      whileRunning: () => this.whileRunning,
      window: this.#window,
      pauses: new ServicePauses(records, ownClock, silentLog),
      apiFor: (asked) => (this.isOnline && asked === origin ? this.service : undefined),
    });
    this.store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
    for (const sessionId of sessionIds) this.store.addSession({ key: keyOf(sessionId), addedAt: 1 });
    await this.outbox.load();
    await this.idle();
  }

  /** Ends the window as a crash would, so that nothing more is saved, and starts a new one. */
  async restart(sessionIds: readonly string[] = ['s1']): Promise<void> {
    this.outbox.dispose();
    this.store.dispose();
    await this.idle();
    await this.start(sessionIds);
  }

  /** A clock that fires no timers while the window is suspended. When the window resumes, all due timers fire. */
  #ownClock(): Clock {
    const { clock } = this;
    return {
      now: () => this.now,
      random: () => clock.random(),
      after: (delayMs, task) => clock.after(delayMs, () => this.#unlessSuspended(task)),
    };
  }

  #unlessSuspended(task: () => void): void {
    if (this.isSuspended) this.#due.push(task);
    else task();
  }

  /** Blocks every save of an entry until `release` is called. Until then, `idle` doesn't resolve. */
  holdWrites(entryId: string) {
    const held = { entryId, until: new Promise<void>((resolve) => (this.#releaseWrites = resolve)), isReached: false };
    this.#heldWrites = held;
    return {
      reached: () => until(() => held.isReached, 'a write'),
      release: () => {
        this.#heldWrites = undefined;
        this.#releaseWrites();
      },
    };
  }

  async #rename(from: string, to: string): Promise<void> {
    const held = this.#heldWrites;
    if (held && to.includes(held.entryId)) {
      held.isReached = true;
      await held.until;
    }
    await rename(from, to);
  }

  /** Resumes the suspended window, and runs everything that was due in the meantime. */
  resume(): void {
    this.isSuspended = false;
    for (const task of this.#due.splice(0)) task();
  }

  /** The time by this window's clock, in Unix ms. */
  get now(): number {
    return this.clock.now() + this.clockOffsetMs;
  }

  entries(sessionId = 's1'): readonly OutboxEntry[] {
    return this.store.record(keyOf(sessionId))?.outbox ?? [];
  }

  states(sessionId = 's1'): string[] {
    return this.entries(sessionId).map(({ state }) => state);
  }

  /** Adds a message 1 ms after the previous one. */
  enqueue(text: string, sessionId = 's1', after?: SendCondition, when?: SendTime): Promise<OutboxEntry> {
    this.clock.advance(1);
    return this.outbox.enqueue(keyOf(sessionId), { text, attachments: [], after, when });
  }

  /**
   * Updates the session in the store to its current state on the service, in response to the request with this number.
   */
  readSession(sessionId = 's1', status: SessionStatus = 'idle', requestNumber = this.store.countRequest()): void {
    const at = this.clock.now() + this.service.habits.skewMs;
    const messageCount = this.service.messages(sessionId).length;
    const session = { sessionId, status, messageCount, createdAt: at, updatedAt: at };
    this.store.takeSession(keyOf(sessionId), session, this.now, requestNumber);
  }

  /** Adds the messages to the store, as a poll would. */
  poll(sessionId = 's1'): void {
    this.clocks.learn(origin, this.service.dateHeaderMs, this.now);
    this.store.takeMessages(keyOf(sessionId), this.service.listed(sessionId));
  }

  /** Waits for the POST with the number `count`, counting from 1. */
  async post(count: number) {
    await until(() => this.service.posts.length >= count, `post ${count}`);
    return this.service.posts[count - 1]!;
  }

  /** Waits until no disk call is running and all follow-up work has finished. */
  idle(): Promise<void> {
    return this.disk.idle();
  }

  /**
   * Advances the clock from timer to timer until `condition` holds. The clock stops while a disk call is running,
   * because a call that took longer than a lease lasts would cost the window its lease again and again.
   */
  async advanceUntil(condition: () => boolean, what?: string): Promise<void> {
    await until(async () => {
      await this.idle();
      if (condition()) return true;
      this.clock.advanceToNext();
      return false;
    }, what);
  }

  /** Advances the clock until no search is running. */
  searchToEnd(): Promise<void> {
    return this.advanceUntil(() => !this.entries().some(({ isSearching }) => isSearching), 'the end of the search');
  }

  async close(): Promise<void> {
    this.#releaseWrites();
    this.outbox.dispose();
    await this.idle();
    await this.#removeFolder();
  }
}

/** A real disk that counts its pending calls. */
export class CountingDisk implements RecordStore {
  pending = 0;
  /** The names of the files that `create` has created. */
  readonly created: string[] = [];
  /** If set, writes fail with this error. */
  writeError: Error | undefined;
  /** Delays each write. Delayed writes count as pending. */
  delayWrite: () => Promise<void> = () => Promise.resolve();
  /** Delays the results of reads of an entry until `until` resolves. */
  held: { readonly entryId: string; readonly until: Promise<void>; isRead: boolean } | undefined;
  readonly #disk: RecordStore;
  /** Runs the listeners for changes to files. */
  readonly #deliver: (task: () => void) => void;

  constructor(disk: RecordStore, deliver: (task: () => void) => void = (task) => task()) {
    this.#disk = disk;
    this.#deliver = deliver;
  }

  write: RecordStore['write'] = (name, format, record) => {
    const write = (): Promise<void> =>
      this.writeError ? Promise.reject(this.writeError) : this.#disk.write(name, format, record);
    return this.#count(this.delayWrite().then(write));
  };

  async read<T>(name: string, format: RecordFormat<T>): Promise<RecordRead<T>> {
    const held = this.held && name.includes(this.held.entryId) ? this.held : undefined;
    const read = await this.#count(this.#disk.read(name, format));
    if (held) held.isRead = true;
    await held?.until;
    return read;
  }

  list(subfolder: string): Promise<string[]> {
    return this.#count(this.#disk.list(subfolder));
  }

  hasQuarantined(subfolder: string): Promise<boolean> {
    return this.#count(this.#disk.hasQuarantined(subfolder));
  }

  remove: RecordStore['remove'] = (name, format) => this.#count(this.#disk.remove(name, format));

  retire: RecordStore['retire'] = (name, format) => this.#count(this.#disk.retire(name, format));

  retireTagged: RecordStore['retireTagged'] = (name, format, tag) =>
    this.#count(this.#disk.retireTagged(name, format, tag));

  settle: RecordStore['settle'] = (subfolder, format) => this.#count(this.#disk.settle(subfolder, format));

  names(subfolder: string): Promise<string[]> {
    return this.#count(this.#disk.names(subfolder));
  }

  async create(name: string, text: string): Promise<boolean> {
    const isMade = await this.#count(this.#disk.create(name, text));
    if (isMade) this.created.push(name);
    return isMade;
  }

  overwrite(name: string, text: string): Promise<boolean> {
    return this.#count(this.#disk.overwrite(name, text));
  }

  readText(name: string): Promise<string | undefined> {
    return this.#count(this.#disk.readText(name));
  }

  contentId(name: string): Promise<string | undefined> {
    return this.#count(this.#disk.contentId(name));
  }

  watch: RecordStore['watch'] = (subfolder, listener) =>
    this.#disk.watch(subfolder, (name) => this.#deliver(() => listener(name)));

  flush(): Promise<void> {
    return this.#disk.flush();
  }

  /**
   * Waits until no call is running and none has begun for several turns of the event loop, because follow-up work may
   * be about to begin.
   */
  async idle(): Promise<void> {
    for (let quietTurns = 0; quietTurns < 4;) {
      await new Promise((resolve) => setImmediate(resolve));
      quietTurns = this.pending === 0 ? quietTurns + 1 : 0;
    }
  }

  async #count<T>(call: Promise<T>): Promise<T> {
    this.pending++;
    try {
      return await call;
    } finally {
      this.pending--;
    }
  }
}
