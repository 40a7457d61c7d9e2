import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { type Bookmark, maxBookmarks } from '../../state/store/sessionRecord.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { RememberedSession, Store } from '../../state/store/store.ts';
import type { Clock } from '../storage/clock.ts';
import type { SessionListFiles } from './sessionListFiles.ts';
import { bookmarksOf } from './bookmarkRecords.ts';
import type { SyncedSessionList } from './syncedSessionList.ts';
import {
  type SessionListChange,
  type SessionListRecord,
  changedRecord,
  sessionListEntryOf,
  mergeSessionListRecords,
  newSessionListRecord,
  isSameSessionListRecord,
} from './sessionListRecord.ts';
import type { UnreadableFile } from '../storage/recordFormat.ts';
import type { Cache } from '../cache/cache.ts';
import { FolderWatcher } from '../storage/folderWatcher.ts';

interface SessionListOptions {
  readonly store: Store;
  readonly files: SessionListFiles;
  /** What earlier windows knew about the sessions, if it is cached. */
  readonly cache?: Pick<Cache, 'readSummaries'>;
  /** The copy that Settings Sync syncs to other machines, if any. */
  readonly syncedList?: SyncedSessionList;
  readonly clock: Clock;
  readonly log: Log;
}

/** The delay between the first of several changes and the write of read marks and the synced copy. */
const writeLaterMs = 3_000;
/** The interval for rereading the folder. Needed because some file systems don't report changes by other windows. */
const rereadMs = 60_000;
/**
 * The time for which a removal is remembered. A machine that was offline for longer may restore the removed session.
 */
const tombstoneMs = 180 * 86_400_000;

/**
 * The user's session list with names, pins, and marks: on disk for every service and in the store for those that are
 * connected. Follows changes made by other windows and in the synced copy. Sessions of a temporary service (the demo)
 * are only in memory.
 */
export class SessionList implements Disposable {
  readonly #options: SessionListOptions;
  readonly #records = new Map<string, SessionListRecord>();
  /** The records that still have to be written to their files. */
  readonly #unwritten = new Set<string>();
  /** The records whose files the user deleted in another window. This window doesn't restore them. */
  readonly #clearedKeys = new Set<string>();
  readonly #disposables = new Disposables();
  readonly #watch: FolderWatcher;
  /** The services whose sessions are in the store. */
  #shownOrigins: ReadonlySet<string> = new Set();
  /** Whether the list must be read again, because the last read failed or has not ended. */
  #isIncomplete = false;
  #isFollowing = false;
  /** Whether all records on disk are known. */
  #isLoaded = false;
  readonly #queue = new SerialQueue();
  readonly #bookmarking = new SerialQueue();
  #showing: Promise<readonly UnreadableFile[]> = Promise.resolve([]);
  /** The read of {@link #showing} that failed last. */
  #failed: Promise<unknown> | undefined;
  #timer: Disposable | undefined;

