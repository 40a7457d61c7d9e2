import type { Stats } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, undefinedIfMissing } from './atomicFile.ts';
import type { Clock } from './clock.ts';

/** The folder with the marks of retired records. A mark is an empty file. */
const marksFolder = 'removed';
/** The mark of all records: the user deleted the data of the extension. */
const allMark = 'all';
/**
 * The time for which a mark is kept. A window that was suspended for longer mistakes a retired record for a lost one.
 */
const keepMarksMs = 7 * 86_400_000;
/** The time for which the mark of all records is kept, and counts. A file that is missing after that counts as lost. */
const keepAllMarkMs = 300_000;

/**
 * Removes everything except marks in a folder of records at the user's request, and leaves a mark for all records, so
 * that other windows don't restore them. Rejects with the system's error.
 */
export async function removeAllRecords(folder: string): Promise<void> {
  await createFile(join(folder, marksFolder, allMark), '');
  for (const name of await readdir(folder)) {
    if (name !== marksFolder) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** When a mark was made and first seen, in Unix ms. */
interface SeenMark {
  readonly madeAt: number;
  readonly at: number;
}

/**
 * The marks in a folder of records, which distinguish records that a window removed from lost ones. While the file of a
 * record exists, its mark has no effect. All methods reject with the system's error.
 */
export class RemovalMarks {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #openedAt: number;
  /** The mark of all records that was last seen. */
  #seen: SeenMark | undefined;

  constructor(folder: string, clock: Clock) {
    this.#folder = join(folder, marksFolder);
    this.#clock = clock;
    this.#openedAt = clock.now();
  }

  /** The path of a record's mark, whether it exists or not. */
  pathOf(name: string): string {
    return join(this.#folder, name.replaceAll('/', '-'));
  }

  /** Whether a window removed a record whose file is missing. */
  async has(name: string): Promise<boolean> {
    return (await this.of(name)) !== undefined || this.#areAllRemoved();
  }

  /**
   * Resolves to the mark of all records, and notes when this window first sees it; undefined if there is no such mark.
   * If this is called regularly, only a window that was suspended sees the mark late.
   */
  async noteAll(): Promise<SeenMark | undefined> {
    const madeAt = (await this.of(allMark))?.mtimeMs;
    if (madeAt === undefined) return undefined;
    if (this.#seen?.madeAt !== madeAt) this.#seen = { madeAt, at: this.#clock.now() };
    return this.#seen;
  }

  /** The status of the file of a record's mark; undefined if there is no mark. */
  of(name: string): Promise<Stats | undefined> {
    return undefinedIfMissing(stat(this.pathOf(name)));
  }

  /**
   * Whether the mark of all records counts. In a window that was open when the mark was made, it also counts for a
   * while after it was first seen, because the computer may have been asleep.
   */
  async #areAllRemoved(): Promise<boolean> {
    const seen = await this.noteAll();
    if (!seen) return false;
    const isRecent = (at: number) => Math.abs(this.#clock.now() - at) <= keepAllMarkMs;
    return isRecent(seen.madeAt) || (seen.madeAt >= this.#openedAt && isRecent(seen.at));
  }

  /** Removes a mark, unless another window has retired the record again since `old` was read. */
  async remove(name: string, old: Stats): Promise<void> {
    const mark = await this.of(name);
    if (mark?.ino === old.ino && mark.mtimeMs === old.mtimeMs) await rm(this.pathOf(name), { force: true });
  }

  /** Removes old marks. */
  async sweep(): Promise<void> {
    for (const name of (await undefinedIfMissing(readdir(this.#folder))) ?? []) {
      const mark = await this.of(name);
      const keepMs = name === allMark ? keepAllMarkMs : keepMarksMs;
      if (mark && this.#clock.now() - mark.mtimeMs > keepMs) await rm(this.pathOf(name), { force: true });
    }
  }
}
