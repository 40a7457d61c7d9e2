import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../../shared/json.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { KeyedQueue } from '../../shared/serialQueue.ts';
import {
  createFile,
  type FileWriting,
  undefinedIfMissing,
  overwriteFile,
  sweepTemporaryFiles,
  syncFolder,
  watchFolder,
  writeAtomically,
} from './atomicFile.ts';
import { type Clock, systemClock } from './clock.ts';

/** How a kind of record lies on disk. A file carries its version; one of a newer version is not touched. */
export interface RecordFormat<T> {
  readonly version: number;
  readonly schema: z.ZodMiniType<T>;
}

/**
 * A file that could not be read as what it should be. It is kept: under `keptAs`, which is another name for a damaged
 * file, and the same name for one that a newer version of the extension wrote.
 */
export interface UnreadableFile {
  readonly kind: 'unreadable';
  readonly name: string;
  readonly keptAs: string;
  readonly reason: string;
}

export type RecordRead<T> =
  { readonly kind: 'record'; readonly record: T } | { readonly kind: 'absent' } | UnreadableFile;

/**
 * Records in files under one folder. Names are relative, with forward slashes. Calls for one file are done one after
 * the other, in the order made, so that an older write never overtakes a newer one.
 */
export interface RecordStore {
  /** Resolves when the record is on disk, whole and synced. Rejects with the system's error; the old record stands. */
  write<T>(name: string, format: RecordFormat<T>, record: T): Promise<void>;
  /** Rejects only with the system's error (no permission, disk failure); a damaged file is set aside and returned. */
  read<T>(name: string, format: RecordFormat<T>): Promise<RecordRead<T>>;
  /** The names of the records in a subfolder, sorted; empty where there is no such folder. */
  list(subfolder: string): Promise<string[]>;
  /** Whether a subfolder holds files that were set aside. */
  hasSetAside(subfolder: string): Promise<boolean>;
  /** Resolves when the file is gone, also where there was none. */
  remove(name: string): Promise<void>;
  /**
   * Makes a file that must not be there yet: of several windows that try, one succeeds. Resolves to whether it was this
   * call. Not synced: what is made so means something only while its window runs.
   */
  create(name: string, text: string): Promise<boolean>;
  /** Writes into a file that is there, text as long as its own. Resolves to whether it was there. */
  overwrite(name: string, text: string): Promise<boolean>;
  /** The text of a file as it is, whole or not; undefined where there is none. */
  look(name: string): Promise<string | undefined>;
  /** The names of all files in a subfolder, sorted. */
  names(subfolder: string): Promise<string[]>;
  /**
   * Tells when something in a subfolder may have changed, by this window or another, and which file, where the system
   * says so. A hint: some file systems never tell, so whoever listens looks again from time to time.
   */
  watch(subfolder: string, listener: (name: string | undefined) => void): Disposable;
  /** Resolves when every call made so far is done, well or not: to be awaited before the process ends. */
  flush(): Promise<void>;
}

const envelopeSchema = z.object({ version: z.number(), record: z.unknown() });

/** The content of a record's file: `{ "version": number, "record": ... }` (since 0.1). */
export function encodeRecord<T>({ version }: RecordFormat<T>, record: T): string {
  return JSON.stringify({ version, record });
}

/** Reads what {@link encodeRecord} wrote. `newer`: written by a later version of the extension. */
export function decodeRecord<T>(
  content: string | Uint8Array,
  format: RecordFormat<T>,
): { readonly kind: 'record'; readonly record: T } | { readonly kind: 'newer' | 'damaged'; readonly reason: string } {
  const envelope = envelopeSchema.safeParse(parseJson(content));
  if (!envelope.success) return { kind: 'damaged', reason: badFields(envelope.error) };
  const { version, record } = envelope.data;
  if (version > format.version) return { kind: 'newer', reason: `written by a newer version (format ${version})` };
  const parsed = format.schema.safeParse(record);
  return parsed.success
    ? { kind: 'record', record: parsed.data }
    : { kind: 'damaged', reason: badFields(parsed.error) };
}

/** The names of records among the names of files in a subfolder. */
export function recordNamesIn(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('.json'));
}

/** A disk that is named before its folder is looked at. */
export interface FolderRecordStore extends RecordStore {
  /** Makes the folder where needed and sweeps what a crash left. Rejects with the system's error. */
  prepare(): Promise<void>;
}

