import { crc32 } from 'node:zlib';
import type { Message } from '../../api/resources/message.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { HeaderBatch } from '../../state/store/store.ts';
import { addArrival, addedLines, type Arrival, type SavedCursor, wholeLines } from './indexFormat.ts';
import type { BodyBytes, SessionFiles } from './sessionFiles.ts';
import type { BodyPlace } from './indexColumns.ts';
import { encodeMessage } from './messageCodec.ts';

/** What an earlier window left of a session. */
export interface SavedHistory {
  readonly batches: readonly HeaderBatch[];
  readonly cursor: SavedCursor;
}

interface SessionCacheOptions {
  readonly folderName: string;
  readonly files: SessionFiles;
  /** Whether it may be written to disk now; what is put is in memory until then. */
  readonly isKept: () => boolean;
  /** The messages of the session as the store has them, in order; undefined where it has left the deck. */
  readonly headers: () => readonly MessageHeader[] | undefined;
  readonly header: (messageId: string) => MessageHeader | undefined;
  readonly onWritten: (message: Message, sizeBytes: number) => void;
  readonly log: Log;
}

const compactAboveBytes = 4 * 1024 * 1024;

/** The bodies of one session in this window: waiting for the disk, or on it. Writes are done one after the other. */
export class SessionCache {
  readonly #options: SessionCacheOptions;
  readonly #unwritten = new Map<string, Message>();
  #waiting: Arrival[] = [];
  #bodies = new Map<string, BodyPlace>();
  #place: SavedCursor | undefined;
  #writtenPlace = '';
  /** The headers as the index has them. */
  readonly #indexed = new Map<string, MessageHeader>();
  #isBegun = false;
  #isSetAside = false;
  readonly #queue = new SerialQueue();
  #isDue = false;
  /** What was begun before the files or the session were let go of must not end up as if it were still true. */
  #epoch = 0;

  constructor(options: SessionCacheOptions) {
    this.#options = options;
  }

  get folderName(): string {
    return this.#options.folderName;
  }

