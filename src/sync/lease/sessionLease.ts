import { type Disposable, Emitter, type Event, onDispose } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Clock } from '../storage/clock.ts';
import type { RecordStore } from '../storage/recordStore.ts';
import { type WindowIdentity, hasSurelyEnded } from '../storage/windowIdentity.ts';
import { type HeldLease, LeaseFiles, type ObservedLease, type ReleaseRequest } from './leaseFiles.ts';

/** The interval between heartbeats of the holder, and between checks by a waiting window. */
const beatMs = 5_000;
/**
 * The time since its last heartbeat after which a holder must assume that its window was suspended and that another
 * window may have the lease.
 */
const maxBeatGapMs = 10_000;
/** The time without a heartbeat, measured by this window's checks, after which a holder is considered gone. */
const maxSilenceMs = 30_000;

/** The right to send the messages of a session. */
export interface Lease extends Disposable {
  readonly isHeld: boolean;
  /** Whether another window holds it, as far as this window knows. */
  readonly isHeldElsewhere: boolean;
  readonly onDidChange: Event<LeaseChange>;
  /**
   * Acquires the lease if it is free or its holder is gone. Resolves to whether this window holds it; if not, the lease
   * may become `available` later. Never rejects.
   */
  acquire(): Promise<boolean>;
  /**
   * Checks on disk that the lease is still held. If it isn't, if that can't be determined, or if this window was
   * suspended, gives the lease up, and {@link onDidChange} fires. Call this immediately before each message is sent.
   * Never rejects.
   */
  confirm(): Promise<boolean>;
  /**
   * Releases the lease if this window holds it. Resolves when other windows can see that it is free. Never rejects: if
   * the file can't be removed, that is logged, and other windows take the lease after 30 s without a heartbeat.
   */
  release(): Promise<void>;
  /** Stops waiting for a lease that another window holds. */
  stopWaiting(): void;
  /**
   * Asks the holder to release the lease. Resolves to the name of the request. Rejects with the system's error, as does
   * `withdrawRequest`.
   */
  requestRelease(request: ReleaseRequest): Promise<string>;
  withdrawRequest(name: string): Promise<void>;
  /** Stops all timers and prevents further acquisitions. A held lease stays held until it is released. */
  stop(): void;
}

/**
 * What happened to a lease:
 * - `lost`: it is no longer held, because another window has it or may have it;
 * - `requested`: it is held, and other windows want it;
 * - `available`: it is not held, and may be free. Try to acquire it again.
 */
export type LeaseChange =
  | { readonly kind: 'lost' | 'available' }
  | { readonly kind: 'requested'; readonly requests: readonly ReleaseRequest[] };

/** Creates the leases of all sessions for one window, and notifies them of changes in their folder. */
export class SessionLeases {
  readonly #disk: RecordStore;
  readonly #window: WindowIdentity;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #leases: SessionLease[] = [];

  constructor(disk: RecordStore, window: WindowIdentity, clock: Clock, log: Log) {
    this.#disk = disk;
    this.#window = window;
    this.#clock = clock;
    this.#log = log;
  }

  create(key: SessionKey): Lease {
    const lease = new SessionLease(new LeaseFiles(this.#disk, this.#window, key), this.#clock, this.#log);
    this.#leases.push(lease);
    return lease;
  }

  /** Follows the changes that all windows make, until the returned object is disposed. */
  watch(): Disposable {
    return this.#disk.watch('leases', (name) => {
      for (const lease of this.#leases) lease.handleFileChange(name);
    });
  }
}

/** The lease of a session that only this window knows about; it is always held. */
export const privateLease: Lease = {
  isHeld: true,
  isHeldElsewhere: false,
  onDidChange: () => onDispose(() => undefined),
  acquire: () => Promise.resolve(true),
  confirm: () => Promise.resolve(true),
  release: () => Promise.resolve(),
  stopWaiting: () => undefined,
  requestRelease: () => Promise.resolve(''),
  withdrawRequest: () => Promise.resolve(),
  stop: () => undefined,
  dispose: () => undefined,
};

/**
 * A lease for which all windows with the same data folder compete; only one window at a time holds it (R35). The file
 * is authoritative: {@link confirm} reads it immediately before each message is sent. Silence is counted in checks
 * rather than in time, so that neither a changed clock nor a sleeping machine can make a holder appear silent.
 */
export class SessionLease implements Lease {
  readonly #files: LeaseFiles;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changed = new Emitter<LeaseChange>();
  #held: HeldLease | undefined;
  #beats = 0;
  #lastBeatAt = 0;
  #timer: Disposable | undefined;
  #isHeldElsewhere = false;
  #silence: { readonly signature: string; readonly checks: number } | undefined;
  #releasing: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(files: LeaseFiles, clock: Clock, log: Log) {
    this.#files = files;
    this.#clock = clock;
    this.#log = log;
  }

