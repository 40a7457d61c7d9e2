import type { Disposable } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { Clock } from '../storage/clock.ts';
import type { LeaseAsk, LeaseFiles, SeenLease, TakenLease } from './leaseFiles.ts';
import { hasSurelyEnded } from '../storage/windowIdentity.ts';

/** A holder gives a sign of life this often. */
const beatMs = 5_000;
/** A holder whose timer came this late may have been stopped, and others may have taken over meanwhile. */
const longestGapMs = 10_000;
/** A holder that was silent so long, by the count of our own looks, is taken to be gone. */
const longestSilenceMs = 30_000;

/** The right to send the messages of a session. */
export interface Lease extends Disposable {
  readonly isHeld: boolean;
  /** Whether another window had it when this one last wanted it. */
  readonly isElsewhere: boolean;
  /** Takes the lease if it is free, or its holder is gone. Otherwise `retry` is told when to try again. */
  acquire(): Promise<boolean>;
  /** Whether the lease is still held, by the word of the disk. To be asked just before each message goes. */
  confirm(): Promise<boolean>;
  /** Lets go of it. Resolves when others can see that. */
  release(): Promise<void>;
  /** It is not wanted any more: nothing waits for it. */
  forget(): void;
  /** Asks the window that has it to let go of it. Resolves to what takes the ask back. */
  ask(ask: LeaseAsk): Promise<() => Promise<void>>;
  /** A file in the folder of leases changed. */
  notice(name: string | undefined): void;
  /** Stops all timers and takes nothing any more. A lease that is held stays so until it is released. */
  retire(): void;
}

/** The lease of a session that no other window can know. */
export const ownLease: Lease = {
  isHeld: true,
  isElsewhere: false,
  acquire: () => Promise.resolve(true),
  confirm: () => Promise.resolve(true),
  release: () => Promise.resolve(),
  forget: () => undefined,
  ask: () => Promise.resolve(() => Promise.resolve()),
  notice: () => undefined,
  retire: () => undefined,
  dispose: () => undefined,
};

/** What a lease tells its owner. */
export interface LeaseEvents {
  /** It is not held any more: another window took over, or this one was stopped for a while. */
  readonly lost: () => void;
  /** Another window wants it. */
  readonly asked: (asks: readonly LeaseAsk[]) => void;
  /** It may be free now, or its time has come: worth another try. */
  readonly retry: () => void;
}

/**
 * A lease among the windows on one folder: held by one at a time (R35). What counts is the file: it is read
 * again by {@link confirm} just before each message goes. Silence is counted in looks, so that no clock that is set, and
 * no sleep of the machine, can make a holder seem silent.
 */
export class SessionLease implements Lease {
  readonly #files: LeaseFiles;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #events: LeaseEvents;
  #taken: TakenLease | undefined;
  #beats = 0;
  #lastBeatAt = 0;
  #timer: Disposable | undefined;
  #isElsewhere = false;
  #silence: { readonly sign: string; readonly looks: number } | undefined;
  #releasing: Promise<void> = Promise.resolve();
  #isRetired = false;

  constructor(files: LeaseFiles, clock: Clock, log: Log, events: LeaseEvents) {
    this.#files = files;
    this.#clock = clock;
    this.#log = log;
    this.#events = events;
  }

  get isHeld(): boolean {
    return this.#taken !== undefined;
  }

  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }

  async acquire(): Promise<boolean> {
    if (this.#taken) return true;
    await this.#releasing;
    const startedAt = this.#clock.now();
    const taken = await this.#take();
    if (this.#isRetired && taken) await this.#files.release(taken);
    if (this.#isRetired) return false;
    this.#taken = taken;
    this.#isElsewhere = taken === undefined;
    this.#lastBeatAt = startedAt;
    this.#silence = taken ? undefined : this.#silence;
    this.#waitForBeat();
    return taken !== undefined;
  }

  async confirm(): Promise<boolean> {
    const taken = this.#taken;
    if (!taken) return false;
    const isStanding = await this.#files.isStanding(taken).catch(() => false);
    if (this.#taken !== taken) return false;
    if (isStanding && !this.#wasStopped()) return true;
    this.#lose();
    return false;
  }

  release(): Promise<void> {
    const taken = this.#taken;
    this.#taken = undefined;
    this.#stopTimer();
    if (taken) {
      this.#releasing = this.#files.release(taken).catch((error: unknown) => {
        this.#log.warn(`lease: could not be released: ${reasonOf(error)}`);
      });
    }
    return this.#releasing;
  }

  forget(): void {
    this.#isElsewhere = false;
    this.#silence = undefined;
    if (!this.#taken) this.#stopTimer();
  }

  async ask(ask: LeaseAsk): Promise<() => Promise<void>> {
    const name = await this.#files.ask(ask);
    return () => this.#files.withdraw(name);
  }

  notice(name: string | undefined): void {
    if (this.#isRetired || (name !== undefined && !this.#files.isAbout(name))) return;
    if (this.#taken) void this.#lookForAsks();
    else this.#events.retry();
  }

  retire(): void {
    this.#isRetired = true;
    this.#stopTimer();
  }

  dispose(): void {
    this.retire();
    void this.release();
  }

  async #take(): Promise<TakenLease | undefined> {
    try {
      const seen = await this.#files.current();
      if (seen && !this.#isGone(seen)) {
        if (this.#silence?.sign !== seen.sign) this.#silence = { sign: seen.sign, looks: 0 };
        return undefined;
      }
      const taken = await this.#files.take(seen);
      if (seen && taken) this.#log.info('lease: taken over from a window that is gone');
      return taken;
    } catch (error) {
      this.#log.warn(`lease: could not be taken: ${reasonOf(error)}`);
      return undefined;
    }
  }

  #isGone({ sign, window }: SeenLease): boolean {
    const isSilent = this.#silence?.sign === sign && this.#silence.looks * beatMs >= longestSilenceMs;
    return isSilent || (window !== undefined && (this.#files.isOwn(window) || hasSurelyEnded(window)));
  }

  #waitForBeat(): void {
    this.#stopTimer();
    this.#timer = this.#clock.after(beatMs, () => void (this.#taken ? this.#beat(this.#taken) : this.#lookAgain()));
  }

  async #beat(taken: TakenLease): Promise<void> {
    if (this.#wasStopped()) {
      this.#lose();
      return;
    }
    this.#lastBeatAt = this.#clock.now();
    this.#waitForBeat();
    try {
      if (await this.#files.isStanding(taken)) await this.#files.beat(taken, ++this.#beats);
      else if (this.#taken === taken) this.#lose();
      await this.#lookForAsks();
    } catch (error) {
      this.#log.warn(`lease: no sign of life could be given: ${reasonOf(error)}`);
    }
  }

  /** Counts how long the window that has the lease has been silent. */
  async #lookAgain(): Promise<void> {
    const seen = await this.#files.current().catch(() => undefined);
    if (this.#isRetired || this.#taken) return;
    const looks = seen !== undefined && seen.sign === this.#silence?.sign ? this.#silence.looks + 1 : 0;
    this.#silence = seen && { sign: seen.sign, looks };
    this.#events.retry();
  }

  async #lookForAsks(): Promise<void> {
    const asks = await this.#files.takeAsks().catch(() => []);
    if (asks.length > 0 && this.#taken) this.#events.asked(asks);
  }

  #wasStopped(): boolean {
    return this.#clock.now() - this.#lastBeatAt > longestGapMs;
  }

  #lose(): void {
    this.#log.warn('lease: lost');
    this.#taken = undefined;
    this.#stopTimer();
    this.#events.lost();
  }

  #stopTimer(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
