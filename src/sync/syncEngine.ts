import type { SessionsApi } from '../api/sessionsApi.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { type Log, reasonOf } from '../shared/log.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';
import type { WhileRunning } from './outbox/sendGate.ts';
import { Blobs } from './storage/blobStore.ts';
import { Cache } from './cache/cache.ts';
import type { Clock } from './storage/clock.ts';
import { type ConnectionSources, Connections, type TemporaryService } from './connection/connections.ts';
import { SessionList } from './sessionList/sessionList.ts';
import { SessionListFiles } from './sessionList/sessionListFiles.ts';
import { SyncedSessionList, type RoamingMemory } from './sessionList/syncedSessionList.ts';
import { type FolderRecordStore, type UnreadableFile, createRecordStore } from './storage/recordStore.ts';
import { RecordStores } from './storage/recordStores.ts';
import { Drafts } from './drafts/drafts.ts';
import { HistoryLoader } from './history/historyLoader.ts';
import type { MessageCache } from './cache/messageCache.ts';
import { NotificationClaims } from './sessionList/notificationClaims.ts';
import { Outbox } from './outbox/outbox.ts';
import type { PollIntervals } from './polling/intervals.ts';
import { Poller } from './polling/poller.ts';
import { ReadMarks } from './sessionList/readMarks.ts';
import { BodyRefetcher } from './cache/refetch.ts';
import { SentFiles } from './outbox/sentFiles.ts';
import type { SessionReader } from './sessionReader.ts';
import { ServiceClocks, ServicePauses } from './polling/serviceLimits.ts';
import { SettingsRules, SettingsWriter } from './settingsWriter.ts';
import { UsageSamples } from './usageSamples.ts';
import { RunningMarker, readStartMarker } from './sessionList/startMarker.ts';

export interface SyncOptions {
  readonly store: Store;
  readonly sources: ConnectionSources;
  /** Where records are kept: a folder of our own. */
  readonly folder: string;
  readonly pace: () => PollIntervals;
  /** When a message goes out while the agent is at work. */
  readonly whileRunning: () => WhileRunning;
  /** The store's bodies; whatever is kept of them lies in `folder`. */
  readonly messages: MessageCache;
  readonly isCacheEnabled: () => boolean;
  /** Where the deck roams. */
  readonly roaming: RoamingMemory;
  readonly clock: Clock;
  readonly log: Log;
}

/** Everything that keeps the store, the service and the disk in step, put together once for a window. */
export class SyncEngine implements SessionReader, Disposable {
  readonly connections: Connections;
  readonly sessionList: SessionList;
  readonly blobs: Blobs;
  readonly drafts: Drafts;
  readonly sentFiles: SentFiles;
  readonly outbox: Outbox;
  readonly poller: Poller;
  readonly cache: Cache;
  readonly readMarks: ReadMarks;
  readonly notices: NotificationClaims;
  readonly settingsWriter: SettingsWriter;
  readonly usage: UsageSamples;
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  readonly #options: SyncOptions;
  readonly #disk: FolderRecordStore;
  readonly #history: HistoryLoader;
  readonly #disposables = new Disposables();
  readonly #abort = new AbortController();