  readonly onDidChange = this.#changed.event;

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  get isHeldElsewhere(): boolean {
    return this.#isHeldElsewhere;
  }

  async acquire(): Promise<boolean> {
    if (this.#held) return true;
    await this.#releasing;
    const startedAt = this.#clock.now();
    const held = await this.#tryAcquire();
    this.#held = held;
    if (this.#isStopped) {
      await this.release();
      return false;
    }
    this.#isHeldElsewhere = held === undefined;
    this.#lastBeatAt = startedAt;
    this.#silence = held ? undefined : this.#silence;
    // A failed attempt must not restart the timer, because the holder's silence is counted when it fires.
    if (held || !this.#timer) this.#scheduleBeat();
    return held !== undefined;
  }

  async confirm(): Promise<boolean> {
    const held = this.#held;
    if (!held) return false;
    const isValid = await this.#files.isValid(held).catch(() => false);
    if (this.#held !== held) return false;
    if (isValid && !this.#wasSuspended()) return true;
    this.#lose();
    return false;
  }

  release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    this.#stopTimer();
    if (held) {
      this.#releasing = this.#files.release(held).catch((error: unknown) => {
        this.#log.warn(`lease: couldn't release: ${reasonOf(error)}`);
      });
    }
    return this.#releasing;
  }

  stopWaiting(): void {
    this.#isHeldElsewhere = false;
    this.#silence = undefined;
    if (!this.#held) this.#stopTimer();
  }

  requestRelease(request: ReleaseRequest): Promise<string> {
    return this.#files.requestRelease(request);
  }

  withdrawRequest(name: string): Promise<void> {
    return this.#files.withdrawRequest(name);
  }

  /** Call this when a file in the lease folder has changed. `name` is undefined if any file may have changed. */
  handleFileChange(name: string | undefined): void {
    if (this.#isStopped || (name !== undefined && !this.#files.isOwnFile(name))) return;
    if (this.#held) void this.#checkRequests();
    else this.#changed.fire({ kind: 'available' });
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
  }

  dispose(): void {
    this.stop();
    void this.release();
  }

  async #tryAcquire(): Promise<HeldLease | undefined> {
    try {
      const observed = await this.#files.current();
      if (observed && !this.#isAbandoned(observed)) {
        const { signature } = observed;
        if (this.#silence?.signature !== signature) this.#silence = { signature, checks: 0 };
        return undefined;
      }
      const held = await this.#files.acquire(observed);
      if (observed && held) this.#log.info('lease: acquired from a window that is gone');
      return held;
    } catch (error) {
      this.#log.warn(`lease: couldn't acquire: ${reasonOf(error)}`);
      return undefined;
    }
  }

  #isAbandoned({ signature, window }: ObservedLease): boolean {
    const isSilent = this.#silence?.signature === signature && this.#silence.checks * beatMs >= maxSilenceMs;
    return isSilent || (window !== undefined && (this.#files.isOwnWindow(window) || hasSurelyEnded(window)));
  }

  #scheduleBeat(): void {
    this.#stopTimer();
    this.#timer = this.#clock.after(beatMs, () => {
      this.#timer = undefined;
      void (this.#held ? this.#beat(this.#held) : this.#checkHolder());
    });
  }

  async #beat(held: HeldLease): Promise<void> {
    if (this.#wasSuspended()) {
      this.#lose();
      return;
    }
    this.#lastBeatAt = this.#clock.now();
    this.#scheduleBeat();
    try {
      if (await this.#files.isValid(held)) {
        // If the lease was released meanwhile, the file may be that of the next holder.
        if (this.#held === held) await this.#files.writeHeartbeat(held, ++this.#beats);
      } else if (this.#held === held) this.#lose();
      if (this.#held) await this.#checkRequests();
    } catch (error) {
      this.#log.warn(`lease: couldn't write the heartbeat: ${reasonOf(error)}`);
    }
  }

  /** Counts consecutive checks without a heartbeat from the holder. */
  async #checkHolder(): Promise<void> {
    const observed = await this.#files.current().catch(() => undefined);
    if (this.#isStopped || this.#held) return;
    const isSilent = observed !== undefined && observed.signature === this.#silence?.signature;
    const checks = isSilent && this.#silence ? this.#silence.checks + 1 : 0;
    this.#silence = observed && { signature: observed.signature, checks };
    this.#changed.fire({ kind: 'available' });
  }

  async #checkRequests(): Promise<void> {
    const requests = await this.#files.takeRequests().catch(() => []);
    if (requests.length > 0 && this.#held) this.#changed.fire({ kind: 'requested', requests });
  }

  #wasSuspended(): boolean {
    return this.#clock.now() - this.#lastBeatAt > maxBeatGapMs;
  }

  #lose(): void {
    this.#log.warn('lease: lost');
    this.#held = undefined;
    this.#stopTimer();
    this.#changed.fire({ kind: 'lost' });
  }

  #stopTimer(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
