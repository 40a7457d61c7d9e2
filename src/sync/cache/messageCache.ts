import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownItem } from '../../api/http/longItems.ts';
import type { Message, Role } from '../../api/resources/message.ts';
import { Lazy } from '../../shared/lazy.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { KeyedQueue } from '../../shared/serialQueue.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { NewestMessages } from '../../state/store/sessionRecord.ts';
import type { MessageBodies, Store } from '../../state/store/store.ts';
import { Timeline } from '../../state/store/timeline.ts';
import type { Clock } from '../storage/clock.ts';
import { sessionHash } from '../storage/recordNames.ts';
import { measureFolders } from './cacheFolders.ts';
import type { CachePolicy } from './cachePolicy.ts';
import type { BodyPlace } from './indexColumns.ts';
import type { CacheIndex, SavedCursor } from './indexFormat.ts';
import { type SavedHistory, SessionCache, type StoredBody } from './sessionCache.ts';
import { SessionFiles } from './sessionFiles.ts';
import { firstHit, type ShownText, type TextHit } from './findWords.ts';

/**
 * The text of a message that may be shown; undefined if none of it may be. `role` is the role of the message, if it is
 * known. Has pauses for `inSlices`.
 */
export type TextForRole = (message: Message, role: Role | undefined) => PausableWork<string | undefined>;

/** The maximum total size of the bodies cached in memory; the least recently used are dropped first (R38). */
const capBytes = 8 * 1024 * 1024;

/** An in-memory cache of recent bodies, by session and message. Sizes are those on disk. */
class RecentBodies {
  /** Limited by total size, not by the number of entries. */
  readonly #bodies = new LruMap<string, StoredBody>(Infinity);
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

/** The number of messages to read together. If they are long, a larger batch would block other work of the window. */
const searchPiece = 20;

/** What a search in the cached messages of a session found. */
export interface CacheSearch {
  /** Undefined if no searched message contains all words. */
  readonly hit: TextHit | undefined;
  /**
   * The session's `messageCount` when the agent was idle and all messages were cached; undefined if some aren't cached
   * or the agent wasn't idle. With a hit, or after an abort, some of them may not have been searched.
   */
  readonly cachedCount: number | undefined;
}

/** Where messages of a session are on disk, by ID; undefined if none are. */
export type BodyPlaces = Lazy<ReadonlyMap<string, BodyPlace> | undefined>;

interface MessageCacheOptions {
  /** A dedicated folder: everything in it may be removed. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly capBytes?: number;
}

/** Loads messages from the service. */
interface BodySource {
  /** Loads messages, and adds them to the store. Resolves to the number of loaded messages; never rejects. */
  refetch(key: SessionKey, messageIds: readonly string[]): Promise<number>;
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
  #connected: { readonly store: Store; readonly policy: CachePolicy; readonly source: BodySource } | undefined;
  #unsweptBytes = 0;

  constructor(options: MessageCacheOptions) {
    this.#options = options;
  }

  /**
   * Call this once, before anything is put or read. The constructor can't take the store, which is created with this
   * cache.
   */
  connect(store: Store, policy: CachePolicy, source: BodySource): void {
    this.#connected = { store, policy, source };
  }

  /**
   * Reads the newest messages that an earlier window cached. Afterward, their bodies can be read. Undefined if the
   * session isn't cached, isn't in the store, or already has messages, if the cache can't be read, or if
   * {@link restore} is needed to find them or finds them just as fast. Never rejects.
   */
  readNewest(key: SessionKey): Promise<NewestMessages | undefined> {
    return this.#readable(() => this.#session(key).readNewest());
  }

  /**
   * The history that an earlier window cached; undefined if the session isn't cached, isn't in the store, or already
   * has messages, or if the cache can't be read. Never rejects.
   */
  restore(key: SessionKey): Promise<SavedHistory | undefined> {
    return this.#readable(() => this.#session(key).restore());
  }

  saveCursor(key: SessionKey, cursor: SavedCursor): void {
    this.#session(key).saveCursor(cursor);
  }