/** Names the folder of a disk; nothing is touched before `prepare`, but reading what is there works at once. */
export function createRecordStore(
  folder: string,
  log: Log,
  clock: Clock = systemClock,
  renameFile?: FileWriting['renameFile'],
): FolderRecordStore {
  return new DiskRecordStore(folder, log, { clock, renameFile });
}

/** Makes the folder where needed, sweeps what a crash left, and opens it. Rejects with the system's error. */
export async function openDisk(...parts: Parameters<typeof createRecordStore>): Promise<RecordStore> {
  const disk = createRecordStore(...parts);
  await disk.prepare();
  return disk;
}

class DiskRecordStore implements FolderRecordStore {
  readonly #folder: string;
  readonly #log: Log;
  readonly #writing: FileWriting;
  readonly #queue = new KeyedQueue<string>();

  constructor(folder: string, log: Log, writing: FileWriting) {
    this.#folder = folder;
    this.#log = log;
    this.#writing = writing;
  }

  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const swept = await sweepTemporaryFiles(this.#folder, this.#writing.clock);
    if (swept > 0) this.#log.info(`disk: removed ${swept} unfinished files`);
  }

  write<T>(name: string, format: RecordFormat<T>, record: T): Promise<void> {
    const bytes = new TextEncoder().encode(encodeRecord(format, record));
    return this.#run(name, () => writeAtomically(join(this.#folder, name), [bytes], this.#writing));
  }

  read<T>(name: string, format: RecordFormat<T>): Promise<RecordRead<T>> {
    return this.#run(name, async () => {
      const bytes = await undefinedIfMissing(readFile(join(this.#folder, name)));
      if (bytes === undefined) return { kind: 'absent' };
      const decoded = decodeRecord(bytes, format);
      if (decoded.kind === 'record') return decoded;
      if (decoded.kind === 'newer') return { kind: 'unreadable', name, keptAs: name, reason: decoded.reason };
      return this.#setAside(name, decoded.reason);
    });
  }

  async list(subfolder: string): Promise<string[]> {
    return recordNamesIn(await this.names(subfolder));
  }

  async hasSetAside(subfolder: string): Promise<boolean> {
    return (await this.names(subfolder)).some((name) => name.includes('.unreadable-'));
  }

  create(name: string, text: string): Promise<boolean> {
    return this.#run(name, () => createFile(join(this.#folder, name), text));
  }

  overwrite(name: string, text: string): Promise<boolean> {
    return this.#run(name, () => overwriteFile(join(this.#folder, name), text));
  }

  look(name: string): Promise<string | undefined> {
    return this.#run(name, async () => (await undefinedIfMissing(readFile(join(this.#folder, name))))?.toString());
  }

  watch(subfolder: string, listener: (name: string | undefined) => void): Disposable {
    const tell = (fileName: string | undefined) => listener(fileName && `${subfolder}/${fileName}`);
    return watchFolder(join(this.#folder, subfolder), tell, this.#log);
  }

  remove(name: string): Promise<void> {
    return this.#run(name, async () => {
      const path = join(this.#folder, name);
      await rm(path, { force: true });
      await syncFolder(dirname(path));
    });
  }

  async flush(): Promise<void> {
    await this.#queue.idle();
  }

  async names(subfolder: string): Promise<string[]> {
    const names = (await undefinedIfMissing(readdir(join(this.#folder, subfolder)))) ?? [];
    return names.sort().map((name) => `${subfolder}/${name}`);
  }

  async #setAside(name: string, reason: string): Promise<UnreadableFile> {
    const keptAs = `${name}.unreadable-${this.#writing.clock.now()}`;
    await rename(join(this.#folder, name), join(this.#folder, keptAs));
    this.#log.error(`disk: ${name} cannot be read (${reason}) and is kept as ${keptAs}`);
    return { kind: 'unreadable', name, keptAs, reason };
  }

  #run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const result = this.#queue.run(name, task);
    result.catch((error: unknown) => this.#log.warn(`disk: ${name}: ${reasonOf(error)}`));
    return result;
  }
}

/** Which fields do not fit. The parser's own message could carry the file's content, which is message text. */
function badFields(error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] }): string {
  return `fields ${error.issues.map((issue) => issue.path.join('.') || 'all').join(', ')}`;
}
