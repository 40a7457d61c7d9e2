import * as z from 'zod/mini';
import { sameValue } from '../../shared/equality.ts';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { pooled } from '../../shared/pooled.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import { maxOtherSessions, type PathSample } from '../../state/work/sharedFolders.ts';
import type { RecordFormat } from '../storage/recordFormat.ts';
import { sessionKeySchema } from '../storage/recordNames.ts';
import { readsAtOnce } from '../storage/recordStore.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import type { CachePolicy } from './cachePolicy.ts';
import { CacheRecord } from './cacheRecord.ts';

const sampleSchema = z.object({ computer: z.string(), paths: z.readonly(z.array(z.string())) });
type ComputerSample = z.output<typeof sampleSchema>;
const schema = z.object({ key: sessionKeySchema, sample: sampleSchema });
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

const none: ComputerSample = { computer: '', paths: [] };

/** A sample that is being saved. */
interface Save {
  readonly name: string;
  readonly sample: ComputerSample;
  isForgotten: boolean;
}

/**
 * Some of the files that each session names, and the computer on which it runs. A sample is a file next to the
 * session's cached messages, so that it is removed with them; samples of sessions that may not be cached are only in
 * memory. Never synced.
 */
export class PathSamples implements Disposable {
  readonly #saved: CacheRecord<z.output<typeof schema>>;
  readonly #policy: CachePolicy;
  readonly #known = new LruMap<string, ComputerSample>(4 * maxOtherSessions);
  /** The samples whose files were removed from the cache. */
  readonly #forgotten = new LruMap<string, ComputerSample>(4 * maxOtherSessions);
  readonly #saves = new Set<Save>();
  readonly #removals = new Emitter<SessionKey | undefined>();
  /** Fires with the key of a session whose sample was removed; with undefined if those of all sessions were. */
  readonly onDidForget = this.#removals.event;

  constructor(records: RecordStores, policy: CachePolicy, log: Log) {
    const content = 'the paths of a session';
    this.#saved = new CacheRecord({ records, policy, log }, { name: 'paths', format, content });
    this.#policy = policy;
  }

  /**
   * Saves the sample of a session. Resolves to whether it differs from the previous one; false if the sample was
   * forgotten before the two were compared. Never rejects.
   */
  async save(key: SessionKey, computer: string, paths: PathSample): Promise<boolean> {
    const save: Save = { name: keyText(key), sample: { computer, paths }, isForgotten: false };
    this.#saves.add(save);
    const before = await this.#sampleOf(key);
    const isOther = !save.isForgotten && !sameValue(before, save.sample);
    if (isOther) {
      this.#known.set(save.name, save.sample);
      await this.#write(key, save);
    }
    this.#saves.delete(save);
    return isOther;
  }

  /**
   * Reads the samples of the first {@link maxOtherSessions} sessions. Resolves to those of sessions on `computer`, in
   * any order and without empty ones. Never rejects.
   */
  async read(keys: readonly SessionKey[], computer: string): Promise<readonly PathSample[]> {
    const found: PathSample[] = [];
    await pooled(keys.slice(0, maxOtherSessions), readsAtOnce, async (key) => {
      const sample = await this.#sampleOf(key);
      if (sample.computer === computer && sample.paths.length > 0) found.push(sample.paths);
    });
    return found;
  }

  /**
   * Forgets the samples of all sessions. Call this before and after the files are removed. A sample is written again
   * only after it changes.
   */
  forget(): void {
    for (const [name, sample] of this.#known.entries()) this.#forgotten.set(name, sample);
    this.#known.clear();
    for (const save of this.#saves) {
      save.isForgotten = true;
      this.#forgotten.set(save.name, save.sample);
    }
    this.#removals.fire(undefined);
  }

  /** Forgets the sample of a session. Call this when its file is removed. */
  forgetSession(key: SessionKey): void {
    const removed = keyText(key);
    this.#known.delete(removed);
    // If the session comes back, its sample is written again.
    this.#forgotten.delete(removed);
    for (const save of this.#saves) if (save.name === removed) save.isForgotten = true;
    this.#removals.fire(key);
  }

  dispose(): void {
    this.#removals.dispose();
  }

  async #write(key: SessionKey, save: Save): Promise<void> {
    const { name, sample } = save;
    if (!this.#policy.isKept(key) || sameValue(this.#forgotten.get(name), sample)) return;
    this.#forgotten.delete(name);
    await this.#saved.write({ key: { ...key }, sample });
    const isNewest = ![...this.#saves].some((other) => other.name === name && !other.isForgotten);
    // The file may have been written after the other files were removed.
    if (save.isForgotten && isNewest) await this.#saved.remove(key);
  }

  async #sampleOf(key: SessionKey): Promise<ComputerSample> {
    const known = this.#known.get(keyText(key));
    if (known) return known;
    const read = (await this.#saved.read(key))?.sample ?? none;
    // A newer sample may have been saved during the read.
    const sample = this.#known.get(keyText(key)) ?? read;
    // Don't remember that there is none, because another window may write one, or the user may turn caching on.
    if (sample !== none) this.#known.set(keyText(key), sample);
    return sample;
  }
}
