import * as z from 'zod/mini';
import type { Disposable } from '../../shared/lifecycle.ts';
import { pooled } from '../../shared/pooled.ts';
import { keyText } from '../../state/store/sessionKey.ts';
import {
  type SessionListRecord,
  sessionListRecordSchema,
  mergeSessionListRecords,
  isSameSessionListRecord,
} from './sessionListRecord.ts';
import type { RecordFormat, UnreadableFile } from '../storage/recordFormat.ts';
import { readsAtOnce } from '../storage/recordStore.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { readStartMarker } from './startMarker.ts';
import { sessionKeySchema, sessionRecordName } from '../storage/recordNames.ts';

const subfolder = 'deck';
/** The oldest format of a record: without names, pins, and marks, and with one time for all fields. */
const plainSchema = z.object({
  key: sessionKeySchema,
  computerId: z.optional(z.string()),
  addedAt: z.number(),
});
const schema = z.union([sessionListRecordSchema, plainSchema]);
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/** A file whose record was read. */
interface SeenFile {
  /** See {@link RecordStore.contentId}. */
  readonly contentId: string | undefined;
  /** The `keyText` of its session. */
  readonly text: string;
}

/** The session list as it is on disk. */
interface LoadedSessionList {
  /**
   * The records of files that changed since the last {@link SessionListFiles.confirm}, including tombstones, sorted by
   * when the sessions were added or removed.
   */
  readonly records: readonly SessionListRecord[];
  /** The files that could not be read. */
  readonly unreadable: readonly UnreadableFile[];
  /** All files with a record, by name. */
  readonly seen: ReadonlyMap<string, SeenFile>;
}

/**
 * The session list on disk, one file for each session, so that windows that change different sessions don't overwrite
 * each other. If two windows change the same session at the same time, the file can lack one of the changes at first;
 * `SessionList` then writes the merged record again.
 */
export class SessionListFiles {
  readonly #records: RecordStores;
  #seen: LoadedSessionList['seen'] = new Map();

  constructor(records: RecordStores) {
    this.#records = records;
  }

  /** Reads the files that changed since the last {@link confirm}: all of them at first. */
  async load(): Promise<LoadedSessionList> {
    return this.#load(await this.#records.disk.list(subfolder));
  }

  /** Reads the files of the sessions that were at the top of the last window's tree and belong to these services. */
  async loadFirst(origins: ReadonlySet<string>): Promise<LoadedSessionList> {
    const { first = [] } = await readStartMarker(this.#records.disk);
    const keys = first.filter((key) => origins.has(key.origin));
    return this.#load(keys.map((key) => sessionRecordName(subfolder, key)));
  }

  /** Call this when everything that was loaded has taken effect. Otherwise, it is loaded again. */
  confirm({ seen }: LoadedSessionList): void {
    this.#seen = seen;
  }

  async #load(names: readonly string[]): Promise<LoadedSessionList> {
    const records: SessionListRecord[] = [];
    const unreadable: UnreadableFile[] = [];
    const seen = new Map<string, SeenFile>();
    for (const { name, contentId, known, read } of await pooled(names, readsAtOnce, (name) => this.#readNew(name))) {
      if (known) seen.set(name, known);
      if (read?.kind === 'unreadable') unreadable.push(read);
      if (read?.kind !== 'record') continue;
      seen.set(name, { contentId, text: keyText(read.record.key) });
      records.push(recordOf(read.record));
    }
    return { records: records.sort((a, b) => a.presence.at - b.presence.at), unreadable, seen };
  }

  /** Reads a file that changed since the last {@link confirm}; for an unchanged one, `known` is what was seen then. */
  async #readNew(name: string) {
    const { disk } = this.#records;
    // Get the ID before the file is read, so that a write in between counts as a later change.
    const contentId = await disk.contentId(name);
    const seen = this.#seen.get(name);
    const known = contentId !== undefined && seen?.contentId === contentId ? seen : undefined;
    return { name, contentId, known, read: known ? undefined : await disk.read(name, format) };
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
   * data of the extension. A session that is removed from the list keeps its file.
   */
  async fileState(record: SessionListRecord): Promise<'present' | 'lost' | 'cleared'> {
    if (!this.isOnDisk(record)) return 'present';
    const { kind } = await this.#records.disk.read(this.nameOf(record), format);
    if (kind === 'retired') return 'cleared';
    return kind === 'absent' ? 'lost' : 'present';
  }

  nameOf({ key }: SessionListRecord): string {
    return sessionRecordName(subfolder, key);
  }

  /**
   * Merges a record into its file. Resolves to the merged record. Rejects with the system's error, or if a newer
   * version of the extension wrote the file.
   */
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
