import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { reasonOf } from '../../shared/log.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { QueueContext } from '../outbox/queueContext.ts';
import type { LeaseAsk } from './leaseFiles.ts';
import type { Lease } from './sessionLease.ts';

/** After it gave way to another window, a window stays away from the lease for so long. */
const awayMs = 2_000;
/** When the entries could not be read, the next try is so much later. */
const retryMs = 5_000;
/** A person who decided something waits no longer for another window to let go. */
const patienceMs = 15_000;

/** What a queue does at the turns of its charge. */
export interface ChargeEvents {
  /** This window is in charge and knows what lies on disk: what another window left halfway is to be settled. */
  readonly taken: () => void;
  /** Another window is in charge, or may be: nothing more may be sent, and what lies on disk is what is true. */
  readonly lost: () => void;
  /** Another window asks for the charge; it is to be given back once nothing is on its way. */
  readonly asked: (asks: readonly LeaseAsk[]) => void;
  /** It may be possible now to take charge. */
  readonly retry: () => void;
  /** Resolves when no write is under way. When the window ends, the lease is released only then (R45). */
  readonly written: () => Promise<void>;
}

/** Being in charge once, from taking to losing it: to be compared by identity. */
export type Term = object;

/**
 * Whether this window is in charge of a session's outgoing messages: it holds the lease, and has read what lies on disk
 * since (R35). Only then anything is sent, or decided about what is there.
 */
export class QueueOwnership implements Disposable {
  readonly #context: QueueContext;
  readonly #lease: Lease;
  readonly #events: ChargeEvents;
  readonly #changes = new Emitter<undefined>();
  #term: Term | undefined;
  #taking: Promise<void> | undefined;
  #away: Disposable | undefined;
  #isDueAgain = false;
  #deciders = 0;
  #ending: Promise<void> | undefined;

  constructor(key: SessionKey, context: QueueContext, events: ChargeEvents) {
    this.#context = context;
    this.#events = events;
    this.#lease = context.openLease(key, {
      lost: () => this.#lose(),
      asked: (asks) => events.asked(asks),
      retry: () => events.retry(),
    });
  }

  /** Undefined while this window is not in charge. */
  get term(): Term | undefined {
    return this.#lease.isHeld ? this.#term : undefined;
  }

  /** Whether it is being found out, or another window is in charge, as far as is known. */
  get isElsewhere(): boolean {
    return this.#taking !== undefined || this.#away !== undefined || this.#lease.isElsewhere;
  }

  /** Whether somebody is deciding what becomes of a message: nothing is begun meanwhile. */
  get isDeciding(): boolean {
    return this.#deciders > 0;
  }

  /** Just before a message goes: whether this window is in charge by the word of the disk. */
  async confirm(term: Term): Promise<boolean> {
    return this.term === term && (await this.#lease.confirm()) && this.term === term;
  }

  /** Tries to take charge, unless that is under way, or it was just given away. */
  take(): void {
    this.#isDueAgain = this.#taking !== undefined;
    if (!this.term && !this.#taking && !this.#away) void this.#take();
  }

  /** Gives the charge back; `away`: so that another window can have it. */
  letGo(away: boolean): void {
    if (away) this.#stayAway(awayMs);
    this.#term = undefined;
    void this.#lease.release().then(() => this.#events.retry());
  }

  /** Nothing is wanted of it. */
  forget(): void {
    if (!this.#taking) this.#lease.forget();
  }

  /** A file in the folder of leases changed. */
  notice(name: string | undefined): void {
    this.#lease.notice(name);
  }

  /**
   * Runs `task` in charge, as a person's decision: if need be another window is asked to give way, once nothing of it is
   * on its way. Undefined where that did not happen in time.
   */
  async decide<T>(ask: LeaseAsk, task: () => T | Promise<T>): Promise<T | undefined> {
    this.#deciders++;
    try {
      return (await this.#await(ask)) ? await task() : undefined;
    } finally {
      this.#deciders--;
      this.#events.retry();
    }
  }

  dispose(): void {
    this.#changes.dispose();
    this.#away?.dispose();
    this.#term = undefined;
    this.#lease.retire();
    this.#ending ??= this.#events.written().then(() => this.#lease.dispose());
  }

  /** After dispose: resolves when the other windows can see that the lease is free. */
  async released(): Promise<void> {
    await this.#ending;
    await this.#taking;
    await this.#lease.release();
  }

  async #await(ask: LeaseAsk): Promise<boolean> {
    if (this.term) return true;
    this.#endAway();
    await (this.#taking ?? this.#take());
    if (!this.#isInCharge()) await this.#askAndWait(ask);
    return this.#isInCharge();
  }

  async #askAndWait(ask: LeaseAsk): Promise<void> {
    const withdraw = await this.#lease.ask(ask);
    await new Promise<void>((resolve) => {
      const end = () => {
        timer.dispose();
        subscription.dispose();
        resolve();
      };
      const timer = this.#context.clock.after(patienceMs, end);
      const subscription = this.#changes.event(end);
      this.#events.retry();
    });
    await withdraw();
  }

  #isInCharge(): boolean {
    return this.term !== undefined;
  }

  #take(): Promise<void> {
    this.#taking = this.#takeNow().finally(() => {
      this.#taking = undefined;
      // What was said meanwhile, as that the lease is free, may not have been seen.
      if (this.#isDueAgain) this.take();
      if (this.term) this.#changes.fire(undefined);
      this.#context.announce();
    });
    return this.#taking;
  }

  async #takeNow(): Promise<void> {
    if (!(await this.#lease.acquire())) return;
    try {
      await this.#context.refold();
    } catch (error) {
      this.#context.log.error(`outbox: the entries could not be read: ${reasonOf(error)}`);
      this.#stayAway(retryMs);
      await this.#lease.release();
      return;
    }
    if (!this.#lease.isHeld || this.#ending) return;
    this.#term = {};
    this.#events.taken();
  }

  #lose(): void {
    this.#term = undefined;
    this.#events.lost();
  }

  #stayAway(forMs: number): void {
    this.#endAway();
    this.#away = this.#context.clock.after(forMs, () => {
      this.#away = undefined;
      this.#events.retry();
    });
  }

  #endAway(): void {
    this.#away?.dispose();
    this.#away = undefined;
  }
}
