import { readFile as readFileThen } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Disposable } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { KeyedQueue } from '../../shared/serialQueue.ts';
import {
  createFile,
  errorCode,
  type FileWriting,
  moveUnlessPresent,
  undefinedIfMissing,
  overwriteFile,
  renameWithRetries,
  sweepTemporaryFiles,
  syncFolder,
  watchFolder,
  writeAtomically,
} from './atomicFile.ts';
import { type Clock, systemClock } from './clock.ts';
import {
  decodeRecord,
  encodeRecord,
  type RecordFormat,
  type RecordVersion,
  type TaggedFormat,
  type UnreadableFile,
  versionOf,
} from './recordFormat.ts';
import { RemovalMarks } from './removalMarks.ts';

/**
 * The number of records to read at the same time. Thousands could exceed the number of files that a process may open.
 */
export const readsAtOnce = 50;

/** Thrown instead of overwriting or removing a record that a newer version of the extension wrote. */
class NewerRecordError extends Error {
  override readonly name = 'NewerRecordError';
  readonly code = 'ENEWER';

  constructor() {
    super('written by a newer version');
  }
}

/**
 * The result of reading a record. `retired`: this or another window removed it (see {@link RecordStore.retire}), or the
 * user deleted the data of the extension.
 */
export type RecordRead<T> =
  | { readonly kind: 'record'; readonly record: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'retired' }
  | UnreadableFile;

/**
 * Records by name: in files under one folder or, for the demo, in memory. Names are relative, with forward slashes.
 * Calls for the same record run one at a time in call order, so that an older write never overtakes a newer one.
 */
export interface RecordStore {
  /**
   * Resolves when the record is completely written and synced. If it rejects with the system's error, or with
   * {@link NewerRecordError}, the old record remains, except after a failed sync of the folder (see `writeAtomically`).
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
  /**
   * Resolves when the file is gone, even if it did not exist. With a format, rejects with {@link NewerRecordError} if a
   * newer version wrote the file.
   */
  remove(name: string, format?: RecordVersion): Promise<void>;
  /**
   * Like {@link remove}, but leaves a mark, so that other windows can distinguish the removal from a lost file. The
   * mark stays for a week, or until the record is written again.
   */
  retire(name: string, format: RecordVersion): Promise<void>;
  /**
   * Like {@link retire}, but only if the record on disk has this tag. If another window has written a record with
   * another tag, that record stays, and this resolves to it; otherwise to undefined.
   */
  retireTagged<T>(name: string, format: TaggedFormat<T>, tag: string): Promise<T | undefined>;
  /**
   * Completes the removals in a subfolder that windows left unfinished because they ended during {@link retireTagged}.
   * Rejects only if the subfolder can't be read; other errors are logged.
   */
  settle<T>(subfolder: string, format: TaggedFormat<T>): Promise<void>;
  /**
   * Creates a file that must not exist yet; if several windows try, only one succeeds. Resolves to whether this call
   * created it. The file is not synced, because it has meaning only while its window is running.
   */
  create(name: string, text: string): Promise<boolean>;
  /** Overwrites an existing file with text of the same length. Resolves to whether the file existed. */
  overwrite(name: string, text: string): Promise<boolean>;
  /** The text of a file as is, complete or not; undefined if there is no such file. */
  readText(name: string): Promise<string | undefined>;
  /**
   * An ID of the current content of a file, which changes with each write, and is found without reading the file.
   * Undefined if there is no file, or if the store has no such IDs.
   */
  contentId(name: string): Promise<string | undefined>;
  /** The sorted names of all files in a subfolder; empty if the subfolder does not exist. */
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

/**
 * Takes a third less processor time for a small file than `readFile` of `node:fs/promises`, which creates a
 * `FileHandle`.
 */
const readFile = promisify(readFileThen);

const headBytes = 64;
/**
 * The part of a file name between the name of a record and a tag. A record has such a file name while `retireTagged`
 * checks whether the record has that tag.
 */
const retiringSuffix = '.retiring-';

/** Selects the names of records from the names of files. */
export function recordNamesIn(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('.json'));
}

/** A record store whose folder is accessed only when needed. */
export interface FolderRecordStore extends RecordStore {
  /** Creates the folder if needed. Rejects with the system's error. */
  prepare(): Promise<void>;
  /** Removes temporary files that a crash left, and old marks. Never rejects; errors are logged. */
  sweep(): Promise<void>;
}

