import * as z from 'zod/mini';
import { sameValue } from '../../shared/equality.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { pooled } from '../../shared/pooled.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import { maxOtherSessions, type PathSample } from '../../state/work/sharedFolders.ts';
import type { RecordFormat } from '../storage/recordFormat.ts';
import { sessionHash, sessionKeySchema } from '../storage/recordNames.ts';
import { readsAtOnce } from '../storage/recordStore.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import type { CachePolicy } from './cachePolicy.ts';
import { cacheFolder } from './sessionSummaries.ts';

const sampleSchema = z.object({ computer: z.string(), paths: z.readonly(z.array(z.string())) });
type ComputerSample = z.output<typeof sampleSchema>;
const schema = z.object({ key: sessionKeySchema, sample: sampleSchema });
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

const none: ComputerSample = { computer: '', paths: [] };

/**
 * Some of the files that each session names, by its computer: a file next to the session's cached messages, so that all are
 * removed together. Sessions that may not be cached are in memory only. Never synced.
 */
export class PathSamples {
  readonly #records: RecordStores;
  readonly #policy: CachePolicy;
  readonly #log: Log;
  readonly #known = new LruMap<string, ComputerSample>(4 * maxOtherSessions);

  constructor(records: RecordStores, policy: CachePolicy, log: Log) {
    this.#records = records;
    this.#policy = policy;
    this.#log = log;
  }

  /** Saves the sample of a session. Resolves to whether it differs from what was known of it. Never rejects. */
  async save(key: SessionKey, computer: string, paths: PathSample): Promise<boolean> {
    const sample = { computer, paths };
    const before = await this.#sampleOf(key);
    if (sameValue(before, sample)) return false;
    this.#known.set(keyText(key), sample);
    if (!this.#policy.isKept(key)) return true;
    try {
      await this.#records.disk.write(nameOf(key), format, { key: { ...key }, sample });
    } catch (error) {
      this.#log.warn(`the paths of a session could not be written: ${reasonOf(error)}`);
    }
    return true;
  }

  /** The samples of those sessions that ran on the computer, of the first {@link maxOtherSessions}. Never rejects. */
  async read(keys: readonly SessionKey[], computer: string): Promise<readonly PathSample[]> {
    const found: PathSample[] = [];
    await pooled(keys.slice(0, maxOtherSessions), readsAtOnce, async (key) => {
      const sample = await this.#sampleOf(key);
      if (sample.computer === computer && sample.paths.length > 0) found.push(sample.paths);
    });
    return found;
  }

  /** Call this after the files were removed. */
  forget(): void {
    this.#known.clear();
  }

  /** Forgets a session whose file is removed. */
  forgetSession(key: SessionKey): void {
    this.#known.delete(keyText(key));
  }

  async #sampleOf(key: SessionKey): Promise<ComputerSample> {
    const known = this.#known.get(keyText(key));
    if (known) return known;
    const read = await this.#read(key);
    // A newer one may have been saved during the read.
    const sample = this.#known.get(keyText(key)) ?? read;
    this.#known.set(keyText(key), sample);
    return sample;
  }

  async #read(key: SessionKey): Promise<ComputerSample> {
    if (!this.#policy.isKept(key)) return none;
    try {
      const read = await this.#records.disk.read(nameOf(key), format);
      if (read.kind === 'unreadable' && read.cause === 'damaged') await this.#records.disk.remove(read.keptAs);
      return read.kind === 'record' && keyText(read.record.key) === keyText(key) ? read.record.sample : none;
    } catch (error) {
      this.#log.debug(`the paths of a session could not be read: ${reasonOf(error)}`);
      return none;
    }
  }
}

function nameOf(key: SessionKey): string {
  return `${cacheFolder}/${sessionHash(key)}/paths`;
}