  constructor(options: SessionListOptions) {
    const { store, files, clock, log } = options;
    this.#options = options;
    this.#watch = new FolderWatcher({
      clock,
      log,
      rereadMs,
      watch: (listener) => files.watch(listener),
      readOne: async (name) => {
        const record = await files.read(name);
        if (record) await this.#takeFromDisk([record]);
        else await this.#restoreLost([...this.#records.values()].filter((known) => files.nameOf(known) === name));
      },
      readAll: async () => {
        await this.#load();
        // Some records couldn't be written, for example because the disk was full.
        if (this.#unwritten.size > 0) await this.flush();
      },
    });
    this.#disposables.add(this.#watch);
    this.#disposables.add({ dispose: () => this.#timer?.dispose() });
    this.#disposables.add(store.onDidChange((change) => change.type === 'connection' && this.#follow()));
  }

  /**
   * Resolves when the sessions of all connected services are in the store, to the files that could not be read since
   * the start. Rejects with the system's error; the next call or change of a connection repeats the read.
   */
  settled(): Promise<readonly UnreadableFile[]> {
    if (this.#showing === this.#failed) this.#follow();
    return this.#showing;
  }

  /**
   * Adds a session to the list, either at the top level or below the parent from which it was opened. Resolves when the
   * session is on disk. If it can't be written, rejects and doesn't add it.
   */
  add(
    key: SessionKey,
    { computerId, parentId = '' }: Pick<SessionListChange, 'computerId' | 'parentId'> = {},
  ): Promise<void> {
    return this.change(key, { isListed: true, parentId, ...(computerId === undefined ? {} : { computerId }) });
  }

  /** Removes a session from the list, but not from the service. Its draft and outgoing messages stay on disk. */
  remove(key: SessionKey): Promise<void> {
    return this.change(key, { isListed: false });
  }

  /**
   * Whether a session of any service is in the list, or was removed from it in the last half year. Undefined if it is
   * neither, or if the list hasn't been read yet.
   */
  presenceOf(key: SessionKey): 'listed' | 'removed' | undefined {
    const record = this.#records.get(keyText(key));
    return record && (record.presence.value ? 'listed' : 'removed');
  }

  /**
   * Changes a session's record. A session that has none, such as a transient one, is added to the list. Resolves when
   * the change is on disk and in the store; if it rejects, nothing changed.
   */
  async change(key: SessionKey, change: SessionListChange): Promise<void> {
    this.#take([await this.#options.files.merge(this.#changed(key, change))]);
  }

  /** Like {@link change}, but applied immediately and written later: for frequent changes whose loss is acceptable. */
  note(key: SessionKey, change: SessionListChange): void {
    const text = keyText(key);
    const record = this.#changed(key, change);
    const known = this.#records.get(text);
    if (known && isSameSessionListRecord(known, record)) return;
    this.#unwritten.add(text);
    this.#take([record]);
  }

  /**
   * Adds a bookmark or changes its note. Resolves to false, without a change, if the bookmark is new and there already
   * are {@link maxBookmarks} in all sessions. Rejects like {@link change}.
   */
  setBookmark(key: SessionKey, messageId: string, note: string): Promise<boolean> {
    // One at a time, so that two bookmarks that are added together can't exceed the limit.
    return this.#bookmarking.run(async () => {
      const known = this.#bookmarksOf(keyText(key)).find((bookmark) => bookmark.messageId === messageId);
      if (!known && this.#bookmarkCount >= maxBookmarks) return false;
      const addedAt = known?.addedAt ?? this.#options.clock.now();
      await this.change(key, { bookmarks: [{ messageId, addedAt, ...(note === '' ? {} : { note }) }] });
      return true;
    });
  }

  /** Removes the bookmark of a message, if it has one. */
  removeBookmark(key: SessionKey, messageId: string): Promise<void> {
    return this.change(key, { bookmarks: [{ messageId }] });
  }

  /**
   * Shows sessions below a parent without adding them to the list. They stay in the store as long as the parent does.
   */
  showTransientSessions(parent: SessionKey, sessionIds: readonly string[]): void {
    const { store, clock } = this.#options;
    for (const sessionId of sessionIds) {
      const key = { origin: parent.origin, sessionId };
      if (store.record(key)) continue;
      store.addSession({ key, addedAt: clock.now(), parentId: parent.sessionId, isTransient: true });
    }
  }

  /** Applies changes from the user's other machines. Never rejects; what can't be written is written later. */
  async takeSynced(): Promise<void> {
    const records = (this.#options.syncedList?.readNew() ?? []).filter(
      (record) => !this.#isForgotten(record) && !this.#isCleared(record),
    );
    const texts = records.map(({ key }) => keyText(key));
    for (const text of texts) this.#clearedKeys.delete(text);
    // Take all records before the first write: a flush in between must not remove the others from the synced copy.
    this.#take(records);
    await this.#write(texts);
  }

  /** Writes all unsaved changes. Never rejects; errors are logged, and what can't be written is written later. */
  async flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { files, syncedList, log } = this.#options;
    await this.#write([...this.#unwritten]);
    const synced = [...this.#records.values()].filter(
      (record) => files.isOnDisk(record) && !this.#clearedKeys.has(keyText(record.key)),
    );
    try {
      // A part of the list must not replace the synced copy.
      if (this.#isLoaded) await syncedList?.write(synced);
    } catch (error) {
      log.warn(`the synced session list could not be written: ${reasonOf(error)}`);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  get #bookmarkCount(): number {
    return [...this.#records.keys()].reduce((sum, text) => sum + this.#bookmarksOf(text).length, 0);
  }

  /** Writes these records to their files. Those that can't be written stay unwritten, and don't delay the others. */
  async #write(texts: readonly string[]): Promise<void> {
    for (const text of texts) this.#unwritten.add(text);
    for (const text of texts) {
      const record = this.#records.get(text);
      try {
        if (record) await this.#options.files.merge(record);
      } catch {
        // The record store has already logged the error.
        continue;
      }
      const latest = this.#records.get(text);
      // A change made during the write still has to be written.
      if (!record || !latest || isSameSessionListRecord(record, latest)) this.#unwritten.delete(text);
    }
  }

  /** The bookmarks of a session of any service; empty if the session isn't in the list. */
  #bookmarksOf(text: string): readonly Bookmark[] {
    const record = this.#records.get(text);
    return record?.presence.value ? bookmarksOf(record.bookmarks) : [];
  }

  #changed(key: SessionKey, change: SessionListChange): SessionListRecord {
    const now = this.#options.clock.now();
    const known = this.#records.get(keyText(key));
    if (known) return changedRecord(known, change, now);
    const parentId = this.#options.store.record(key)?.listEntry.parentId;
    return changedRecord(
      newSessionListRecord(key, now),
      { ...(parentId === undefined ? {} : { parentId }), ...change },
      now,
    );
  }

  /** Merges records with the known ones, shows them, and schedules the write of the synced copy. */
  #take(records: readonly SessionListRecord[], remembered?: ReadonlyMap<string, RememberedSession>): void {
    if (this.#disposables.isDisposed) return;
    this.#show(
      records.map((record) => this.#merge(record)),
      remembered,
    );
  }

  #merge(record: SessionListRecord): SessionListRecord {
    const text = keyText(record.key);
    const known = this.#records.get(text);
    const merged = known ? mergeSessionListRecords(known, record) : record;
    this.#records.set(text, merged);
    if (!known || !isSameSessionListRecord(known, merged)) this.#flushLater();
    return merged;
  }

  #flushLater(): void {
    this.#timer ??= this.#options.clock.after(writeLaterMs, () => void this.flush());
  }

  /**
   * Applies records from disk. If two windows wrote at the same time, the file lacks the changes of one of them, so the
   * merged record is written again.
   */
  async #takeFromDisk(records: readonly SessionListRecord[]): Promise<void> {
    this.#take(records, await this.#remembered(records));
    for (const record of records) {
      const text = keyText(record.key);
      this.#clearedKeys.delete(text);
      const merged = this.#records.get(text);
      if (!merged || this.#unwritten.has(text) || isSameSessionListRecord(merged, record)) continue;
      await this.#write([text]);
    }
  }

  /** What earlier windows knew about the sessions that will be added to the store. */
  async #remembered(
    records: readonly SessionListRecord[],
  ): Promise<ReadonlyMap<string, RememberedSession> | undefined> {
    const { store, cache } = this.#options;
    const isAdded = ({ key, presence }: SessionListRecord) =>
      presence.value && this.#shownOrigins.has(key.origin) && !store.record(key);
    return cache?.readSummaries(records.filter(isAdded).map(({ key }) => key));
  }

  /** Applies the records of connected services to the store: adds listed sessions, and removes the others. */
  #show(records: readonly SessionListRecord[], remembered?: ReadonlyMap<string, RememberedSession>): void {
    const shown = records.filter(({ key }) => this.#shownOrigins.has(key.origin));
    this.#options.store.addSessions(shown.filter(({ presence }) => presence.value).map(sessionListEntryOf), remembered);
    for (const { key, presence } of shown) if (!presence.value) this.#hide(key);
  }

  #hide(key: SessionKey): void {
    const { store } = this.#options;
    store.removeSession(key);
    for (const { listEntry } of store.transientSessions)
      if (listEntry.key.origin === key.origin && listEntry.parentId === key.sessionId) this.#hide(listEntry.key);
  }

  #follow(): void {
    // At the start, the services are announced in several steps, and each read returns only the unreadable files that
    // no earlier read has found. A failed read is ignored, because this one repeats it.
    const earlier = this.#showing.catch(() => []);
    const showing = this.#queue.run(async () => {
      const found = [...(await earlier), ...(await this.#showServices())];
      return [...new Map(found.map((file) => [file.keptAs, file])).values()];
    });
    this.#showing = showing;
    // The caller of `settled` handles the error.
    showing.catch(() => {
      this.#failed = showing;
    });
  }

  async #showServices(): Promise<readonly UnreadableFile[]> {
    const { store } = this.#options;
    const before = this.#shownOrigins;
    const origins = new Set(store.connections.flatMap((connection) => serviceOf(connection)?.origin ?? []));
    const added = new Set([...origins].filter((origin) => !before.has(origin)));
    if (added.size === 0 && origins.size === before.size && !this.#isIncomplete) return [];
    this.#shownOrigins = origins;
    this.#isIncomplete = true;
    const shown = [...store.records, ...store.transientSessions].map(({ listEntry }) => listEntry.key);
    store.removeSessions(shown.filter((key) => !origins.has(key.origin)));
    const first = await this.#options.files.loadFirst(added);
    await this.#takeFromDisk(first.records);
    // Files of a newer version stay where they are, so the second pass finds them again.
    const damaged = first.unreadable.filter(({ cause }) => cause === 'damaged');
    const unreadable = [...damaged, ...(await this.#load())];
    const all = [...this.#records.values()];
    const remembered = await this.#remembered(all);
    if (this.#disposables.isDisposed) return [];
    this.#show(all, remembered);
    this.#isIncomplete = false;
    return unreadable;
  }

  async #load(): Promise<readonly UnreadableFile[]> {
    if (!this.#isFollowing) this.#watch.start();
    this.#isFollowing = true;
    const { files } = this.#options;
    const loaded = await files.load();
    const { records, unreadable, seen } = loaded;
    // If a file can't be removed, the record store logs the error, and a later window tries again.
    for (const record of records) if (this.#isForgotten(record)) await files.drop(record).catch(() => undefined);
    await this.#takeFromDisk(records.filter((record) => !this.#isForgotten(record)));
    files.confirm(loaded);
    const present = new Set([...seen.values()].map(({ text }) => text));
    await this.#restoreLost([...this.#records.values()].filter(({ key }) => !present.has(keyText(key))));
    await this.takeSynced();
    if (!this.#isLoaded) this.#flushLater();
    this.#isLoaded = true;
    return unreadable;
  }

  /** Rewrites the records whose files were damaged, or were removed by something other than a window (R44). */
  async #restoreLost(records: readonly SessionListRecord[]): Promise<void> {
    const { files } = this.#options;
    for (const record of records) {
      if (this.#disposables.isDisposed) return;
      const text = keyText(record.key);
      if (this.#isForgotten(record) || this.#clearedKeys.has(text)) continue;
      const state = await files.fileState(record);
      if (state === 'lost') await this.#write([text]);
      if (state !== 'cleared') continue;
      this.#clearedKeys.add(text);
      this.#unwritten.delete(text);
    }
  }

  /**
   * Whether the user deleted this record in another window and it has no later change, for example from another
   * machine.
   */
  #isCleared(record: SessionListRecord): boolean {
    const known = this.#records.get(keyText(record.key));
    if (!known || !this.#clearedKeys.has(keyText(record.key))) return false;
    return isSameSessionListRecord(mergeSessionListRecords(known, record), known);
  }

  #isForgotten({ presence }: SessionListRecord): boolean {
    return !presence.value && presence.at < this.#options.clock.now() - tombstoneMs;
  }
}
