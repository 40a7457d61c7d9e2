import { crc32 } from 'node:zlib';
import type { KnownItem } from '../../api/http/longItems.ts';
import type { Message } from '../../api/resources/message.ts';
import { Emitter } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { HeaderBatch, Store } from '../../state/store/store.ts';
import type { CachePolicy } from './cachePolicy.ts';
import {
  addArrival,
  addedLines,
  type Arrival,
  mostNewestCount,
  type IndexEnd,
  newestLine,
  type SavedCursor,
  wholeLines,
} from './indexFormat.ts';
import type { BodyBytes, SessionFiles } from './sessionFiles.ts';
import type { BodyPlace } from './indexColumns.ts';
import { encodeMessage } from './messageCodec.ts';

/** The history that an earlier window cached. */
export interface SavedHistory {
  readonly batches: readonly HeaderBatch[];
  readonly cursor: SavedCursor;
}

/** A body and its size on disk. */
export interface StoredBody {
  readonly message: Message;
  readonly sizeBytes: number;
}

const compactAboveBytes = 4 * 1024 * 1024;
/**
 * The number of bytes in the index after which a line repeats the newest messages, so that they are always near the
 * end. Such a line has about 50 KB, which is little compared with the bodies that are written meanwhile.
 */
const newestEveryBytes = 128 * 1024;

/** The maximum number of long messages to recognize in a list: more than the page of the newest messages can have. */
const mostKnown = 200;

/** The bodies of one session in this window, either on disk or waiting to be written. Writes run one at a time. */
export class SessionCache {
  readonly key: SessionKey;
  readonly #files: SessionFiles;
  readonly #policy: CachePolicy;
  readonly #store: Store;
  readonly #log: Log;
  readonly #written = new Emitter<StoredBody>();
  readonly #unwritten = new Map<string, Message>();
  /** By message ID: the long messages whose stored bodies were read from a list. */
  readonly #known = new LruMap<string, KnownItem>(mostKnown);
  #waiting: Arrival[] = [];
  #bodies = new Map<string, BodyPlace>();
  /** The locations of the bodies of the newest messages, from {@link readNewest} until {@link restore}. */
  #newestBodies: ReadonlyMap<string, BodyPlace> | undefined;
  /** The number of bytes in this window's index since a line repeated the newest messages. */
  #sinceNewestBytes = 0;
  #place: SavedCursor | undefined;
  #writtenPlace = '';
  /** The headers as saved in the index. */
  readonly #indexed = new Map<string, MessageHeader>();
  #isBegun = false;
  #isSetAside = false;
  readonly #queue = new SerialQueue();
  #isDue = false;
  /**
   * Incremented when files or bodies are dropped, or messages arrive that may not be written, so that a write that
   * started earlier does not record its result.
   */
  #epoch = 0;

  /** While `policy` doesn't keep the session, bodies stay in memory. */
  constructor(key: SessionKey, files: SessionFiles, policy: CachePolicy, store: Store, log: Log) {
    this.key = key;
    this.#files = files;
    this.#policy = policy;
    this.#store = store;
    this.#log = log;
  }

  /** Fires for each body that was written to disk. */
  readonly onDidWrite = this.#written.event;