/**
 * Creates a record store on a folder without accessing the folder. Existing records can be read before `prepare` is
 * called.
 */
export function createRecordStore(
  folder: string,
  log: Log,
  clock: Clock = systemClock,
  renameFile?: FileWriting['renameFile'],
): FolderRecordStore {
  return new DiskRecordStore(folder, log, { clock, renameFile });
}

/** Creates a record store, and prepares and sweeps its folder. Rejects with the system's error. */
export async function openDisk(...parts: Parameters<typeof createRecordStore>): Promise<RecordStore> {
  const disk = createRecordStore(...parts);
  await disk.prepare();
  await disk.sweep();
  return disk;
}

class DiskRecordStore implements FolderRecordStore {
  readonly #folder: string;
  readonly #log: Log;
  readonly #writing: FileWriting;
  readonly #marks: RemovalMarks;
  readonly #queue = new KeyedQueue<string>();

  constructor(folder: string, log: Log, writing: FileWriting) {
    this.#folder = folder;
    this.#log = log;
    this.#writing = writing;
    this.#marks = new RemovalMarks(folder, writing.clock);
  }

  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  async sweep(): Promise<void> {
    try {
      const swept = await sweepTemporaryFiles(this.#folder, this.#writing.clock);
      if (swept > 0) this.#log.info(`disk: removed ${swept} unfinished files`);
      await this.#marks.sweep();
    } catch (error) {
      // Saved records can still be read if the folder is read-only.
      this.#log.warn(`disk: couldn't remove unfinished files: ${reasonOf(error)}`);
    }
  }

  write<T>(name: string, format: RecordFormat<T>, record: T): Promise<void> {
    const bytes = new TextEncoder().encode(encodeRecord(format, record));
    return this.#run(name, async () => {
      await this.#refuseNewer(name, format);
      const oldMark = await this.#marks.of(name);
      await writeAtomically(join(this.#folder, name), [bytes], this.#writing);
      // Remove the mark last: a missing file without a mark looks lost. While the file exists, the mark has no effect.
      if (oldMark) await this.#finish(`couldn't remove the mark of ${name}`, () => this.#marks.remove(name, oldMark));
    });
  }

  read<T>(name: string, format: RecordFormat<T>): Promise<RecordRead<T>> {
    return this.#run(name, async () => {
      let bytes = await this.#readBytes(name);
      for (;;) {
        if (bytes === undefined) {
          if (await this.#marks.has(name)) return { kind: 'retired' };
          // If another window has just written the record, it has also removed the mark.
          bytes = await this.#readBytes(name);
        }
        if (bytes === undefined) return { kind: 'absent' };
        const decoded = decodeRecord(bytes, format);
        if (decoded.kind === 'record') return decoded;
        if (decoded.cause === 'newer') return { ...decoded, name, keptAs: name };
        // Another window that retires the record empties the file, perhaps while it is read.
        const again = await this.#readBytes(name);
        if (again?.equals(bytes)) return { ...decoded, name, keptAs: await this.#quarantine(name, decoded.reason) };
        bytes = again;
      }
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

  contentId(name: string): Promise<string | undefined> {
    return this.#run(name, async () => {
      const file = await undefinedIfMissing(stat(join(this.#folder, name)));
      return file && `${file.ino} ${file.size} ${file.mtimeMs}`;
    });
  }

  watch(subfolder: string, listener: (name: string | undefined) => void): Disposable {
    const tell = (fileName: string | undefined) => listener(fileName && `${subfolder}/${fileName}`);
    return watchFolder(join(this.#folder, subfolder), tell, this.#log);
  }

  remove(name: string, format?: RecordVersion): Promise<void> {
    return this.#run(name, async () => {
      if (format) await this.#refuseNewer(name, format);
      const path = join(this.#folder, name);
      await rm(path, { force: true });
      await syncFolder(dirname(path));
    });
  }

  retire(name: string, format: RecordVersion): Promise<void> {
    return this.#run(name, async () => {
      await this.#refuseNewer(name, format);
      const path = join(this.#folder, name);
      const mark = this.#marks.pathOf(name);
      await mkdir(dirname(mark), { recursive: true, mode: 0o700 });
      // A rename needs no free space, and leaves no moment in which the file is missing without a mark.
      const isRenamed = (await undefinedIfMissing(this.#rename(path, mark))) === true;
      if (!isRenamed) await createFile(mark, '');
      await this.#finish(`couldn't finish removing ${name}`, async () => {
        if (isRenamed) await truncate(mark);
        await syncFolder(dirname(path));
      });
    });
  }

  retireTagged<T>(name: string, format: TaggedFormat<T>, tag: string): Promise<T | undefined> {
    return this.#run(name, async () => {
      await this.#refuseNewer(name, format);
      // Create the mark before the file is set aside, because without a mark the record would look lost.
      await createFile(this.#marks.pathOf(name), '');
      const path = join(this.#folder, name);
      await undefinedIfMissing(this.#rename(path, path + retiringSuffix + tag));
      return this.#decide(name, format, tag);
    });
  }

  async settle<T>(subfolder: string, format: TaggedFormat<T>): Promise<void> {
    for (const left of await this.names(subfolder)) {
      const [name = '', tag] = left.split(retiringSuffix, 2);
      if (tag !== undefined) await this.#run(name, () => this.#decide(name, format, tag)).catch(() => undefined);
    }
  }

  async flush(): Promise<void> {
    await this.#queue.idle();
  }

  async names(subfolder: string): Promise<string[]> {
    // Every window lists its folders regularly, so it sees the mark of all records soon, even if no file is missing.
    await this.#marks.noteAll();
    const names = (await undefinedIfMissing(readdir(join(this.#folder, subfolder)))) ?? [];
    return names.sort().map((name) => `${subfolder}/${name}`);
  }

  #readBytes(name: string): Promise<Buffer | undefined> {
    return undefinedIfMissing(readFile(join(this.#folder, name)));
  }

  /** Runs the last steps of a change that has already taken effect. Their failure is only logged. */
  async #finish(failure: string, steps: () => Promise<void>): Promise<void> {
    await steps().catch((error: unknown) => this.#log.warn(`disk: ${failure}: ${reasonOf(error)}`));
  }

  /**
   * Removes a record that is set aside, or puts it back if it has another tag, or if a newer version of the extension
   * wrote it. Resolves to the record if it has another tag, otherwise to undefined. Depends only on the file, so any
   * window can do it, and several at the same time.
   */
  async #decide<T>(name: string, format: TaggedFormat<T>, tag: string): Promise<T | undefined> {
    const path = join(this.#folder, name);
    const aside = path + retiringSuffix + tag;
    const bytes = await undefinedIfMissing(readFile(aside));
    const decoded = bytes && decodeRecord(bytes, format);
    const record = decoded?.kind === 'record' && format.tagOf(decoded.record) !== tag ? decoded.record : undefined;
    if (record || (decoded?.kind === 'unreadable' && decoded.cause === 'newer')) {
      const mark = await this.#marks.of(name);
      await moveUnlessPresent(aside, path);
      if (mark) await this.#marks.remove(name, mark);
    } else await rm(aside, { force: true });
    await syncFolder(dirname(path));
    return record;
  }

  async #rename(from: string, to: string): Promise<true> {
    await renameWithRetries(from, to, this.#writing);
    return true;
  }

  async #refuseNewer(name: string, format: RecordVersion): Promise<void> {
    const file = await undefinedIfMissing(open(join(this.#folder, name), 'r'));
    if (!file) return;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      if (versionOf(buffer.toString('latin1', 0, bytesRead)) > format.version) throw new NewerRecordError();
    } finally {
      await file.close();
    }
  }

  /** Renames a damaged file. If that fails, for example because the folder is read-only, the file stays in place. */
  async #quarantine(name: string, reason: string): Promise<string> {
    const keptAs = `${name}.unreadable-${this.#writing.clock.now()}`;
    try {
      await rename(join(this.#folder, name), join(this.#folder, keptAs));
    } catch (error) {
      this.#log.error(`disk: ${name} cannot be read (${reason}) or set aside (${errorCode(error) ?? ''})`);
      return name;
    }
    this.#log.error(`disk: ${name} cannot be read (${reason}) and is kept as ${keptAs}`);
    return keptAs;
  }

  #run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const result = this.#queue.run(name, task);
    result.catch((error: unknown) => this.#log.warn(`disk: ${name}: ${reasonOf(error)}`));
    return result;
  }
}
