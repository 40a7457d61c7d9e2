import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type Log, reasonOf } from '../shared/log.ts';
import type { Disk, RecordFormat } from './storage/recordStore.ts';

/** What a service does with settings that an update does not name: it keeps them, or drops them (spec 4.2 is silent). */
export type SettingsRule = 'merged' | 'replaced';

const schema = z.object({ origin: z.string(), rule: z.enum(['merged', 'replaced']) });
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/** What each service was seen to do with settings that an update did not name; on disk, but for the demo's. */
export class SettingsRules {
  readonly #known = new Map<string, SettingsRule>();
  readonly #disk: Disk;
  readonly #isTemporary: (origin: string) => boolean;
  readonly #log: Log;

  constructor(disk: Disk, isTemporary: (origin: string) => boolean, log: Log) {
    this.#disk = disk;
    this.#isTemporary = isTemporary;
    this.#log = log;
  }

  /** The rule of a service as seen last, by this window or an earlier one. Never rejects. */
  async read(origin: string): Promise<SettingsRule | undefined> {
    const known = this.#known.get(origin);
    if (known || this.#isTemporary(origin)) return known;
    try {
      const read = await this.#disk.read(nameOf(origin), format);
      if (read.kind !== 'record' || read.record.origin !== origin) return undefined;
      this.#known.set(origin, read.record.rule);
      return read.record.rule;
    } catch (error) {
      this.#log.debug(`the settings rule could not be read: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Remembers what a service did. Never rejects: a rule that is not on disk is learned again. */
  async learn(origin: string, rule: SettingsRule): Promise<void> {
    if (this.#known.get(origin) === rule) return;
    this.#known.set(origin, rule);
    this.#log.info(`${origin}: settings an update does not name are ${rule === 'merged' ? 'kept' : 'dropped'}`);
    if (this.#isTemporary(origin)) return;
    try {
      await this.#disk.write(nameOf(origin), format, { origin, rule });
    } catch (error) {
      this.#log.debug(`the settings rule could not be kept: ${reasonOf(error)}`);
    }
  }
}

function nameOf(origin: string): string {
  return `settingsRules/${createHash('sha256').update(origin).digest('hex').slice(0, 32)}.json`;
}
