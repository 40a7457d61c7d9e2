import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Message } from '../../api/resources/message.ts';
import { inSlices } from '../../shared/slices.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { undefinedIfMissing, isAlive, writeAtomically } from '../storage/atomicFile.ts';
import {
  type CacheIndex,
  type IndexLine,
  type IndexEnd,
  encodeHead,
  encodeLine,
  isHeadOf,
  readIndex,
  readNewest,
} from './indexFormat.ts';
import type { Clock } from '../storage/clock.ts';
import type { BodyPlace } from './indexColumns.ts';
import { decodeMessage } from './messageCodec.ts';

/** An encoded body that is ready to be written. */
export interface BodyBytes {
  readonly messageId: string;
  readonly updatedAt: number;
  readonly bytes: Uint8Array;
  readonly checksum: number;
}

/** The approximate maximum size of one read. */
const mostReadBytes = 1024 * 1024;
/** The number of bytes to read from the end of an index to find its newest messages. */
const indexEndBytes = 768 * 1024;
/** More than the size of the first line of an index. */
const indexHeadBytes = 4 * 1024;
const fileMode = 0o600;
const folderMode = 0o700;
const ownFile = /^(\d+)-[0-9a-z]+-[0-9a-f]+\.(index|bodies)$/;

/**
 * The cache of one session on disk. Each window appends to its own files: one with bodies, and a complete index that
 * may refer to bodies in files of other windows. Existing data is never overwritten, so windows can't corrupt each
 * other's files. Checksums detect data that a crash left incomplete.
 */
export class SessionFiles {
  readonly #folder: string;
  readonly #key: SessionKey;
  readonly #clock: Clock;
  #stem = '';

  constructor(folder: string, key: SessionKey, clock: Clock) {
    this.#folder = folder;
    this.#key = key;
    this.#clock = clock;
    this.renew();
  }

  /** Switches to new files. This window then treats its previous files like those of a closed window. */
  renew(): void {
    this.#stem = `${process.pid}-${this.#clock.now().toString(36)}-${randomUUID().slice(0, 8)}`;
  }

