import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { Clock } from '../storage/clock.ts';
import type { ReleaseRequest } from './leaseFiles.ts';
import type { Lease, LeaseListener } from './sessionLease.ts';

/** The delay after yielding the lease before this window tries to acquire it again. */
const yieldMs = 2_000;
/** The delay before the next attempt after the entries could not be read. */
const retryMs = 5_000;
/** The maximum time for which a user's decision waits for another window to release the queue. */
const decisionTimeoutMs = 15_000;

/** A queue that only one window at a time can own. */
export interface OwnedQueue {
  /** Creates the lease. Called once, by the constructor of {@link QueueOwnership}. */
  createLease(listener: LeaseListener): Lease;
  /** Applies all entries on disk to memory. Rejects with the system's error. */
  reload(): Promise<void>;
  /**
   * Called when this window owns the queue and has read the files. Handles messages that another window left
   * unfinished.
   */
  onOwnershipAcquired(): void;
  /** Called when another window owns or may own the queue. Nothing more is sent, and the files take precedence. */
  onOwnershipLost(): void;
  /** Called when another window wants the queue. Yields it once nothing is in flight. */
  onYieldRequested(requests: readonly ReleaseRequest[]): void;
  /** Runs the work that is possible now. */
  advance(): void;
  /** Notifies callers that wait for an outcome. */
  announce(): void;
  /** Resolves when no save is running. A closing window releases the lease only then (R45). */
  savesFinished(): Promise<void>;
}

/** Identifies one period of ownership, from acquiring the queue to losing it. */
export type OwnershipId = symbol;

/**
 * Tracks whether this window owns the queue of a session: it holds the lease and has read the files since acquiring it
 * (R35). Only the owner sends messages or decides about them.
 */
export class QueueOwnership implements LeaseListener, Disposable {
  readonly #queue: OwnedQueue;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lease: Lease;
  readonly #acquired = new Emitter<undefined>();
  #id: OwnershipId | undefined;
  #acquiring: Promise<void> | undefined;
  #backoff: Disposable | undefined;
  #shouldRetry = false;
  #decisions = 0;
  #ending: Promise<void> | undefined;

  constructor(queue: OwnedQueue, clock: Clock, log: Log) {
    this.#queue = queue;
    this.#clock = clock;
    this.#log = log;
    this.#lease = queue.createLease(this);
  }

  /** Undefined while this window does not own the queue. */
  get ownershipId(): OwnershipId | undefined {
    return this.#lease.isHeld ? this.#id : undefined;
  }

  /**
   * Whether this window is acquiring the queue or waiting to try again, or another window owns it as far as this window
   * knows.
   */
  get isElsewhere(): boolean {
    return this.#acquiring !== undefined || this.#backoff !== undefined || this.#lease.isHeldElsewhere;
  }

  /** Whether a user's decision is being carried out. No other work starts in the meantime. */
  get isDeciding(): boolean {
    return this.#decisions > 0;
  }

  /** Checks on disk, immediately before a message is sent, that this period of ownership has not ended. */
  async confirm(id: OwnershipId): Promise<boolean> {
    return this.ownershipId === id && (await this.#lease.confirm()) && this.ownershipId === id;
  }

  /** Starts to acquire the queue, unless an attempt is in progress or the queue was just yielded. */
  acquire(): void {
    this.#shouldRetry = this.#acquiring !== undefined;
    if (!this.ownershipId && !this.#acquiring && !this.#backoff) void this.#acquire();
  }

  /** Releases the queue because no work is left. */
  release(): void {
    this.#id = undefined;
    void this.#lease.release().then(() => this.#queue.advance());
  }

  /** Releases the queue so that another window can acquire it first. */
  yieldOwnership(): void {
    this.#backOff(yieldMs);
    this.release();
  }

  /** Stops waiting for a queue that another window owns. */
  stopWaiting(): void {
    if (!this.#acquiring) this.#lease.stopWaiting();
  }

  /** Call this when a file in the lease folder has changed. `name` is undefined if any file may have changed. */
  handleLeaseFileChange(name: string | undefined): void {
    this.#lease.handleFileChange(name);
  }

  /**
   * Runs a user's decision as owner. If another window owns the queue, it is asked to yield as soon as nothing is in
   * flight. Resolves to undefined if this window could not become the owner in time.
   */
  async runDecision<T>(request: ReleaseRequest, decision: () => T | Promise<T>): Promise<T | undefined> {
    this.#decisions++;
    try {
      return (await this.#becomeOwner(request)) ? await decision() : undefined;
    } finally {
      this.#decisions--;
      this.#queue.advance();
    }
  }

  onLeaseLost(): void {
    this.#id = undefined;
    this.#queue.onOwnershipLost();
  }

  onReleaseRequested(requests: readonly ReleaseRequest[]): void {
    this.#queue.onYieldRequested(requests);
  }

  onLeaseAvailable(): void {
    this.#queue.advance();
  }

  dispose(): void {
    this.#acquired.dispose();
    this.#backoff?.dispose();
    this.#id = undefined;
    this.#lease.stop();
    this.#ending ??= this.#queue.savesFinished().then(() => this.#lease.dispose());
  }

  /** Call this after `dispose`. Resolves when other windows can see that the lease is free. */
  async released(): Promise<void> {
    await this.#ending;
    await this.#acquiring;
    await this.#lease.release();
  }

  async #becomeOwner(request: ReleaseRequest): Promise<boolean> {
    if (this.ownershipId) return true;
    this.#endBackoff();
    await (this.#acquiring ?? this.#acquire());
    if (!this.#isOwner()) await this.#waitForOther(request);
    return this.#isOwner();
  }

  async #waitForOther(request: ReleaseRequest): Promise<void> {
    const name = await this.#lease.requestRelease(request);
    await new Promise<void>((resolve) => {
      const end = () => {
        timer.dispose();
        subscription.dispose();
        resolve();
      };
      const timer = this.#clock.after(decisionTimeoutMs, end);
      const subscription = this.#acquired.event(end);
      this.#queue.advance();
    });
    await this.#lease.withdrawRequest(name);
  }

  #isOwner(): boolean {
    return this.ownershipId !== undefined;
  }

  #acquire(): Promise<void> {
    this.#acquiring = this.#acquireLease().finally(() => {
      this.#acquiring = undefined;
      // Try again if `acquire` was called during this attempt, for example because the lease became free.
      if (this.#shouldRetry) this.acquire();
      if (this.ownershipId) this.#acquired.fire(undefined);
      this.#queue.announce();
    });
    return this.#acquiring;
  }

  async #acquireLease(): Promise<void> {
    if (!(await this.#lease.acquire())) return;
    try {
      await this.#queue.reload();
    } catch (error) {
      this.#log.error(`outbox: couldn't read the entries: ${reasonOf(error)}`);
      this.#backOff(retryMs);
      await this.#lease.release();
      return;
    }
    if (!this.#lease.isHeld || this.#ending) return;
    this.#id = Symbol('ownership');
    this.#queue.onOwnershipAcquired();
  }

  #backOff(forMs: number): void {
    this.#endBackoff();
    this.#backoff = this.#clock.after(forMs, () => {
      this.#backoff = undefined;
      this.#queue.advance();
    });
  }

  #endBackoff(): void {
    this.#backoff?.dispose();
    this.#backoff = undefined;
  }
}
