import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { RecordStore } from '../storage/recordStore.ts';
import { sessionHash } from '../storage/recordNames.ts';

const subfolder = 'notices';

/** Ensures that only one window shows a notification for an event that all windows see. */
export class NotificationClaims {
  readonly #disk: RecordStore;

  constructor(disk: RecordStore) {
    this.#disk = disk;
  }

  /**
   * Claims the notification for a turn of a session: this window last saw the agent working in the session's state of
   * `workingAt`, and then idle in that of `idleAt` (the states' `updatedAt`, Unix ms). Resolves to whether this window
   * may show it; only the first window that claims it may. The windows don't have to see the same states, because the
   * session can change again after the turn. If the claim can't be written, every window may show it: a duplicate
   * notification is better than none.
   */
  async claim(key: SessionKey, workingAt: number, idleAt: number): Promise<boolean> {
    const stem = `${subfolder}/${sessionHash(key)}-`;
    try {
      // A claim of an earlier turn is older than any state in which the agent works on this one.
      const { ofTurn, old } = await this.#claims(stem, workingAt);
      if (ofTurn.length > 0 || !(await this.#disk.create(`${stem}${idleAt}`, ''))) return false;
      await Promise.all(old.filter((at) => at !== idleAt).map((at) => this.#disk.remove(`${stem}${at}`)));
      // Of windows that claim at the same time, the one that saw the turn end first shows the notification.
      return (await this.#claims(stem, workingAt)).ofTurn.every((at) => at >= idleAt);
    } catch {
      // The record store has already logged the error.
    }
    return true;
  }

  async #claims(stem: string, workingAt: number) {
    const names = (await this.#disk.names(subfolder)).filter((name) => name.startsWith(stem));
    const times = names.map((name) => Number(name.slice(stem.length)));
    return { ofTurn: times.filter((at) => at > workingAt), old: times.filter((at) => at <= workingAt) };
  }
}
