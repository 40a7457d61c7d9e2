import { type Log, reasonOf } from '../../shared/log.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import type { RecordFormat } from '../storage/recordFormat.ts';
import { sessionHash } from '../storage/recordNames.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import type { CachePolicy } from './cachePolicy.ts';

/** The cache folder, relative to the folder of records. Everything in it may be removed. */
export const cacheFolder = 'cache';

/**
 * A record for each session, as a file in the folder of its cached messages, so that record and messages are removed
 * together. The record contains the session's key. Sessions that may not be cached have none. No method rejects.
 */
export class CacheRecord<T extends { readonly key: SessionKey }> {
  readonly #records: RecordStores;
  readonly #policy: CachePolicy;
  readonly #log: Log;
  readonly #name: string;
  readonly #format: RecordFormat<T>;
  readonly #content: string;

  /** @param content what the file contains, for the log. */
  constructor(
    { records, policy, log }: { readonly records: RecordStores; readonly policy: CachePolicy; readonly log: Log },
    { name, format, content }: { readonly name: string; readonly format: RecordFormat<T>; readonly content: string },
  ) {
    this.#records = records;
    this.#policy = policy;
    this.#log = log;
    this.#name = name;
    this.#format = format;
    this.#content = content;
  }

  /** The record of a session; undefined if there is none, it can't be read, or the session may not be cached. */
  async read(key: SessionKey): Promise<T | undefined> {
    if (!this.#policy.isKept(key)) return undefined;
    try {
      const read = await this.#records.disk.read(this.#nameOf(key), this.#format);
      // A damaged file is not worth keeping, because the service has the data.
      if (read.kind === 'unreadable' && read.cause === 'damaged') await this.#records.disk.remove(read.keptAs);
      return read.kind === 'record' && keyText(read.record.key) === keyText(key) ? read.record : undefined;
    } catch (error) {
      this.#log.debug(`${this.#content} could not be read: ${reasonOf(error)}`);
      return undefined;
    }
  }

  async write(record: T): Promise<void> {
    if (!this.#policy.isKept(record.key)) return;
    try {
      await this.#records.disk.write(this.#nameOf(record.key), this.#format, record);
    } catch (error) {
      this.#log.warn(`${this.#content} could not be written: ${reasonOf(error)}`);
    }
  }

  async remove(key: SessionKey): Promise<void> {
    try {
      await this.#records.disk.remove(this.#nameOf(key));
    } catch (error) {
      this.#log.warn(`${this.#content} could not be removed: ${reasonOf(error)}`);
    }
  }

  #nameOf(key: SessionKey): string {
    return `${cacheFolder}/${sessionHash(key)}/${this.#name}`;
  }
}