  /**
   * Reads the index with the most messages, or the newest of those with the same number; undefined if there is none.
   * Leaves out the locations of bodies that aren't on disk anymore. Unless `isPassing` is set, this marks the session
   * as used, so that less recently used sessions are removed first.
   */
  async readIndex(isPassing = false): Promise<CacheIndex | undefined> {
    const sizes = await this.#sizes();
    const candidates: { readonly index: CacheIndex; readonly modifiedMs: number }[] = [];
    for (const [name, { modifiedMs }] of sizes) {
      const index = name.endsWith('.index') ? await this.#readIndexFile(name) : undefined;
      if (index) candidates.push({ index, modifiedMs });
    }
    candidates.sort((a, b) => countOf(b.index) - countOf(a.index) || b.modifiedMs - a.modifiedMs);
    const best = candidates[0]?.index;
    if (!best) return undefined;
    const now = new Date(this.#clock.now());
    if (!isPassing) await utimes(this.#folder, now, now).catch(() => undefined);
    for (const [messageId, place] of best.bodies) if (!isThere(place, sizes)) best.bodies.delete(messageId);
    return best;
  }

  /**
   * Reads the newest messages from the end of the index with the most messages. Undefined if there is no index, or if
   * the end of any index doesn't repeat its newest messages, as in a short index or one of another version;
   * {@link readIndex} is then needed. A window that begins its own index removes those of other versions, unless
   * another window with files in this folder is running.
   */
  async readNewest(): Promise<IndexEnd | undefined> {
    const sizes = await this.#sizes();
    const candidates: { readonly newest: IndexEnd; readonly modifiedMs: number }[] = [];
    for (const [name, { sizeBytes, modifiedMs }] of sizes) {
      if (!name.endsWith('.index')) continue;
      const newest = await this.#readEnd(name, sizeBytes);
      if (!newest) return undefined;
      candidates.push({ newest, modifiedMs });
    }
    candidates.sort((a, b) => b.newest.totalCount - a.newest.totalCount || b.modifiedMs - a.modifiedMs);
    const best = candidates[0]?.newest;
    return best && { ...best, bodies: new Map([...best.bodies].filter(([, place]) => isThere(place, sizes))) };
  }

  /** Appends bodies to this window's file. Resolves to their locations. */
  async appendBodies(bodies: readonly BodyBytes[]): Promise<Map<string, BodyPlace>> {
    const places = new Map<string, BodyPlace>();
    if (bodies.length === 0) return places;
    await mkdir(this.#folder, { recursive: true, mode: folderMode });
    const fileName = `${this.#stem}.bodies`;
    const file = await open(join(this.#folder, fileName), 'a', fileMode);
    try {
      let { size: offset } = await file.stat();
      await file.appendFile(Buffer.concat(bodies.map(({ bytes }) => bytes)));
      for (const { messageId, updatedAt, bytes, checksum } of bodies) {
        const sizeBytes = bytes.byteLength;
        places.set(messageId, { fileName, offset, sizeBytes, checksum, updatedAt });
        offset += sizeBytes;
      }
    } finally {
      await file.close();
    }
    return places;
  }

  /**
   * Creates a complete index for this window. Then removes all earlier files except those in `used`, unless another
   * window with files in this folder is running.
   */
  async begin(lines: Iterable<IndexLine>, used: ReadonlySet<string>): Promise<void> {
    const encoder = new TextEncoder();
    const key = this.#key;
    function* chunks() {
      yield encoder.encode(encodeHead(key));
      for (const line of lines) yield encoder.encode(encodeLine(line));
    }
    await writeAtomically(join(this.#folder, `${this.#stem}.index`), chunks(), { clock: this.#clock });
    await this.#removeOrphans(used);
  }

  /**
   * Appends a line to this window's index. Resolves to the size of the line in bytes. Rejects if the index no longer
   * exists.
   */
  async append(line: IndexLine): Promise<number> {
    const file = await open(join(this.#folder, `${this.#stem}.index`), 'r+');
    try {
      const { size } = await file.stat();
      const { bytesWritten } = await file.write(encodeLine(line), size);
      return bytesWritten;
    } finally {
      await file.close();
    }
  }

  /** Reads the messages at these locations, in their order; missing or damaged ones are left out. */
  async read(places: readonly BodyPlace[]): Promise<Message[]> {
    const found = new Map<BodyPlace, Message>();
    for (const fileName of new Set(places.map((place) => place.fileName))) {
      const own = places.filter((place) => place.fileName === fileName);
      await this.#readFrom(fileName, own, found);
    }
    return places.flatMap((place) => found.get(place) ?? []);
  }

  /** The total size of the files with bodies. */
  async bodiesSizeBytes(): Promise<number> {
    let sum = 0;
    for (const [name, { sizeBytes }] of await this.#sizes()) if (name.endsWith('.bodies')) sum += sizeBytes;
    return sum;
  }

  async #readFrom(fileName: string, places: readonly BodyPlace[], found: Map<BodyPlace, Message>): Promise<void> {
    try {
      const file = await open(join(this.#folder, fileName), 'r');
      try {
        for (const run of runsOf(places)) await readRun(file, run, found);
      } finally {
        await file.close();
      }
    } catch {
      // The cache was cleared or is damaged. The messages are loaded from the service instead.
    }
  }

  async #readIndexFile(name: string): Promise<CacheIndex | undefined> {
    try {
      // Decode the whole file in one call; decoding it in pieces takes several times as long.
      const bytes = await readFile(join(this.#folder, name));
      return await readIndex(bytes.toString('utf8'), this.#key);
    } catch {
      return undefined;
    }
  }

  async #readEnd(name: string, sizeBytes: number): Promise<IndexEnd | undefined> {
    try {
      const file = await open(join(this.#folder, name), 'r');
      try {
        const head = await readPart(file, 0, indexHeadBytes);
        if (!isHeadOf(head.toString('utf8'), this.#key)) return undefined;
        const end = await readPart(file, Math.max(0, sizeBytes - indexEndBytes), indexEndBytes);
        // The part may begin within a line.
        return readNewest(end.subarray(end.indexOf('\n') + 1).toString('utf8'));
      } finally {
        await file.close();
      }
    } catch {
      return undefined;
    }
  }

  /**
   * Removes unused files. Does nothing while another window with files in this folder is running, because its index may
   * refer to any file.
   */
  async #removeOrphans(used: ReadonlySet<string>): Promise<void> {
    const names = [...(await this.#sizes()).keys()].filter((name) => !name.startsWith(this.#stem));
    if (names.some((name) => isOfLivingWindow(name))) return;
    for (const name of names) if (!used.has(name)) await rm(join(this.#folder, name), { force: true });
  }

  async #sizes(): Promise<Map<string, FileSize>> {
    const sizes = new Map<string, FileSize>();
    for (const name of (await undefinedIfMissing(readdir(this.#folder))) ?? []) {
      // Another window may remove a file at any time; use the remaining ones.
      const file = ownFile.test(name) ? await undefinedIfMissing(stat(join(this.#folder, name))) : undefined;
      if (file) sizes.set(name, { sizeBytes: file.size, modifiedMs: file.mtimeMs });
    }
    return sizes;
  }
}

interface FileSize {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** Whether the file of a location exists and is large enough to contain it. */
function isThere({ fileName, offset, sizeBytes }: BodyPlace, sizes: ReadonlyMap<string, FileSize>): boolean {
  return offset + sizeBytes <= (sizes.get(fileName)?.sizeBytes ?? 0);
}

async function readPart(file: FileHandle, offset: number, sizeBytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, offset);
  return buffer.subarray(0, bytesRead);
}

/** Adjacent locations that a single read covers. */
interface PlaceRun {
  readonly offset: number;
  sizeBytes: number;
  readonly places: BodyPlace[];
}

/** Groups the bodies of one file into runs without gaps, so that 40 messages usually require a single read. */
function runsOf(places: readonly BodyPlace[]): PlaceRun[] {
  const runs: PlaceRun[] = [];
  for (const place of places.toSorted((a, b) => a.offset - b.offset)) {
    const last = runs.at(-1);
    const isNext = last && place.offset === last.offset + last.sizeBytes && last.sizeBytes < mostReadBytes;
    if (!isNext) runs.push({ offset: place.offset, sizeBytes: place.sizeBytes, places: [place] });
    else {
      last.sizeBytes += place.sizeBytes;
      last.places.push(place);
    }
  }
  return runs;
}

async function readRun(file: FileHandle, run: PlaceRun, found: Map<BodyPlace, Message>): Promise<void> {
  const bytes = Buffer.alloc(run.sizeBytes);
  const { bytesRead } = await file.read(bytes, 0, run.sizeBytes, run.offset);
  for (const place of run.places) {
    const start = place.offset - run.offset;
    const body = bytes.subarray(start, Math.min(start + place.sizeBytes, bytesRead));
    const isWhole = body.length === place.sizeBytes && crc32(body) === place.checksum;
    const message = isWhole ? await inSlices(decodeMessage(body, place.updatedAt)) : undefined;
    if (message) found.set(place, message);
  }
}

function isOfLivingWindow(name: string): boolean {
  const pid = Number(ownFile.exec(name)?.[1]);
  // Process IDs are often reused in containers, so a file with this process's ID may be from an ended process.
  return pid !== process.pid && isAlive(pid);
}

function countOf(index: CacheIndex): number {
  return index.headers.reduce((sum, { headers }) => sum + headers.length, 0);
}
