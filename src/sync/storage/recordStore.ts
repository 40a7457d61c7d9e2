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

/**
 * The format of a kind of record on disk. Each file contains its version; files of a newer version are left untouched.
 */
export interface RecordFormat<T> {
  readonly version: number;
  readonly schema: z.ZodMiniType<T>;
}

/**
 * A file that could not be decoded. It is kept under `keptAs`: a new name for a damaged file, or the same name for a
 * file that a newer version of the extension wrote.
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
 * Records in files under one folder. Names are relative, with forward slashes. Calls for the same file run one at a
 * time in call order, so that an older write never overtakes a newer one.
 */
export interface RecordStore {
  /**
   * Resolves when the record is completely written and synced. If it rejects with the system's error, the old record
   * remains.
   */
  write<T>(name: string, format: RecordFormat<T>, record: T): Promise<void>;
  /**
   * Rejects only with the system's error (no permission, disk failure). A damaged file is quarantined and returned as
   * unreadable.
   */
  read<T>(name: string, format: RecordFormat<T>): Promise<RecordRead<T>>;
  /** The sorted names of the records in a subfolder; empty if the subfolder does not exist. */
  list(subfolder: string): Promise<string[]>;
  /** Whether a subfolder contains quarantined files. */
  hasQuarantined(subfolder: string): Promise<boolean>;
  /** Resolves when the file is gone, even if it did not exist. */
  remove(name: string): Promise<void>;
  /**
   * Creates a file that must not exist yet; if several windows try, only one succeeds. Resolves to whether this call
   * created it. The file is not synced, because it has meaning only while its window is running.
   */
  create(name: string, text: string): Promise<boolean>;
  /** Overwrites an existing file with text of the same length. Resolves to whether the file existed. */
  overwrite(name: string, text: string): Promise<boolean>;
  /** The text of a file as is, complete or not; undefined if there is no such file. */
  readText(name: string): Promise<string | undefined>;
  /** The sorted names of all files in a subfolder. */
  names(subfolder: string): Promise<string[]>;
  /**
   * Calls `listener` when this or another window may have changed a file in a subfolder, with the file's name if the
   * system reports it. Some file systems never report changes, so callers also have to reread the subfolder
   * periodically.
   */
  watch(subfolder: string, listener: (name: string | undefined) => void): Disposable;
  /** Resolves when all calls made so far have succeeded or failed. Await it before the process ends. */
  flush(): Promise<void>;
}

const envelopeSchema = z.object({ version: z.number(), record: z.unknown() });

/** Encodes a record as the content of its file: `{ "version": number, "record": ... }` (since 0.1). */
export function encodeRecord<T>({ version }: RecordFormat<T>, record: T): string {
  return JSON.stringify({ version, record });
}

/** Decodes the output of {@link encodeRecord}. `newer`: written by a later version of the extension. */
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

/** Selects the names of records from the names of files. */
export function recordNamesIn(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('.json'));
}

/** A record store whose folder is accessed only when needed. */
export interface FolderRecordStore extends RecordStore {
  /** Creates the folder if needed and removes temporary files that a crash left. Rejects with the system's error. */
  prepare(): Promise<void>;
}

/**
 * Creates a record store on a folder. Writes nothing before `prepare`, but existing records can be read immediately.
 */
export function createRecordStore(
  folder: string,
  log: Log,
  clock: Clock = systemClock,
  renameFile?: FileWriting['renameFile'],
): FolderRecordStore {
  return new DiskRecordStore(folder, log, { clock, renameFile });
}

/** Creates a record store and prepares its folder. Rejects with the system's error. */
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
      return this.#quarantine(name, decoded.reason);
    });
  }

  async list(subfolder: string): Promise<string[]> {
    return recordNamesIn(await this.names(subfolder));
  }

  async hasQuarantined(subfolder: string): Promise<boolean> {
    return (await this.names(subfolder)).some((name) => name.includes('.unreadable-'));
  }

  create(name: string, text: string): Promise<boolean> {
    return this.#run(name, () => createFile(join(this.#folder, name), text));
  }

  overwrite(name: string, text: string): Promise<boolean> {
    return this.#run(name, () => overwriteFile(join(this.#folder, name), text));
  }

  readText(name: string): Promise<string | undefined> {
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

  async #quarantine(name: string, reason: string): Promise<UnreadableFile> {
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

/** Lists only the invalid fields, because the parser's own message could contain message text. */
function badFields(error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] }): string {
  return `fields ${error.issues.map((issue) => issue.path.join('.') || 'all').join(', ')}`;
}
