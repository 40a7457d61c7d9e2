import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Clock } from '../storage/clock.ts';
import type { SessionListFiles } from './sessionListFiles.ts';
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
import type { UnreadableFile } from '../storage/recordStore.ts';
import { FolderWatcher } from '../storage/folderWatcher.ts';

interface SessionListOptions {
  readonly store: Store;
  readonly files: SessionListFiles;
  /** The copy that roams, where there is one. */
  readonly mirror?: SyncedSessionList;
  readonly clock: Clock;
  readonly log: Log;
}

/** Marks and the roaming copy are written so long after the first of several changes. */
const writeLaterMs = 3_000;
/** Other windows are followed by the system's word; where it never tells, the folder is read again this often. */
const rereadMs = 60_000;
/** A machine that was away for longer may bring back what was removed. */
const tombstoneMs = 180 * 86_400_000;

/**
 * The user's list of sessions, and what they made of each: on disk for every service, in the store for the current one,
 * in step with the other windows and with what roams. Sessions of a temporary service (the demo) are in memory only.
 */
export class SessionList implements Disposable {
  readonly #options: SessionListOptions;
  readonly #records = new Map<string, SessionListRecord>();
  readonly #unwritten = new Set<string>();
  readonly #disposables = new Disposables();
  readonly #watch: FolderWatcher;
  #shownOrigin: string | undefined;
  #isFollowing = false;
  readonly #queue = new SerialQueue();
  #showing: Promise<readonly UnreadableFile[]> = Promise.resolve([]);
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
        if (record) await this.#takeFromDisk(record);
      },
      readAll: async () => {
        await this.#load();
      },
    });
    this.#disposables.add(this.#watch);
    this.#disposables.add({ dispose: () => this.#timer?.dispose() });
    this.#disposables.add(store.onDidChange((change) => change.type === 'connection' && this.#follow()));
  }

  /** Resolves when the deck of the current service is in the store, to the files that could not be read. */
  settled(): Promise<readonly UnreadableFile[]> {
    return this.#showing;
  }

  /**
   * Puts a session on the deck, by itself or below the parent it was opened from. Resolves when it is on disk; rejects
   * where it cannot be written, and then is not on it.
   */
  add(
    key: SessionKey,
    { computerId, parentId = '' }: Pick<SessionListChange, 'computerId' | 'parentId'> = {},
  ): Promise<void> {
    return this.change(key, { isListed: true, parentId, ...(computerId === undefined ? {} : { computerId }) });
  }

  /** Takes a session off the deck; the service keeps it. Its draft and outgoing messages stay on disk for its return. */
  remove(key: SessionKey): Promise<void> {
    return this.change(key, { isListed: false });
  }

  /** Changes what is kept of a session. Resolves when it is on disk and shown; where it rejects, nothing has changed. */
  async change(key: SessionKey, change: SessionListChange): Promise<void> {
    this.#take(await this.#options.files.merge(this.#changed(key, change)));
  }

  /** Like {@link change} at once, on disk a little later: for what changes often and is no loss. */
  note(key: SessionKey, change: SessionListChange): void {
    const text = keyText(key);
    const record = this.#changed(key, change);
    const known = this.#records.get(text);
    if (known && isSameSessionListRecord(known, record)) return;
    this.#unwritten.add(text);
    this.#take(record);
  }

  /** Shows sessions below a parent without putting them on the deck: in the store for as long as the parent is. */
  showTransientSessions(parent: SessionKey, sessionIds: readonly string[]): void {
    const { store, clock } = this.#options;
    for (const sessionId of sessionIds) {
      const key = { origin: parent.origin, sessionId };
      if (store.record(key)) continue;
      store.addSession({ key, addedAt: clock.now(), parentId: parent.sessionId, isTransient: true });
    }
  }

  /** Takes over what other machines of the user brought meanwhile. */
  async takeSynced(): Promise<void> {
    const { files, mirror } = this.#options;
    for (const record of mirror?.readNew() ?? []) {
      if (!this.#isForgotten(record)) this.#take(await files.merge(record));
    }
  }

  /** Writes what is not on disk yet. Never rejects; what could not be written is in the log. */
  async flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { files, mirror, log } = this.#options;
    try {
      for (const text of this.#unwritten) {
        const record = this.#records.get(text);
        if (record) await files.merge(record);
        const latest = this.#records.get(text);
        // What was noted meanwhile is still to be written.
        if (!record || !latest || isSameSessionListRecord(record, latest)) this.#unwritten.delete(text);
      }
      const synced = [...this.#records.values()].filter((record) => files.isOnDisk(record));
      if (this.#isFollowing) await mirror?.write(synced);
    } catch (error) {
      log.warn(`the deck could not be written: ${reasonOf(error)}`);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
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

  /** Takes a record over: merged with what is known, shown, and on its way to the roaming copy. */
  #take(record: SessionListRecord): void {
    if (this.#disposables.isDisposed) return;
    const text = keyText(record.key);
    const known = this.#records.get(text);
    const merged = known ? mergeSessionListRecords(known, record) : record;
    this.#records.set(text, merged);
    if (!known || !isSameSessionListRecord(known, merged)) {
      this.#timer ??= this.#options.clock.after(writeLaterMs, () => void this.flush());
    }
    this.#showRecord(merged);
  }

  /** Where two windows wrote at once, the file has lost what one of them knows: it is written again. */
  async #takeFromDisk(record: SessionListRecord): Promise<void> {
    this.#take(record);
    const text = keyText(record.key);
    const merged = this.#records.get(text);
    if (!merged || this.#unwritten.has(text) || isSameSessionListRecord(merged, record)) return;
    await this.#options.files.merge(merged);
  }

  #showRecord(record: SessionListRecord): void {
    const { store } = this.#options;
    if (record.key.origin !== this.#shownOrigin) return;
    if (record.presence.value) store.addSession(sessionListEntryOf(record));
    else this.#hide(record.key);
  }

  #hide(key: SessionKey): void {
    const { store } = this.#options;
    store.removeSession(key);
    for (const { listEntry } of store.transientSessions)
      if (listEntry.parentId === key.sessionId) store.removeSession(listEntry.key);
  }

  #follow(): void {
    this.#showing = this.#queue.run(() => this.#show());
    // The caller of `settled` handles the error.
    this.#showing.catch(() => undefined);
  }

  async #show(): Promise<readonly UnreadableFile[]> {
    const { store } = this.#options;
    const origin = serviceOf(store.connection)?.origin;
    if (store.connection.kind === 'starting' || origin === this.#shownOrigin) return [];
    this.#shownOrigin = origin;
    for (const { listEntry } of [...store.records, ...store.transientSessions]) {
      if (listEntry.key.origin !== origin) store.removeSession(listEntry.key);
    }
    const unreadable = await this.#load();
    if (this.#disposables.isDisposed || origin !== this.#shownOrigin) return [];
    for (const record of this.#records.values()) this.#showRecord(record);
    return unreadable;
  }

  async #load(): Promise<readonly UnreadableFile[]> {
    if (!this.#isFollowing) this.#watch.start();
    this.#isFollowing = true;
    const { files } = this.#options;
    const { records, unreadable } = await files.load();
    for (const record of records) {
      if (this.#isForgotten(record)) await files.drop(record);
      else await this.#takeFromDisk(record);
    }
    await this.takeSynced();
    return unreadable;
  }

  #isForgotten({ presence }: SessionListRecord): boolean {
    return !presence.value && presence.at < this.#options.clock.now() - tombstoneMs;
  }
}