  /** The long messages whose bodies were read from a list and are still stored, with marks to recognize them. */
  known(key: SessionKey): readonly KnownItem[] {
    return this.#session(key).known;
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
   * not be in the store. Reads in batches, so that the search can be aborted, and caches nothing in memory. With
   * `shownText`, the text that it returns for the message must contain all words, too, and the excerpt is from that
   * text. Rejects if the cache can't be read.
   */
  async find(
    key: SessionKey,
    words: readonly string[],
    signal: AbortSignal,
    shownText?: TextForRole,
  ): Promise<CacheSearch> {
    const files = this.#filesOf(key);
    const index = await files.readIndex(true);
    const cachedCount = index && completeCount(index);
    const places = [...(index?.bodies.values() ?? [])].sort((a, b) => b.updatedAt - a.updatedAt);
    const headers = shownText ? (index?.headers ?? []).flatMap((part) => part.headers) : [];
    const roles = new Map(headers.map(({ messageId, role }) => [messageId, role]));
    const shown: ShownText | undefined =
      shownText && ((message) => shownText(message, message.role ?? roles.get(message.id)));
    for (let start = 0; start < places.length && !signal.aborted; start += searchPiece) {
      const messages = await files.read(places.slice(start, start + searchPiece));
      const hit = await inSlices(firstHit(messages, words, shown), () => signal.aborted);
      if (hit) return { hit, cachedCount };
    }
    return { hit: undefined, cachedCount };
  }

  /**
   * Reads the headers of the cached messages of a session, in order, for sessions whose messages may not be in the
   * store. Keeps nothing in memory. Empty if the cache can't be read.
   */
  async headers(key: SessionKey): Promise<readonly MessageHeader[]> {
    const timeline = new Timeline();
    try {
      const index = await this.#filesOf(key).readIndex(true);
      for (const { headers, arrival } of index?.headers ?? []) timeline.merge(headers, arrival);
    } catch (error) {
      this.#options.log.warn(`the cache of a session could not be searched: ${reasonOf(error)}`);
    }
    return timeline.headers;
  }

  /** Where the messages of a session are on disk. Read once, when a call of {@link bodies} first needs the places. */
  places(key: SessionKey): BodyPlaces {
    return new Lazy(async () => (await this.#filesOf(key).readIndex(true))?.bodies);
  }

  /**
   * Reads messages of a session in batches and in the given order, for sessions whose messages may not be in the store.
   * Leaves out those that aren't on this machine. Makes no request, and keeps nothing in memory. Calls that belong
   * together share `places`, which are outdated when the cache changes.
   */
  async *bodies(
    key: SessionKey,
    messageIds: readonly string[],
    places: BodyPlaces,
  ): AsyncGenerator<readonly Message[], void> {
    const files = this.#filesOf(key);
    const isOnDisk = messageIds.some((messageId) => !this.#inMemory(key, messageId));
    const onDisk = isOnDisk ? await places.get() : undefined;
    for (let start = 0; start < messageIds.length; start += searchPiece) {
      const batch = messageIds.slice(start, start + searchPiece);
      const needed = batch.flatMap((messageId) => {
        return this.#inMemory(key, messageId) ? [] : (onDisk?.get(messageId) ?? []);
      });
      const read = new Map((await files.read(needed)).map((message) => [message.id, message]));
      yield batch.flatMap((messageId) => this.#inMemory(key, messageId) ?? read.get(messageId) ?? []);
    }
  }

  /** Removes everything that is cached for a session from disk. Rejects with the system's error. */
  async remove(key: SessionKey): Promise<void> {
    const session = this.#sessions.get(keyText(key));
    await session?.flush();
    await this.#removeFolder(sessionHash(key));
    session?.forgetFiles();
  }

  /** Removes the cache of all services from disk. Bodies in memory stay. Rejects with the system's error. */
  async clear(): Promise<void> {
    await rm(this.#options.folder, { recursive: true, force: true, maxRetries: 3 });
    for (const session of this.#sessions.values()) session.forgetFiles();
  }

  /**
   * Removes the least recently used sessions until the rest is within the size limit. Sessions that were opened in this
   * window stay. Rejects with the system's error.
   */
  async sweep(): Promise<void> {
    const { folder, capBytes = cacheCapBytes, log } = this.#options;
    const inUse = new Set([...this.#sessions.values()].map(({ key }) => sessionHash(key)));
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
      const readCount = missing.length === 0 ? 0 : await this.#connected?.source.refetch(key, missing);
      if (here.size > 0 || readCount) this.#connected?.store.announceBodies(key);
    });
    fetched.catch((error: unknown) => this.#options.log.warn(`bodies could not be read again: ${reasonOf(error)}`));
  }

  /** Resolves to the result of `read`, or to undefined if `read` rejects, which is logged. */
  async #readable<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#options.log.warn(`the cache of a session could not be read: ${reasonOf(error)}`);
      return undefined;
    }
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
    if (!this.#connected) throw new Error('The message cache is not connected.');
    const { store, policy } = this.#connected;
    const session = new SessionCache(key, this.#filesOf(key), policy, store, this.#options.log);
    session.onDidWrite(({ message, sizeBytes }) => {
      this.#recent.set(text, message, sizeBytes);
      this.#countWritten(sizeBytes);
    });
    this.#sessions.set(text, session);
    return session;
  }

  #filesOf(key: SessionKey): SessionFiles {
    const { folder, clock } = this.#options;
    return new SessionFiles(join(folder, sessionHash(key)), key, clock);
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

/**
 * The session's `messageCount` when its messages were last read, if the agent was idle and all messages are cached;
 * otherwise undefined.
 */
function completeCount({ place, headers, bodies }: CacheIndex): number | undefined {
  const { completeness, readAt, missingCount = 0 } = place;
  if (completeness !== 'complete' || readAt?.status !== 'idle' || missingCount > 0) return undefined;
  const isCached = ({ messageId }: MessageHeader) => bodies.has(messageId);
  return headers.every((batch) => batch.headers.every(isCached)) ? readAt.messageCount : undefined;
}
