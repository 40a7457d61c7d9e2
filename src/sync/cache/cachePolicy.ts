import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { RecordStores } from '../storage/recordStores.ts';

/** Decides which session data may be cached on disk. */
export class CachePolicy {
  readonly #records: RecordStores;
  readonly #readSetting: () => boolean;

  /** `readSetting` returns the setting `lineside.cache.enabled`. */
  constructor(records: RecordStores, readSetting: () => boolean) {
    this.#records = records;
    this.#readSetting = readSetting;
  }

  /** Whether anything may be cached. */
  get isEnabled(): boolean {
    return this.#readSetting();
  }

  /** Whether a session may be cached; sessions of the demo never are. */
  isKept(key: SessionKey): boolean {
    return this.isEnabled && this.#records.isOnDisk(key.origin);
  }
}
