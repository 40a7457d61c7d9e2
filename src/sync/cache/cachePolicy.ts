import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { RecordStores } from '../storage/recordStores.ts';

/** Decides which session data may be cached on disk. */
export class CachePolicy {
  readonly #records: RecordStores;
  readonly #readSetting: () => boolean;
  readonly #store: Pick<Store, 'record'>;

  /** `readSetting` returns the setting `lineside.cache.enabled`. */
  constructor(records: RecordStores, readSetting: () => boolean, store: Pick<Store, 'record'>) {
    this.#records = records;
    this.#readSetting = readSetting;
    this.#store = store;
  }

  /** Whether anything may be cached. */
  get isEnabled(): boolean {
    return this.#readSetting();
  }

  /** Whether a session may be cached. Sessions of the demo and transient sessions never are. */
  isKept(key: SessionKey): boolean {
    const isTransient = this.#store.record(key)?.listEntry.isTransient === true;
    return this.isEnabled && !isTransient && this.#records.isOnDisk(key.origin);
  }
}