  /** Reads what an earlier window left: to call before anything is put. */
  restore(): Promise<SavedHistory | undefined> {
    return this.#queue.run(async () => {
      if (!this.#options.isKept() || this.#isBegun) return undefined;
      const index = await this.#options.files.readIndex();
      if (!index || this.#options.headers()?.length !== 0) return undefined;
      const newer = this.#bodies;
      this.#bodies = index.bodies;
      for (const [messageId, place] of newer) this.#bodies.set(messageId, place);
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
      messageIds.push(message.id);
    }
    addArrival(this.#waiting, arrival, messageIds);
    this.#write();
  }

  /** What the index says of these messages is out of date. */
  changed(messageIds: readonly string[]): void {
    addArrival(this.#waiting, 'after', messageIds);
    this.#write();
  }

  /** Where reading of the history stands now; nothing is written where that is known already. */
  saveCursor(place: SavedCursor): void {
    this.#place = place;
    if (JSON.stringify(place) !== this.#writtenPlace) this.#write();
  }

  /** A body that is not on disk yet. */
  unwritten(messageId: string): Message | undefined {
    return this.#unwritten.get(messageId);
  }

  /** Bodies from disk, as far as they are there. */
  async read(messageIds: readonly string[]): Promise<{ readonly message: Message; readonly sizeBytes: number }[]> {
    const places = new Map<string, BodyPlace>();
    for (const messageId of messageIds) {
      const place = this.#bodies.get(messageId);
      if (place) places.set(messageId, place);
    }
    if (places.size === 0) return [];
    const messages = await this.#options.files.read([...places.values()]);
    for (const { id } of messages) places.delete(id);
    // What cannot be read is written again when it comes again.
    for (const [messageId, place] of places) if (this.#bodies.get(messageId) === place) this.#bodies.delete(messageId);
    return messages.map((message) => ({ message, sizeBytes: this.#bodies.get(message.id)?.sizeBytes ?? 0 }));
  }

  /** The files were removed, or may be: nothing that was written is counted on. */
  forgetFiles(): void {
    this.#epoch++;
    this.#bodies.clear();
    this.#indexed.clear();
    this.#isBegun = false;
    this.#isSetAside = false;
    this.#writtenPlace = '';
  }

  /** Lets go of everything in memory; the files stay for {@link restore}. */
  release(): void {
    this.forgetFiles();
    this.#place = undefined;
    this.#waiting = [];
    this.#unwritten.clear();
  }

  /** Resolves when everything put so far is on disk, as far as it is kept. */
  async flush(): Promise<void> {
    await this.#queue.idle();
  }

  #write(): void {
    if (this.#isDue || this.#isSetAside || !this.#options.isKept()) return;
    this.#isDue = true;
    void this.#queue.run(async () => {
      this.#isDue = false;
      try {
        await this.#writeWaiting();
      } catch (error) {
        // Without room on the disk the conversation goes on in memory.
        this.#isSetAside = true;
        this.#options.log.warn(`the cache of a session could not be written: ${reasonOf(error)}`);
      }
    });
  }

  async #writeWaiting(): Promise<void> {
    const { files, isKept, onWritten } = this.#options;
    const place = this.#place;
    // Before it is known where reading stands, an index would be of no use to another window.
    if (!place || !isKept()) return;
    const epoch = this.#epoch;
    const waiting = this.#waiting.splice(0);
    const messages = [...this.#unwritten.values()];
    const bodies = messages.map(bodyBytes);
    const places = await files.appendBodies(bodies.filter((body) => !this.#isWritten(body)));
    if (epoch !== this.#epoch) return;
    for (const [messageId, bodyPlace] of places) this.#bodies.set(messageId, bodyPlace);
    await this.#writeIndex(waiting, places, place, epoch);
    messages.forEach((message, index) => {
      if (this.#unwritten.get(message.id) !== message || epoch !== this.#epoch) return;
      this.#unwritten.delete(message.id);
      onWritten(message, bodies[index]?.bytes.byteLength ?? 0);
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
    const { files, header, log } = this.#options;
    const placeText = JSON.stringify(place);
    const lines = addedLines(waiting, header, written, this.#indexed);
    if (placeText !== this.#writtenPlace) lines.push({ arrival: 'after', entries: [], place });
    if (lines.length === 0) return;
    if (this.#isBegun) {
      try {
        for (const line of lines) await files.append(line);
        for (const { entries } of lines) this.#noteIndexed(entries.map((entry) => entry.header));
      } catch (error) {
        log.debug(`the cache of a session is begun anew: ${reasonOf(error)}`);
        this.#isBegun = false;
      }
    }
    if (!this.#isBegun) await this.#begin(place, epoch);
    if (epoch === this.#epoch) this.#writtenPlace = placeText;
  }

  #noteIndexed(headers: readonly MessageHeader[]): void {
    for (const header of headers) this.#indexed.set(header.messageId, header);
  }

  async #begin(place: SavedCursor, epoch: number): Promise<void> {
    await this.#compact();
    const headers = this.#options.headers();
    if (!headers || epoch !== this.#epoch) return;
    const used = new Set([...this.#bodies.values()].map(({ fileName }) => fileName));
    await this.#options.files.begin(wholeLines(headers, this.#bodies, place), used);
    if (epoch !== this.#epoch) return;
    this.#noteIndexed(headers);
    this.#isBegun = true;
  }

  /** Bodies that were written over take room until then: where they are most of it, the others move to a new file. */
  async #compact(): Promise<void> {
    const { files } = this.#options;
    const usedBytes = [...this.#bodies.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const sizeBytes = await files.bodiesSizeBytes();
    if (sizeBytes < compactAboveBytes || usedBytes > sizeBytes / 2) return;
    const messageIds = [...this.#bodies.keys()];
    files.renew();
    for (let start = 0; start < messageIds.length; start += 100) {
      const read = await this.read(messageIds.slice(start, start + 100));
      for (const [messageId, place] of await files.appendBodies(read.map(({ message }) => bodyBytes(message)))) {
        this.#bodies.set(messageId, place);
      }
    }
  }
}

function bodyBytes(message: Message): BodyBytes {
  const bytes = encodeMessage(message);
  return { messageId: message.id, updatedAt: message.updatedAt, bytes, checksum: crc32(bytes) };
}