  /**
   * Reads the newest messages that an earlier window cached. Afterward, their bodies can be read. Undefined if there
   * are none, if the session may not be cached, isn't in the store, or already has messages, or if {@link restore} is
   * needed to find them or finds them just as fast. Doesn't affect what is written later.
   */
  readNewest(): Promise<IndexEnd | undefined> {
    return this.#queue.run(async () => {
      if (!this.#isKept() || this.#isBegun || this.#headers?.length !== 0) return undefined;
      const newest = await this.#files.readNewest();
      this.#newestBodies = newest?.bodies;
      return newest;
    });
  }

  /**
   * Reads the history that an earlier window cached. Call this before the first `put`. Undefined if there is none, or
   * if the session may not be cached, isn't in the store, or already has messages.
   */
  restore(): Promise<SavedHistory | undefined> {
    return this.#queue.run(async () => {
      if (!this.#isKept() || this.#isBegun) return undefined;
      const index = await this.#files.readIndex();
      // A page shows the newest messages until all are known, so their bodies are needed until then.
      this.#newestBodies = undefined;
      if (!index || this.#headers?.length !== 0) return undefined;
      this.#bodies = index.bodies;
      for (const { headers } of index.headers) this.#noteIndexed(headers);
      this.#place = index.place;
      this.#writtenPlace = JSON.stringify(index.place);
      return { batches: index.headers, cursor: index.place };
    });
  }

  put(messages: readonly Message[], arrival: 'before' | 'after'): void {
    const messageIds: string[] = [];
    for (const message of messages) {
      const known = this.#unwritten.get(message.id) ?? this.#bodies.get(message.id);
      if (known && known.updatedAt > message.updatedAt) continue;
      this.#unwritten.set(message.id, message);
      this.#noteKnown(message);
      messageIds.push(message.id);
    }
    this.#noteArrival(arrival, messageIds);
  }

  /** Schedules an index update for messages whose headers changed. */
  changed(messageIds: readonly string[]): void {
    this.#noteArrival('after', messageIds);
  }

  /** Saves the loading state of the history if it changed. */
  saveCursor(place: SavedCursor): void {
    this.#place = place;
    if (JSON.stringify(place) !== this.#writtenPlace) this.#write();
  }

  /** The long messages whose bodies were read from a list and are still stored. */
  get known(): readonly KnownItem[] {
    return [...this.#known.entries()].map(([, item]) => item);
  }

  /** A body that is not on disk yet; undefined if the body was written or is unknown. */
  unwritten(messageId: string): Message | undefined {
    return this.#unwritten.get(messageId);
  }

  /** Reads bodies from disk; missing ones are left out. */
  async read(messageIds: readonly string[]): Promise<StoredBody[]> {
    const places = new Map<string, BodyPlace>();
    for (const messageId of messageIds) {
      const place = this.#bodies.get(messageId) ?? this.#newestBodies?.get(messageId);
      if (place) places.set(messageId, place);
    }
    const sizes = new Map([...places].map(([messageId, { sizeBytes }]) => [messageId, sizeBytes]));
    const messages = await this.#files.read([...places.values()]);
    for (const { id } of messages) places.delete(id);
    // Forget unreadable bodies, so that they are written again when they are next loaded.
    for (const [messageId, place] of places) if (this.#bodies.get(messageId) === place) this.#forgetBody(messageId);
    return messages.map((message) => ({ message, sizeBytes: sizes.get(message.id) ?? 0 }));
  }

  /** Discards all information about the files. Call this when they have been, or may have been, removed. */
  forgetFiles(): void {
    this.#epoch++;
    this.#bodies.clear();
    this.#known.clear();
    this.#newestBodies = undefined;
    this.#indexed.clear();
    this.#isBegun = false;
    this.#isSetAside = false;
    this.#writtenPlace = '';
  }

  /** Drops everything in memory. The files stay for {@link restore}. */
  release(): void {
    this.forgetFiles();
    this.#place = undefined;
    this.#waiting = [];
    this.#unwritten.clear();
  }

  /** Resolves when all pending writes have ended. */
  async flush(): Promise<void> {
    await this.#queue.idle();
  }

  #noteKnown({ id, createdAt, wireMark }: Message): void {
    if (wireMark) this.#known.set(id, { id, createdAt, wireMark });
    else this.#known.delete(id);
  }

  #forgetBody(messageId: string): void {
    this.#bodies.delete(messageId);
    this.#known.delete(messageId);
  }

  /** Whether the session may be written to disk now. */
  #isKept(): boolean {
    return this.#policy.isKept(this.key);
  }

  /** The headers of the session's messages in order; undefined if the session is not in the store. */
  get #headers(): readonly MessageHeader[] | undefined {
    return this.#store.record(this.key)?.headers;
  }

  /** Schedules an index update. While nothing can be written, remembers only that a new index is needed. */
  #noteArrival(arrival: Arrival['arrival'], messageIds: readonly string[]): void {
    if (!this.#isSetAside && this.#isKept()) {
      addArrival(this.#waiting, arrival, messageIds);
      this.#write();
      return;
    }
    this.#epoch++;
    this.#waiting = [];
    this.#isBegun = false;
    this.#writtenPlace = '';
  }

  #write(): void {
    if (this.#isDue || this.#isSetAside || !this.#isKept()) return;
    this.#isDue = true;
    void this.#queue.run(async () => {
      this.#isDue = false;
      try {
        await this.#writeWaiting();
      } catch (error) {
        // From now on, keep the bodies in memory only: the disk may be full, for example.
        this.#isSetAside = true;
        this.#log.warn(`the cache of a session could not be written: ${reasonOf(error)}`);
      }
    });
  }

  async #writeWaiting(): Promise<void> {
    const place = this.#place;
    // Write nothing without the loading state, because another window could not use the index.
    if (!place || !this.#isKept()) return;
    const epoch = this.#epoch;
    const waiting = this.#waiting.splice(0);
    const messages = [...this.#unwritten.values()];
    const bodies = await inSlices(bodyBytes(messages));
    if (epoch !== this.#epoch || !this.#isKept()) return;
    const places = await this.#files.appendBodies(bodies.filter((body) => !this.#isWritten(body)));
    if (epoch !== this.#epoch) return;
    for (const [messageId, bodyPlace] of places) this.#bodies.set(messageId, bodyPlace);
    await this.#writeIndex(waiting, places, place, epoch);
    messages.forEach((message, index) => {
      if (this.#unwritten.get(message.id) !== message || epoch !== this.#epoch) return;
      this.#unwritten.delete(message.id);
      this.#written.fire({ message, sizeBytes: bodies[index]?.bytes.byteLength ?? 0 });
    });
  }

  #isWritten({ messageId, checksum, bytes }: BodyBytes): boolean {
    const known = this.#bodies.get(messageId);
    return known?.checksum === checksum && known.sizeBytes === bytes.byteLength;
  }

  async #writeIndex(
    waiting: readonly Arrival[],
    written: ReadonlyMap<string, BodyPlace>,
    place: SavedCursor,
    epoch: number,
  ): Promise<void> {
    const header = (messageId: string) => this.#store.header(this.key, messageId);
    const placeText = JSON.stringify(place);
    const lines = addedLines(waiting, header, written, this.#indexed);
    if (placeText !== this.#writtenPlace) lines.push({ arrival: 'after', entries: [], place });
    if (lines.length === 0) return;
    if (this.#isBegun) {
      try {
        for (const line of lines) this.#sinceNewestBytes += await this.#files.append(line);
        for (const { entries } of lines) this.#noteIndexed(entries.map((entry) => entry.header));
        await this.#repeatNewest();
      } catch (error) {
        this.#log.debug(`recreating the cache of a session: ${reasonOf(error)}`);
        this.#isBegun = false;
      }
    }
    if (!this.#isBegun) await this.#begin(place, epoch);
    if (epoch === this.#epoch) this.#writtenPlace = placeText;
  }

  /** Repeats the newest messages at the end of the index if their last repetition is far from it. */
  async #repeatNewest(): Promise<void> {
    if (this.#sinceNewestBytes < newestEveryBytes) return;
    this.#sinceNewestBytes = 0;
    // The store may already have messages and changes that the index lacks.
    const indexed = (this.#headers?.slice(-mostNewestCount - 1) ?? []).flatMap(({ messageId }) => {
      const header = this.#indexed.get(messageId);
      return header && !header.isDetached ? [header] : [];
    });
    const line = newestLine(indexed, this.#bodies, this.#indexed.size);
    if (line) await this.#files.append(line);
  }

  #noteIndexed(headers: readonly MessageHeader[]): void {
    for (const header of headers) this.#indexed.set(header.messageId, header);
  }

  async #begin(place: SavedCursor, epoch: number): Promise<void> {
    await this.#compact();
    const headers = this.#headers;
    if (!headers || epoch !== this.#epoch) return;
    const used = new Set([...this.#bodies.values()].map(({ fileName }) => fileName));
    await this.#files.begin(wholeLines(headers, this.#bodies, place), used);
    if (epoch !== this.#epoch) return;
    this.#noteIndexed(headers);
    this.#sinceNewestBytes = 0;
    this.#isBegun = true;
  }

  /** Moves the bodies to a new file if the existing files are large and mostly contain outdated bodies. */
  async #compact(): Promise<void> {
    const usedBytes = [...this.#bodies.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const sizeBytes = await this.#files.bodiesSizeBytes();
    if (sizeBytes < compactAboveBytes || usedBytes > sizeBytes / 2) return;
    const messageIds = [...this.#bodies.keys()];
    this.#files.renew();
    for (let start = 0; start < messageIds.length; start += 100) {
      const read = await this.read(messageIds.slice(start, start + 100));
      for (const [messageId, place] of await this.#files.appendBodies(
        await inSlices(bodyBytes(read.map(({ message }) => message))),
      )) {
        this.#bodies.set(messageId, place);
      }
    }
  }
}

function* bodyBytes(messages: readonly Message[]): PausableWork<readonly BodyBytes[]> {
  const bodies: BodyBytes[] = [];
  for (const message of messages) {
    const bytes = yield* encodeMessage(message);
    bodies.push({ messageId: message.id, updatedAt: message.updatedAt, bytes, checksum: crc32(bytes) });
    yield;
  }
  return bodies;
}
