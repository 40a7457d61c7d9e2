import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { Clock } from '../storage/clock.ts';
import type { ReleaseRequest } from './leaseFiles.ts';
import type { Lease, LeaseChange } from './sessionLease.ts';

/** The delay after yielding the lease before this window tries to acquire it again. */
const yieldMs = 2_000;
/** The delay before this window tries to acquire the lease again after the entries could not be read. */
const retryMs = 5_000;
/** The maximum time for which a user's decision waits for another window to release the queue. */
const decisionTimeoutMs = 15_000;

/** The files of the queues, which other windows change too. */
export interface QueueFiles {
  /** Applies all entries on disk to memory. The read starts after this call. Rejects with the system's error. */
  reload(): Promise<void>;
}

/** A period in which this window owns the queue of a session. */
export interface Ownership {
  /**
   * Aborts if the period ends because another window owns or may own the queue. Nothing more is sent, and the files
   * take precedence. Doesn't abort if this window releases the queue.
   */
  readonly lost: AbortSignal;
  /** Whether the period has not ended. */
  readonly isCurrent: boolean;
  /** Checks on disk, immediately before a message is sent, that the period has not ended. */
  confirm(): Promise<boolean>;
}

/**
 * The ownership of the queue of a session. A window owns the queue if it holds the lease and has read the files since
 * acquiring it (R35). Only the owner sends messages or decides about them.
 */
export class QueueOwnership {
  readonly #lease: Lease;
  readonly #files: QueueFiles;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changed = new Emitter<readonly ReleaseRequest[]>();
  readonly #acquired = new Emitter<undefined>();
  #current: OwnershipPeriod | undefined;
  #isWanted = false;
  #backoff: Disposable | undefined;
  #ending: Promise<void> | undefined;

  constructor(lease: Lease, files: QueueFiles, clock: Clock, log: Log) {
    this.#lease = lease;
    this.#files = files;
    this.#clock = clock;
    this.#log = log;
    lease.onDidChange((change) => this.#handleLeaseChange(change));
  }

  /**
   * Fires when this window should check {@link isWanted} if it owns the queue, and otherwise may be able to {@link own}
   * it. The value contains the requests that other windows have made since the last event.
   */
  readonly onDidChange = this.#changed.event;

  /** Undefined while this window does not own the queue. */
  get current(): Ownership | undefined {
    return this.#current;
  }

  /** Whether another window wants the queue. Yield it once nothing is in flight. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Whether another window owns the queue as far as this window knows. */
  get isElsewhere(): boolean {
    return this.#lease.isHeldElsewhere;
  }

  /**
   * Whether this window waits before it tries to acquire the queue again, because it yielded the queue or couldn't read
   * the files.
   */
  get isBackingOff(): boolean {
    return this.#backoff !== undefined;
  }

  /**
   * Acquires the queue. Call this only if this window neither owns the queue nor is acquiring it. Resolves to undefined
   * if another window owns it, if the files can't be read, or after {@link close}. Never rejects.
   */
  async own(): Promise<Ownership | undefined> {
    if (!(await this.#lease.acquire())) return undefined;
    try {
      await this.#files.reload();
    } catch (error) {
      this.#log.error(`outbox: couldn't read the entries: ${reasonOf(error)}`);
      this.#backOff(retryMs);
      await this.#lease.release();
      return undefined;
    }
    if (this.#ending) return undefined;
    // The lease may have been lost while the files were read.
    if (!this.#lease.isHeld) return this.own();
    this.#current = new OwnershipPeriod(this.#lease);
    this.#acquired.fire(undefined);
    return this.#current;
  }

  /** Releases the queue because no work is left. Resolves when other windows can see that. */
  release(): Promise<void> {
    this.#endPeriod();
    return this.#lease.release();
  }

  /** Releases the queue so that another window can acquire it first. Resolves when other windows can see that. */
  yield(): Promise<void> {
    this.#backOff(yieldMs);
    return this.release();
  }

  /** Stops waiting for a queue that another window owns. */
  stopWaiting(): void {
    this.#lease.stopWaiting();
  }

  /** Lets this window try to acquire the queue again immediately, because the user has made a decision. */
  endBackoff(): void {
    this.#backoff?.dispose();
    this.#backoff = undefined;
  }

  /**
   * Asks the window that owns the queue to yield it as soon as nothing is in flight. Resolves when this window owns the
   * queue, or too much time has passed. {@link onDidChange} fires when the caller should call {@link own}. Rejects with
   * the system's error.
   */
  async request(request: ReleaseRequest): Promise<void> {
    const name = await this.#lease.requestRelease(request);
    // The other window may have released the queue meanwhile.
    if (!this.#current) await this.#acquisition();
    await this.#lease.withdrawRequest(name);
  }

  #acquisition(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        timer.dispose();
        subscription.dispose();
        resolve();
      };
      const timer = this.#clock.after(decisionTimeoutMs, end);
      const subscription = this.#acquired.event(end);
      this.#changed.fire([]);
    });
  }

  /** Ends the ownership for good. The lease is released when `saved` resolves (R45). */
  close(saved: Promise<void>): void {
    this.#acquired.dispose();
    this.endBackoff();
    this.#endPeriod();
    this.#lease.stop();
    this.#ending ??= saved.then(() => this.#lease.dispose());
  }

  /** Call this after `close` and the last `own`. Resolves when other windows can see that the lease is free. */
  async released(): Promise<void> {
    await this.#ending;
    await this.#lease.release();
  }

  #handleLeaseChange(change: LeaseChange): void {
    if (change.kind === 'lost') {
      this.#endPeriod()?.lose();
      return;
    }
    const requests = change.kind === 'requested' ? change.requests : [];
    if (requests.length > 0) this.#isWanted = true;
    this.#changed.fire(requests);
  }

  #endPeriod(): OwnershipPeriod | undefined {
    const ended = this.#current;
    this.#current = undefined;
    this.#isWanted = false;
    ended?.end();
    return ended;
  }

  #backOff(forMs: number): void {
    this.endBackoff();
    this.#backoff = this.#clock.after(forMs, () => {
      this.#backoff = undefined;
      this.#changed.fire([]);
    });
  }
}

class OwnershipPeriod implements Ownership {
  readonly #lease: Lease;
  readonly #loss = new AbortController();
  #hasEnded = false;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  get isCurrent(): boolean {
    return !this.#hasEnded;
  }

  async confirm(): Promise<boolean> {
    if (this.#hasEnded || !(await this.#lease.confirm())) return false;
    return this.isCurrent;
  }

  end(): void {
    this.#hasEnded = true;
  }

  lose(): void {
    this.#loss.abort();
  }
}
