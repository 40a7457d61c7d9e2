import * as z from 'zod/mini';
import type { Disposable } from '../../shared/lifecycle.ts';
import { pooled } from '../../shared/pooled.ts';
import {
  type SessionListRecord,
  sessionListRecordSchema,
  mergeSessionListRecords,
  isSameSessionListRecord,
} from './sessionListRecord.ts';
import { type RecordFormat, type UnreadableFile, readsAtOnce } from '../storage/recordStore.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { sessionKeySchema, sessionRecordName } from '../storage/recordNames.ts';

const subfolder = 'deck';
/** The format used before names, pins, and marks had separate times. */
const plainSchema = z.object({
  key: sessionKeySchema,
  computerId: z.optional(z.string()),
  addedAt: z.number(),
});
const schema = z.union([sessionListRecordSchema, plainSchema]);
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/** The session list on disk, one file for each session, so that windows never overwrite each other's changes. */
export class SessionListFiles {
  readonly #records: RecordStores;

  constructor(records: RecordStores) {
    this.#records = records;
  }

  /** All records, including tombstones, in the order in which they were added, and the files that could not be read. */
  async load(): Promise<{ records: SessionListRecord[]; unreadable: UnreadableFile[] }> {
    const records: SessionListRecord[] = [];
    const unreadable: UnreadableFile[] = [];
    const { disk } = this.#records;
    const names = await disk.list(subfolder);
    for (const read of await pooled(names, readsAtOnce, (name) => disk.read(name, format))) {
      if (read.kind === 'record') records.push(recordOf(read.record));
      if (read.kind === 'unreadable') unreadable.push(read);
    }
    return { records: records.sort((a, b) => a.presence.at - b.presence.at), unreadable };
  }

  /**
   * Reads a record that another window may have written; undefined if there is none, or if a newer version of the
   * extension wrote it. A damaged file is quarantined.
   */
  async read(name: string): Promise<SessionListRecord | undefined> {
    const read = await this.#records.disk.read(name, format);
    return read.kind === 'record' ? recordOf(read.record) : undefined;
  }

  /**
   * The state of a record's file: `lost` if something other than a window removed it, `cleared` if the user deleted the
   * data of the extension. Windows keep the records of removed sessions.
   */
  async fileState(record: SessionListRecord): Promise<'present' | 'lost' | 'cleared'> {
    if (!this.isOnDisk(record)) return 'present';
    const { kind } = await this.#records.disk.read(this.nameOf(record), format);
    if (kind === 'retired') return 'cleared';
    return kind === 'absent' ? 'lost' : 'present';
  }

  /** The name of a record's file. */
  nameOf({ key }: SessionListRecord): string {
    return sessionRecordName(subfolder, key);
  }

  /** Merges a record into its file. Resolves to the merged record. */
  async merge(record: SessionListRecord): Promise<SessionListRecord> {
    const name = this.nameOf(record);
    const records = this.#records.of(record.key.origin);
    const read = await records.read(name, format);
    const saved = read.kind === 'record' ? recordOf(read.record) : undefined;
    const merged = saved ? mergeSessionListRecords(saved, record) : record;
    if (!saved || !isSameSessionListRecord(saved, merged)) await records.write(name, format, merged);
    return merged;
  }

  /** Removes the file of an obsolete record. */
  drop(record: SessionListRecord): Promise<void> {
    return this.#records.of(record.key.origin).retire(this.nameOf(record), format);
  }

  /** Whether a session's record is on disk, and may therefore be synced to other machines. */
  isOnDisk({ key }: SessionListRecord): boolean {
    return this.#records.isOnDisk(key.origin);
  }

  /** Calls `listener` with the name of a file that may have changed; undefined if any file may have changed. */
  watch(listener: (name: string | undefined) => void): Disposable {
    return this.#records.disk.watch(subfolder, (name) => {
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
