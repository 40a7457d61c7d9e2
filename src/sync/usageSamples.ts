import * as z from 'zod/mini';
import { tokenUsageSchema } from '../api/resources/session.ts';
import { type Disposable, Disposables, Emitter } from '../shared/lifecycle.ts';
import { type Log, reasonOf } from '../shared/log.ts';
import { SerialQueue } from '../shared/serialQueue.ts';
import { type SessionKey, keyText } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';
import { type UsageSample, sameUsage, mergeSamples, sampleOf } from '../state/store/usage.ts';
import type { Clock } from './storage/clock.ts';
import type { RecordFormat } from './storage/recordFormat.ts';
import type { RecordStores } from './storage/recordStores.ts';
import { sessionKeySchema, sessionRecordName } from './storage/recordNames.ts';

const subfolder = 'usage';
const sampleSchema = z.object({
  at: z.number(),
  changedAt: z.optional(z.number()),
  isIdle: z.boolean(),
  own: tokenUsageSchema,
  inclusive: z.optional(tokenUsageSchema),
  activeMs: z.optional(z.number()),
});
const schema = z.object({ key: sessionKeySchema, samples: z.array(sampleSchema) });
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/** The maximum number of samples per session, which take about 100 KB. */
const mostSamples = 600;
/**
 * The delay before a write, so that the frequent changes of a running session are written together. The end of a turn
 * is written immediately, because a window can be closed without notice.
 */
const writeAfterMs = 10_000;

interface Series {
  readonly key: SessionKey;
  samples: readonly UsageSample[];
  timer: Disposable | undefined;
  reading: Promise<void> | undefined;
  readonly writing: SerialQueue;
}

/**
 * Samples of each session's token usage over time: one for each change of the counters or of the idle state. Each
 * session has a small file, to which several windows may add samples.
 */
export class UsageSamples implements Disposable {
  readonly #records: RecordStores;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #series = new Map<string, Series>();
  readonly #changes = new Emitter<SessionKey>();
  readonly #disposables = new Disposables();

  /** Fires when a session has a new sample. */
  readonly onDidChange = this.#changes.event;

  constructor(records: RecordStores, store: Store, clock: Clock, log: Log) {
    this.#records = records;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#disposables.add(store.onDidChange((change) => change.type === 'session' && this.#follow(change.key)));
  }

  /** All known samples of a session, oldest first, including those of earlier windows. Never rejects. */
  async read(key: SessionKey): Promise<readonly UsageSample[]> {
    const series = this.#of(key);
    await (series.reading ??= this.#merge(series));
    return series.samples;
  }

  /** Writes all unsaved samples, even after `dispose`. Resolves when no write is running. */
  async flush(): Promise<void> {
    for (const series of this.#series.values()) if (series.timer) this.#write(series);
    await Promise.all([...this.#series.values()].map(({ writing }) => writing.idle()));
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#changes.dispose();
    for (const { timer } of this.#series.values()) timer?.dispose();
  }

  #follow(key: SessionKey): void {
    const { session, asOf, isRemembered } = this.#store.record(key) ?? {};
    // State restored from an earlier window was already sampled there.
    if (!session || asOf === undefined || isRemembered === true) return;
    const sample = sampleOf(session, asOf);
    const series = this.#of(key);
    const last = series.samples.at(-1);
    if (!sample || (last && sameUsage(last, sample))) return;
    series.samples = mergeSamples([series.samples, [sample]], mostSamples);
    if (last && sample.isIdle) this.#write(series);
    else series.timer ??= this.#clock.after(writeAfterMs, () => this.#write(series));
    this.#changes.fire(key);
  }

  #of(key: SessionKey): Series {
    const known = this.#series.get(keyText(key));
    if (known) return known;
    const series: Series = { key, samples: [], timer: undefined, reading: undefined, writing: new SerialQueue() };
    this.#series.set(keyText(key), series);
    return series;
  }

  #write(series: Series): void {
    series.timer?.dispose();
    series.timer = undefined;
    void series.writing.run(() => this.#writeMerged(series));
  }

  async #writeMerged(series: Series): Promise<void> {
    await this.#merge(series);
    try {
      const record = { key: { ...series.key }, samples: [...series.samples] };
      await this.#records.of(series.key.origin).write(sessionRecordName(subfolder, series.key), format, record);
    } catch (error) {
      this.#log.debug(`the usage of a session could not be written: ${reasonOf(error)}`);
    }
  }

  /** Merges the samples on disk, which another window may have written. */
  async #merge(series: Series): Promise<void> {
    try {
      const read = await this.#records.of(series.key.origin).read(sessionRecordName(subfolder, series.key), format);
      if (read.kind !== 'record' || keyText(read.record.key) !== keyText(series.key)) return;
      series.samples = mergeSamples([read.record.samples, series.samples], mostSamples);
    } catch (error) {
      this.#log.debug(`the usage of a session could not be read: ${reasonOf(error)}`);
    }
  }
}
