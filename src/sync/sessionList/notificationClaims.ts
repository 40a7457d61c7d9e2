import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { RecordStore } from '../storage/recordStore.ts';
import { sessionHash } from '../storage/recordNames.ts';

const subfolder = 'notices';
/** The part of a file name before the time of the newest claim of earlier turns. */
const afterPrefix = 'after-';
/** The part of a file name before the ID of a message in the outbox. */
const messagePrefix = 'message-';

/** Ensures that only one window shows a notification for an event that all windows see. */
export class NotificationClaims {
  readonly #disk: RecordStore;
  /** The time of this window's last claim for each session. */
  readonly #ownTimes = new Map<string, number>();

  constructor(disk: RecordStore) {
    this.#disk = disk;
  }

  /**
   * Claims the notification for a turn of a session. `workingAt` and `idleAt` are the `updatedAt` (Unix ms) of two
   * states of the session: the last one in which this window saw the agent working, and the one in which it then saw
   * the agent idle. Resolves to whether this window may show the notification; only the first window that claims it
   * may. The windows don't have to see the same states, because the session can change again after the turn. Turns that
   * end without a change of `updatedAt` since the last claim count as claimed. If the claim can't be written, every
   * window may show the notification: a duplicate is better than none.
   */
  async claim(key: SessionKey, workingAt: number, idleAt: number): Promise<boolean> {
    const stem = `${subfolder}/${sessionHash(key)}-`;
    try {
      const claims = await this.#times(stem);
      // A claim of an earlier turn isn't newer than any state in which the agent is working on this turn. If the times
      // are equal, the service may not change `updatedAt` with the status, and another window may have claimed this
      // turn.
      const isOwn = (at: number) => at === this.#ownTimes.get(stem);
      if (claims.some((at) => at > workingAt || (at === workingAt && !isOwn(at)))) return false;
      if (!(await this.#disk.create(`${stem}${idleAt}`, ''))) return false;
      this.#ownTimes.set(stem, idleAt);
      const last = claims.reduce((latest, at) => Math.max(latest, at), 0);
      const isFirst = await this.#isFirstAfter(last, stem + afterPrefix);
      if (isFirst) await this.#remove(stem, (at) => claims.includes(at) && at !== idleAt);
      return isFirst;
    } catch {
      // The record store has already logged the error.
    }
    return true;
  }

  /**
   * Claims the notification for a message in the outbox, by the ID of its entry, which is a UUID. Resolves to whether
   * this window may show the notification; only the first window that claims it may, until {@link releaseMessage}. If
   * the claim can't be written, every window may show the notification.
   */
  async claimMessage(key: SessionKey, entryId: string): Promise<boolean> {
    try {
      return await this.#disk.create(messageName(key, entryId), '');
    } catch {
      // The record store has already logged the error.
      return true;
    }
  }

  /** Removes the claim for a message that is no longer in the outbox. Never rejects. */
  async releaseMessage(key: SessionKey, entryId: string): Promise<void> {
    // The record store logs the error. A file that stays is empty and has no effect.
    await this.#disk.remove(messageName(key, entryId)).catch(() => undefined);
  }

  /**
   * Whether this window is the first one that claims a turn after the claim with the time `last`. Windows that claim at
   * the same time have read the same claims, whatever state they saw, so only one of them can create the file.
   */
  async #isFirstAfter(last: number, stem: string): Promise<boolean> {
    if (!(await this.#disk.create(`${stem}${last}`, ''))) return false;
    // The file of a turn is removed when a later turn is claimed.
    if ((await this.#times(stem)).some((at) => at > last)) return false;
    await this.#remove(stem, (at) => at < last);
    return true;
  }

  async #remove(stem: string, isOld: (at: number) => boolean): Promise<void> {
    const old = (await this.#times(stem)).filter(isOld);
    await Promise.all(old.map((at) => this.#disk.remove(`${stem}${at}`)));
  }

  /** The times at the end of the names that consist of `stem` and a time. */
  async #times(stem: string): Promise<number[]> {
    const names = (await this.#disk.names(subfolder)).filter((name) => name.startsWith(stem));
    return names.map((name) => Number(name.slice(stem.length))).filter((at) => !Number.isNaN(at));
  }
}

function messageName(key: SessionKey, entryId: string): string {
  return `${subfolder}/${sessionHash(key)}-${messagePrefix}${entryId}`;
}
