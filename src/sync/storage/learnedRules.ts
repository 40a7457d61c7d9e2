import * as z from 'zod/mini';
import { type Log, reasonOf } from '../../shared/log.ts';
import { originRecordName } from './recordNames.ts';
import type { RecordFormat } from './recordFormat.ts';
import type { RecordStores } from './recordStores.ts';

/**
 * The observed behavior of each service in a case that the spec leaves open. Saved on disk, one file for each service,
 * except for the demo.
 */
export class LearnedRules<Rule extends string> {
  readonly #subfolder: string;
  readonly #format: RecordFormat<{ readonly origin: string; readonly rule: Rule }>;
  readonly #records: RecordStores;
  readonly #log: Log;
  readonly #known = new Map<string, Rule>();

  /** `subfolder` is the folder of the records; `rules` are the possible values. */
  constructor(subfolder: string, rules: readonly [Rule, ...Rule[]], records: RecordStores, log: Log) {
    this.#subfolder = subfolder;
    this.#format = { version: 1, schema: z.object({ origin: z.string(), rule: z.enum(rules) }) };
    this.#records = records;
    this.#log = log;
  }

  /**
   * The last rule that this window observed or, if it observed none, the saved one; undefined if there is none, or it
   * can't be read. Never rejects.
   */
  async read(origin: string): Promise<Rule | undefined> {
    const known = this.#known.get(origin);
    if (known !== undefined) return known;
    try {
      const read = await this.#records.of(origin).read(originRecordName(this.#subfolder, origin), this.#format);
      if (read.kind !== 'record' || read.record.origin !== origin) return undefined;
      this.#known.set(origin, read.record.rule);
      return read.record.rule;
    } catch (error) {
      this.#log.debug(`${this.#subfolder}: the rule could not be read: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Records the rule of a service. Never rejects: a rule that can't be saved is learned again. */
  async learn(origin: string, rule: Rule): Promise<void> {
    if (this.#known.get(origin) === rule) return;
    this.#known.set(origin, rule);
    this.#log.info(`${this.#subfolder}: ${origin} is ${rule}`);
    try {
      const name = originRecordName(this.#subfolder, origin);
      await this.#records.of(origin).write(name, this.#format, { origin, rule });
    } catch (error) {
      this.#log.debug(`${this.#subfolder}: the rule could not be saved: ${reasonOf(error)}`);
    }
  }
}
