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
   * Claims the notification for the state that a session reached at `updatedAt` (Unix ms). Resolves to whether this
   * window may show it; only the first window that claims it may. If the claim can't be written, every window may show
   * it: a duplicate notification is better than none.
   */
  async claim(key: SessionKey, updatedAt: number): Promise<boolean> {
    const stem = `${subfolder}/${sessionHash(key)}-`;
    const name = `${stem}${updatedAt}`;
    try {
      if (!(await this.#disk.create(name, ''))) return false;
      const old = (await this.#disk.names(subfolder)).filter((other) => other.startsWith(stem) && other !== name);
      await Promise.all(old.map((other) => this.#disk.remove(other)));
    } catch {
      // The record store has already logged the error.
    }
    return true;
  }
}
