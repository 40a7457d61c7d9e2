import * as z from 'zod/mini';
import type { Disposable } from '../../shared/lifecycle.ts';
import {
  type SessionListRecord,
  sessionListRecordSchema,
  mergeSessionListRecords,
  isSameSessionListRecord,
} from './sessionListRecord.ts';
import type { RecordStore, RecordFormat, UnreadableFile } from '../storage/recordStore.ts';
import { sessionKeySchema, sessionRecordName } from '../storage/recordNames.ts';

const subfolder = 'deck';
/** What was kept before names, pins and marks had times of their own. */
const plainSchema = z.object({
  key: sessionKeySchema,
  computerId: z.optional(z.string()),
  addedAt: z.number(),
});
const schema = z.union([sessionListRecordSchema, plainSchema]);
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/** The deck on disk: one file for each session, so that two windows never overwrite each other's list. */
export class SessionListFiles {
  readonly #disk: RecordStore;

  constructor(disk: RecordStore) {
    this.#disk = disk;
  }

  /** Every record in the order in which they were added, tombstones too, and the files that could not be read. */
  async load(): Promise<{ records: SessionListRecord[]; unreadable: UnreadableFile[] }> {
    const records: SessionListRecord[] = [];
    const unreadable: UnreadableFile[] = [];
    for (const name of await this.#disk.list(subfolder)) {
      const read = await this.#disk.read(name, format);
      if (read.kind === 'record') records.push(recordOf(read.record));
      if (read.kind === 'unreadable') unreadable.push(read);
    }
    return { records: records.sort((a, b) => a.presence.at - b.presence.at), unreadable };
  }

  /** The record in a file that another window may have written; undefined where there is none. */
  async read(name: string): Promise<SessionListRecord | undefined> {
    const read = await this.#disk.read(name, format);
    return read.kind === 'record' ? recordOf(read.record) : undefined;
  }

  /** Merges a record into its file. Resolves to what is on disk then. */
  async merge(record: SessionListRecord): Promise<SessionListRecord> {
    const name = sessionRecordName(subfolder, record.key);
    const kept = await this.read(name);
    const merged = kept ? mergeSessionListRecords(kept, record) : record;
    if (!kept || !isSameSessionListRecord(kept, merged)) await this.#disk.write(name, format, merged);
    return merged;
  }

  /** Removes a file: what it said is of no use any more. */
  drop(record: SessionListRecord): Promise<void> {
    return this.#disk.remove(sessionRecordName(subfolder, record.key));
  }

  /** Tells when a file may have changed, and which. */
  watch(listener: (name: string | undefined) => void): Disposable {
    return this.#disk.watch(subfolder, (name) => {
      if (name === undefined || name.endsWith('.json')) listener(name);
    });
  }
}

function recordOf(read: z.output<typeof schema>): SessionListRecord {
  if ('presence' in read) return read;
  const { key, computerId, addedAt } = read;
  const presence = { value: true, at: addedAt };
  return { key, presence, ...(computerId === undefined ? {} : { computerId: { value: computerId, at: addedAt } }) };
}