  constructor(options: SyncOptions) {
    const { store, clock, log, folder, pace } = options;
    const own = this.#disposables;
    this.#options = options;
    this.#disk = createRecordStore(folder, log);
    const records = new RecordStores(this.#disk);
    this.connections = own.add(new Connections(store, options.sources, records, log));
    this.apiFor = (origin) => this.connections.apiFor(origin);
    const mirror = new SyncedSessionList(options.roaming);
    this.sessionList = own.add(new SessionList({ store, files: new SessionListFiles(records), mirror, clock, log }));
    this.notices = new NotificationClaims(this.#disk);
    this.readMarks = own.add(new ReadMarks(store, this.sessionList));
    this.blobs = new Blobs(folder, log);
    const isTemporary = (origin: string) => !records.isOnDisk(origin);
    const kept = { disk: this.#disk, blobs: this.blobs, isTemporary, store, clock, log };
    this.drafts = own.add(new Drafts({ records, blobs: this.blobs, store, clock, log }));
    const clocks = new ServiceClocks();
    const pauses = new ServicePauses(records, clock, log);
    this.sentFiles = new SentFiles(kept);
    const { apiFor, sentFiles } = this;
    const { whileRunning } = options;
    this.outbox = own.add(new Outbox({ ...kept, pauses, clocks, apiFor, whileRunning, sentFiles }));
    own.add(options.sources.onDidChange(() => this.outbox.wake()));
    this.cache = own.add(this.#openCache(records));
    this.usage = own.add(new UsageSamples({ records, store, clock, log }));
    this.settingsWriter = new SettingsWriter({ store, rules: new SettingsRules(records, log), log });
    this.#history = new HistoryLoader(store, clock, options.messages, clocks);
    this.poller = own.add(new Poller({ store, history: this.#history, apiFor: this.apiFor, pace, pauses, clock, log }));
    own.add(new RunningMarker(this.#disk, store, log));
  }

  #openCache(records: RecordStores): Cache {
    const { store, messages, isCacheEnabled: isEnabled, clock, log, sources } = this.#options;
    const cache = new Cache({ records, store, messages, isEnabled, clock, log });
    const rereading = new BodyRefetcher({ store, apiFor: this.apiFor, signal: this.#abort.signal, clock, log });
    messages.connect({
      store,
      isKept: (key) => cache.isKept(key),
      reread: (key, messageIds) => rereading.reread(key, messageIds),
    });
    this.#disposables.add(
      sources.onDidChange(() => {
        cache.followSetting().catch((error: unknown) => log.error(`the cache stays on disk: ${reasonOf(error)}`));
      }),
    );
    return cache;
  }

  /** Looks at what the last window left: undefined where there is nothing to be done until somebody asks. */
  async runningAtStart(): Promise<readonly SessionKey[] | undefined> {
    const marker = await readStartMarker(this.#disk);
    return marker.sessionListSize + marker.outboxSize === 0 ? undefined : marker.running;
  }

  /**
   * Reads everything kept and opens the connection: to call once, and again where it failed. `temporary` stands in for the configured service, with
   * its sessions on the deck. `onUnreadable` is told the files that could not be read.
   */
  async start(
    temporary: (TemporaryService & { readonly sessionIds: readonly string[] }) | undefined,
    onUnreadable: (files: readonly UnreadableFile[]) => void,
  ): Promise<void> {
    await this.#disk.prepare();
    const unreadable = [...(await this.drafts.load()), ...(await this.outbox.load())];
    if (!(await this.#mayHoldUnreadBytes())) await this.blobs.sweep();
    await this.connections.useTemporary(temporary);
    unreadable.push(...(await this.sessionList.settled()));
    const origin = temporary && new URL(temporary.baseUrl).origin;
    for (const sessionId of temporary?.sessionIds ?? [])
      await this.sessionList.add({ origin: origin ?? '', sessionId });
    if (unreadable.length > 0) onUnreadable(unreadable);
    void this.cache.tidy();
  }

  /** Somebody looks at a session until the handle is disposed; with `wantsMessages` also at its conversation. */
  watch(key: SessionKey, wantsMessages: boolean): Disposable {
    if (wantsMessages) void this.restoreFromCache(key);
    return this.poller.watch(key, wantsMessages);
  }

  /** Somebody reads a conversation until the handle is disposed: it is watched, and what comes counts as read. */
  read(key: SessionKey): Disposable {
    const handles = new Disposables();
    handles.add(this.readMarks.look(key));
    handles.add(this.watch(key, true));
    return handles;
  }

  /** Refreshes a session now. Resolves when done, also if it failed. */
  refresh(key: SessionKey): Promise<void> {
    return this.poller.refresh(key);
  }

  /** Whether the window has the user's attention. */
  setFocused(isFocused: boolean): void {
    // Who leaves may not come back: what was just typed is on disk at once.
    if (!isFocused) void this.drafts.flush();
    this.poller.setFocused(isFocused);
    this.readMarks.setFocused(isFocused);
  }

  /** Resolves when the messages known from earlier windows are in the store. */
  async restoreFromCache(key: SessionKey): Promise<void> {
    if (this.#options.store.record(key)) await this.#history.restore(key);
  }

  /** Whether a draft or message that could not be read, now or earlier, may still need its attachments. */
  async #mayHoldUnreadBytes(): Promise<boolean> {
    return (await this.#disk.hasSetAside('drafts')) || (await this.#disk.hasSetAside('outbox'));
  }

  /** Writes what is not on disk yet and stops: nothing touches the files afterwards. */
  async stopWriting(): Promise<void> {
    await this.drafts.flush();
    await this.sessionList.flush();
    await this.cache.flush();
    await this.usage.flush();
    this.dispose();
    await this.outbox.released();
    await this.#disk.flush();
  }

  /** Reads the page before the oldest message of a session; a failure is in the store. */
  async loadOlder(key: SessionKey): Promise<void> {
    const api = this.apiFor(key.origin);
    if (!api) return;
    try {
      await this.#history.loadOlder(api, key, this.#abort.signal);
    } catch (error) {
      this.#options.log.debug(`older messages could not be read: ${reasonOf(error)}`);
    }
  }

  /** Ends the loading of many messages of a session; what came stays. */
  stopLoading(key: SessionKey): void {
    this.#history.stop(key);
  }

  /**
   * Brings a message into the store that is not there yet, and its neighbours in the background. Resolves to whether the
   * service has it, undefined where it cannot be asked; rejects with the ApiError.
   */
  async fetchMessage(key: SessionKey, messageId: string): Promise<boolean | undefined> {
    const api = this.apiFor(key.origin);
    await this.restoreFromCache(key);
    if (!api) return this.#options.store.header(key, messageId) ? true : undefined;
    const isThere = await this.#history.bring(api, key, messageId, this.#abort.signal);
    this.#history.attach(api, key, messageId, this.#abort.signal).catch((error: unknown) => {
      this.#options.log.debug(`what lies around a message could not be read: ${reasonOf(error)}`);
    });
    return isThere;
  }

  dispose(): void {
    this.#abort.abort();
    this.#disposables.dispose();
  }
}
