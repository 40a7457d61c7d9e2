import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '../../api/resources/message.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { KeyedQueue } from '../../shared/serialQueue.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { MessageBodies, Store } from '../../state/store/store.ts';
import { Timeline } from '../../state/store/timeline.ts';
import type { Clock } from '../storage/clock.ts';
import { sessionHash } from '../storage/recordNames.ts';
import { measureFolders } from './cacheFolders.ts';
import type { SavedCursor } from './indexFormat.ts';
import { type SavedHistory, SessionCache } from './sessionCache.ts';
import { SessionFiles } from './sessionFiles.ts';
import { findWords, type TextHit } from './textSearch.ts';

/** The maximum total size of the bodies cached in memory; the least recently used are dropped first (R38). */
const capBytes = 8 * 1024 * 1024;

/** An in-memory cache of recent bodies, by session and message. Sizes are those on disk. */
class RecentBodies {
  /** Limited by total size, not by the number of entries. */
  readonly #bodies = new LruMap<string, { readonly message: Message; readonly sizeBytes: number }>(Infinity);
  #sizeBytes = 0;

  get(sessionText: string, messageId: string): Message | undefined {
    return this.#bodies.get(nameOf(sessionText, messageId))?.message;
  }

  set(sessionText: string, message: Message, sizeBytes: number): void {
    const ownName = nameOf(sessionText, message.id);
    this.#drop(ownName);
    this.#bodies.set(ownName, { message, sizeBytes });
    this.#sizeBytes += sizeBytes;
    for (const [name] of this.#bodies.entries()) {
      if (this.#sizeBytes <= capBytes) return;
      this.#drop(name);
    }
  }

  deleteSession(sessionText: string): void {
    const prefix = nameOf(sessionText, '');
    for (const [name] of [...this.#bodies.entries()]) if (name.startsWith(prefix)) this.#drop(name);
  }

  #drop(name: string): void {
    this.#sizeBytes -= this.#bodies.get(name)?.sizeBytes ?? 0;
    this.#bodies.delete(name);
  }
}

function nameOf(sessionText: string, messageId: string): string {
  return `${sessionText}\n${messageId}`;
}

/** The maximum size of the cache on disk. The least recently used sessions are removed first. */
const cacheCapBytes = 200 * 1024 * 1024;
/** The number of written bytes after which the size limit is checked again. */
const sweepEveryBytes = 20 * 1024 * 1024;

/** The number of messages that a search reads at once. With long messages, more would block the other work of the window. */
const searchPiece = 20;

interface MessageCacheOptions {
  /** A dedicated folder: everything in it may be removed. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly capBytes?: number;
}

/** Dependencies that are available only after all parts are created. */
interface CacheSurroundings {
  readonly store: Store;
  /** Whether a session may be cached on disk now. */
  readonly isKept: (key: SessionKey) => boolean;
  /**
   * Loads messages with missing bodies into the store from the service. Resolves to the number of loaded messages.
   */
  readonly reread: (key: SessionKey, messageIds: readonly string[]) => Promise<number>;
}

/**
 * Stores message bodies on disk, reads them on demand, and caches recent ones in memory. Bodies of sessions that may
 * not be cached stay in memory. A body that can't be read from disk is loaded from the service instead.
 */
export class MessageCache implements MessageBodies {
  readonly #options: MessageCacheOptions;
  readonly #sessions = new Map<string, SessionCache>();
  readonly #recent = new RecentBodies();
  readonly #fetches = new KeyedQueue<string>();
  #surroundings: CacheSurroundings | undefined;
  #unsweptBytes = 0;

  constructor(options: MessageCacheOptions) {
    this.#options = options;
  }

  /** Call this once, before anything is put or read. */
  connect(surroundings: CacheSurroundings): void {
    this.#surroundings = surroundings;
  }

  /** The history that an earlier window cached; undefined if the session is not cached or already has messages. */
  async restore(key: SessionKey): Promise<SavedHistory | undefined> {
    try {
      return await this.#session(key).restore();
    } catch (error) {
      this.#options.log.warn(`the cache of a session could not be read: ${reasonOf(error)}`);
      return undefined;
    }
  }

  saveCursor(key: SessionKey, cursor: SavedCursor): void {
    this.#session(key).saveCursor(cursor);
  }

  /** Resolves when the session's messages are on disk, except those that stay in memory. Never rejects. */
  async written(key: SessionKey): Promise<void> {
    await this.#sessions.get(keyText(key))?.flush();
  }

  put(key: SessionKey, messages: readonly Message[], arrival: 'before' | 'after'): void {
    this.#session(key).put(messages, arrival);
  }

  changed(key: SessionKey, messageIds: readonly string[]): void {
    this.#session(key).changed(messageIds);
  }

  /**
   * Returns the available bodies. Missing ones are loaded from the service, and the store announces them when they
   * arrive.
   */
  async read(key: SessionKey, messageIds: readonly string[]): Promise<readonly Message[]> {
    const bodies = await this.#readHere(key, messageIds);
    const missing = messageIds.filter((messageId) => !bodies.has(messageId));
    if (missing.length > 0) this.#reread(key, missing);
    return messageIds.flatMap((messageId) => bodies.get(messageId) ?? []);
  }

  forget(key: SessionKey): void {
    this.#sessions.get(keyText(key))?.release();
    this.#recent.deleteSession(keyText(key));
  }

  /**
   * Finds the most recently updated cached message that contains all words (lowercase), for sessions whose messages may
   * not be in the store. Reads in batches, so that the search can be aborted, and caches nothing in memory.
   */
  async find(key: SessionKey, words: readonly string[], signal: AbortSignal): Promise<TextHit | undefined> {
    const { folder, clock } = this.#options;
    const files = new SessionFiles(join(folder, sessionHash(key)), key, clock);
    const index = await files.readIndex(true);
    const places = [...(index?.bodies.values() ?? [])].sort((a, b) => b.updatedAt - a.updatedAt);
    for (let start = 0; start < places.length && !signal.aborted; start += searchPiece) {
      const messages = await files.read(places.slice(start, start + searchPiece));
      const hit = await inSlices(firstHit(messages, words), () => signal.aborted);
      if (hit) return hit;
    }
    return undefined;
  }

  /**
   * Reads the headers of the cached messages of a session, in order, for sessions whose messages may not be in the
   * store. Keeps nothing in memory. Empty if the cache can't be read.
   */
  async headers(key: SessionKey): Promise<readonly MessageHeader[]> {
    const { folder, clock, log } = this.#options;
    const timeline = new Timeline();
    try {
      const index = await new SessionFiles(join(folder, sessionHash(key)), key, clock).readIndex(true);
      for (const { headers, arrival } of index?.headers ?? []) timeline.merge(headers, arrival);
    } catch (error) {
      log.warn(`the cache of a session could not be searched: ${reasonOf(error)}`);
    }
    return timeline.headers;
  }

  /** Removes a session's cache from disk. */
  async remove(key: SessionKey): Promise<void> {
    const session = this.#sessions.get(keyText(key));
    await session?.flush();
    await this.#removeFolder(sessionHash(key));
    session?.forgetFiles();
  }

  /** Removes the cache of all services from disk. Bodies in memory stay. */
  async clear(): Promise<void> {
    await rm(this.#options.folder, { recursive: true, force: true, maxRetries: 3 });
    for (const session of this.#sessions.values()) session.forgetFiles();
  }

  /**
   * Removes the least recently used sessions until the rest is within the size limit. Sessions that are open in this
   * window stay.
   */
  async sweep(): Promise<void> {
    const { folder, capBytes = cacheCapBytes, log } = this.#options;
    const inUse = new Set([...this.#sessions.values()].map((session) => session.folderName));
    const sessions = await measureFolders(folder);
    let sizeBytes = sessions.reduce((sum, session) => sum + session.sizeBytes, 0);
    for (const session of sessions.sort((a, b) => a.usedMs - b.usedMs)) {
      if (sizeBytes <= capBytes) return;
      if (inUse.has(session.name)) continue;
      await this.#removeFolder(session.name);
      sizeBytes -= session.sizeBytes;
      log.info(`the cache is full: one session used ${new Date(session.usedMs).toISOString()} was removed from it`);
    }
  }

  /** Resolves when all pending writes have ended. */
  async flush(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.flush()));
  }

  async #readHere(key: SessionKey, messageIds: readonly string[]): Promise<Map<string, Message>> {
    const bodies = new Map<string, Message>();
    for (const messageId of messageIds) {
      const message = this.#inMemory(key, messageId);
      if (message) bodies.set(messageId, message);
    }
    const onDisk = messageIds.filter((messageId) => !bodies.has(messageId));
    for (const message of await this.#readDisk(key, onDisk)) bodies.set(message.id, message);
    return bodies;
  }

  /** Loads missing bodies one request at a time per session, so that a request can use the result of an earlier one. */
  #reread(key: SessionKey, messageIds: readonly string[]): void {
    const fetched = this.#fetches.run(keyText(key), async () => {
      const here = await this.#readHere(key, messageIds);
      const missing = messageIds.filter((messageId) => !here.has(messageId));
      const readCount = missing.length === 0 ? 0 : await this.#surroundings?.reread(key, missing);
      if (here.size > 0 || readCount) this.#surroundings?.store.announceBodies(key);
    });
    fetched.catch((error: unknown) => this.#options.log.warn(`bodies could not be read again: ${reasonOf(error)}`));
  }

  #inMemory(key: SessionKey, messageId: string): Message | undefined {
    return this.#sessions.get(keyText(key))?.unwritten(messageId) ?? this.#recent.get(keyText(key), messageId);
  }

  async #readDisk(key: SessionKey, messageIds: readonly string[]): Promise<readonly Message[]> {
    const read = await this.#session(key).read(messageIds);
    // Prefer the version in memory, because a newer one may have arrived during the read.
    return read.map(({ message, sizeBytes }) => {
      const newer = this.#inMemory(key, message.id);
      if (newer) return newer;
      this.#recent.set(keyText(key), message, sizeBytes);
      return message;
    });
  }

  #session(key: SessionKey): SessionCache {
    const text = keyText(key);
    const known = this.#sessions.get(text);
    if (known) return known;
    const { folder, clock, log } = this.#options;
    const folderName = sessionHash(key);
    const session = new SessionCache({
      folderName,
      files: new SessionFiles(join(folder, folderName), key, clock),
      isKept: () => this.#surroundings?.isKept(key) === true,
      headers: () => this.#surroundings?.store.record(key)?.headers,
      header: (messageId) => this.#surroundings?.store.header(key, messageId),
      onWritten: (message, sizeBytes) => {
        this.#recent.set(text, message, sizeBytes);
        this.#countWritten(sizeBytes);
      },
      log,
    });
    this.#sessions.set(text, session);
    return session;
  }

  #countWritten(sizeBytes: number): void {
    this.#unsweptBytes += sizeBytes;
    if (this.#unsweptBytes < sweepEveryBytes) return;
    this.#unsweptBytes = 0;
    this.sweep().catch((error: unknown) => {
      this.#options.log.warn(`the cache could not be tidied: ${reasonOf(error)}`);
    });
  }

  async #removeFolder(name: string): Promise<void> {
    await rm(join(this.#options.folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

function* firstHit(messages: readonly Message[], words: readonly string[]): PausableWork<TextHit | undefined> {
  for (const message of messages) {
    const hit = findWords(message, words);
    if (hit) return hit;
    yield;
  }
  return undefined;
}
