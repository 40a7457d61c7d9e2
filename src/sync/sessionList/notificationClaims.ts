import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { RecordStore } from '../storage/recordStore.ts';
import { sessionHash } from '../storage/recordNames.ts';

const subfolder = 'notices';

/** Lets one of several windows tell what all of them see. */
export class NotificationClaims {
  readonly #disk: RecordStore;

  constructor(disk: RecordStore) {
    this.#disk = disk;
  }

  /**
   * Claims to tell of what a session came to at `updatedAt` (Unix ms). Resolves to whether this window may: the first
   * one that asks. Where nothing can be written each window may: told twice is better than not told.
   */
  async claim(key: SessionKey, updatedAt: number): Promise<boolean> {
    const stem = `${subfolder}/${sessionHash(key)}-`;
    const name = `${stem}${updatedAt}`;
    try {
      if (!(await this.#disk.create(name, ''))) return false;
      const old = (await this.#disk.names(subfolder)).filter((other) => other.startsWith(stem) && other !== name);
      await Promise.all(old.map((other) => this.#disk.remove(other)));
    } catch {
      // The disk has said so in the log.
    }
    return true;
  }
}
