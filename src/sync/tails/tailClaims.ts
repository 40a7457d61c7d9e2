import type { Disposable } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import { LeaseFiles } from '../lease/leaseFiles.ts';
import { SessionLease } from '../lease/sessionLease.ts';
import type { Clock } from '../storage/clock.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import type { WindowIdentity } from '../storage/windowIdentity.ts';

interface TailClaim {
  readonly key: SessionKey;
  readonly messageCount: number;
  readonly lease: SessionLease;
}

/**
 * Ensures that only one of several windows reads the newest messages of a session for one `messageCount`. A claim is a
 * lease of its own, so a window that ended or hangs loses it. A claim doesn't cover the state of the session, which
 * each window refreshes. Sessions that aren't cached need no claims, because other windows couldn't take what this one
 * reads.
 */
export class TailClaims implements Disposable {
  readonly #records: RecordStores;
  readonly #window: WindowIdentity;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onFree: (key: SessionKey) => void;
  readonly #claims = new Map<string, TailClaim>();
  readonly #releasing = new Set<Promise<void>>();
  #watcher: Disposable | undefined;
  #isDisposed = false;

  /** `onFree` is called when a claim that another window held may be free. */
  constructor(
    records: RecordStores,
    window: WindowIdentity,
    clock: Clock,
    log: Log,
    onFree: (key: SessionKey) => void,
  ) {
    this.#records = records;
    this.#window = window;
    this.#clock = clock;
    this.#log = log;
    this.#onFree = onFree;
  }

  /** Resolves to whether this window may read; if not, `onFree` is called later. Never rejects. */
  async claim(key: SessionKey, messageCount: number): Promise<boolean> {
    if (this.#isDisposed) return false;
    const text = keyText(key);
    if (this.#claims.get(text)?.messageCount !== messageCount) this.release(key);
    const claim = this.#claims.get(text) ?? { key, messageCount, lease: this.#open(key, messageCount) };
    this.#claims.set(text, claim);
    const isHeld = await claim.lease.acquire();
    // The claim may have been released meanwhile.
    if (this.#claims.get(text) !== claim) return false;
    if (!isHeld) {
      this.#watcher ??= this.#records.disk.watch('leases', (name) => {
        for (const { lease } of this.#claims.values()) lease.handleFileChange(name);
      });
    }
    return isHeld;
  }

  /** Ends the claim of a session. Other windows then find what this one saved. */
  release(key: SessionKey): void {
    const claim = this.#claims.get(keyText(key));
    if (!claim) return;
    this.#claims.delete(keyText(key));
    this.#end(claim);
    if ([...this.#claims.values()].some(({ lease }) => lease.isHeldElsewhere)) return;
    this.#watcher?.dispose();
    this.#watcher = undefined;
  }

  /** Ends the claims of all sessions except those that `isKept` selects. */
  releaseAllBut(isKept: (key: SessionKey) => boolean): void {
    for (const { key } of [...this.#claims.values()]) if (!isKept(key)) this.release(key);
  }

  /** Resolves when other windows can see that all claims that were released so far are free. */
  async released(): Promise<void> {
    await Promise.all(this.#releasing);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const claim of this.#claims.values()) this.#end(claim);
    this.#claims.clear();
    this.#watcher?.dispose();
    this.#watcher = undefined;
  }

  #end({ lease }: TailClaim): void {
    lease.stop();
    const releasing = lease.release();
    this.#releasing.add(releasing);
    void releasing.finally(() => this.#releasing.delete(releasing));
  }

  #open({ origin, sessionId }: SessionKey, messageCount: number): SessionLease {
    // The lease of the session itself decides which window sends, so a claim needs another name.
    const key = { origin, sessionId: `tail\n${messageCount}\n${sessionId}` };
    const lease = new SessionLease(new LeaseFiles(this.#records.of(origin), this.#window, key), this.#clock, this.#log);
    lease.onDidChange(({ kind }) => {
      if (kind === 'available') this.#onFree({ origin, sessionId });
    });
    return lease;
  }
}
