import type { SendTime } from '../shared/protocol/vocabulary.ts';
import type { SessionsApi } from '../api/sessionsApi.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { type Log, reasonOf } from '../shared/log.ts';
import type { MessageHeader } from '../state/store/messageHeader.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import { serviceOf } from '../state/store/connection.ts';
import type { SessionReader } from './sessionReader.ts';
import type { NewestMessages } from '../state/store/sessionRecord.ts';
import type { Store } from '../state/store/store.ts';
import { Blobs } from './storage/blobs.ts';
import { Cache } from './cache/cache.ts';
import { CachePolicy } from './cache/cachePolicy.ts';
import { PathSamples } from './cache/pathSamples.ts';
import { SessionSummaries } from './cache/sessionSummaries.ts';
import type { Clock } from './storage/clock.ts';
import { type ConnectionSources, Connections, type TemporaryService } from './connection/connections.ts';
import { SessionList } from './sessionList/sessionList.ts';
import { SessionListFiles } from './sessionList/sessionListFiles.ts';
import { SyncedSessionList, type SyncedMemory } from './sessionList/syncedSessionList.ts';
import type { UnreadableFile } from './storage/recordFormat.ts';
import { type FolderRecordStore, createRecordStore } from './storage/recordStore.ts';
import { MemoryWindows } from './storage/memoryWindows.ts';
import { RecordStores } from './storage/recordStores.ts';
import { Drafts } from './drafts/drafts.ts';
import { HistoryLoader } from './history/historyLoader.ts';
import { type SearchRequest, type SearchStop, ServiceSearch } from './history/serviceSearch.ts';
import type { MessageCache } from './cache/messageCache.ts';
import { NotificationClaims } from './sessionList/notificationClaims.ts';
import { SourceRuns } from './sessionList/sourceRuns.ts';
import { Outbox } from './outbox/outbox.ts';
import type { PollIntervals } from './polling/intervals.ts';
import { Poller } from './polling/poller.ts';
import { ReadMarks } from './sessionList/readMarks.ts';
import { BodyRefetcher } from './history/bodyRefetcher.ts';
import { SentFiles } from './outbox/sentFiles.ts';
import { ServiceClocks, ServicePauses } from './connection/serviceLimits.ts';
import { SettingsWriter, settingsRules } from './settingsWriter.ts';
import { PathMappings } from './pathMappings.ts';
import { TailReader } from './tails/tailReader.ts';
import { UsageSamples } from './usageSamples.ts';
import { StartMarker, readStartMarker } from './sessionList/startMarker.ts';

/** The settings and API keys of the sync engine. */
interface SyncSettings extends ConnectionSources {
  readonly pace: () => PollIntervals;
  /** When to send a message if the agent is running. */
  readonly whileRunning: () => SendTime;
  readonly isCacheEnabled: () => boolean;
  /** Whether the newest messages of sessions that aren't open are read. */
  readonly readsInBackground: () => boolean;
}

interface SyncOptions {
  readonly store: Store;
  readonly settings: SyncSettings;
  /** A dedicated folder for records. */
  readonly folder: string;
  /** The bodies of the store's messages, cached in `folder`. */
  readonly messages: MessageCache;
  /** The copy of the session list that Settings Sync syncs to other machines. */
  readonly syncedMemory: SyncedMemory;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The delay after the start before old files are removed. Finding them means reading all folders, which would delay the
 * first rows. If the cache is turned off, there is no delay.
 */
const tidyAfterMs = 15_000;

/** Keeps the store, the service, and the disk in sync. One instance per window. */
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
  readonly notificationClaims: NotificationClaims;
  readonly sourceRuns: SourceRuns;
  readonly settingsWriter: SettingsWriter;
  readonly usage: UsageSamples;
  readonly pathMappings: PathMappings;
  readonly apiFor: (origin: string) => SessionsApi | undefined;
  readonly #options: SyncOptions;
  readonly #disk: FolderRecordStore;
  readonly #memoryWindows: MemoryWindows;
  readonly #history: HistoryLoader;
  readonly #search: ServiceSearch;
  readonly #tails: TailReader;
  readonly #disposables = new Disposables();
  readonly #abort = new AbortController();
  /** The removal of old files. Never rejects. */
  #tidying: Promise<unknown> = Promise.resolve();

  constructor(options: SyncOptions) {
    const { store, clock, log, folder, settings } = options;
    const own = this.#disposables;
    this.#options = options;
    this.#disk = createRecordStore(folder, log);
    const records = new RecordStores(this.#disk);
    this.#memoryWindows = new MemoryWindows(this.#disk, clock);
    own.add(store.onDidChange(({ type }) => type === 'connection' && this.#markIfTemporary()));
    this.connections = own.add(new Connections(store, settings, records, clock, log));
    this.apiFor = (origin) => this.connections.apiFor(origin);
    const syncedList = new SyncedSessionList(options.syncedMemory);
    this.cache = own.add(this.#openCache(records));
    const { cache } = this;
    this.sessionList = own.add(
      new SessionList({ store, files: new SessionListFiles(records), cache, syncedList, clock, log }),
    );
    this.notificationClaims = new NotificationClaims(this.#disk);
    this.sourceRuns = new SourceRuns(this.#disk);
    this.readMarks = own.add(new ReadMarks(store, this.sessionList));
    this.blobs = new Blobs(folder, log);
    const { apiFor, blobs } = this;
    this.drafts = own.add(new Drafts({ records, blobs, store, clock, log }));
    const clocks = new ServiceClocks();
    const pauses = new ServicePauses(records, clock, log);
    const sentFiles = new SentFiles(records, log);
    this.sentFiles = sentFiles;
    const { whileRunning } = settings;
    this.outbox = own.add(
      new Outbox({
        ...{ records, blobs, store, clock, log, sentFiles, pauses, clocks, apiFor, whileRunning },
        drafts: this.drafts,
      }),
    );
    own.add(settings.onDidChange(() => this.outbox.wake()));
    this.pathMappings = own.add(new PathMappings(records, log));
    this.usage = own.add(new UsageSamples(records, store, clock, log));
    this.settingsWriter = new SettingsWriter(store, settingsRules(records, log), clock, log);
    this.#history = own.add(new HistoryLoader(store, clock, options.messages, clocks));
    this.poller = own.add(
      new Poller({ store, history: this.#history, apiFor, intervals: settings.pace, pauses, clocks, clock, log }),
    );
    own.add(settings.onDidChange(() => this.poller.followIntervals()));
    this.#search = new ServiceSearch({ store, pauses, apiFor, clock, log });
    const { poller } = this;
    this.#tails = own.add(
      new TailReader({
        ...{ store, poller, cache, records, pauses, clocks, apiFor, clock, log },
        isEnabled: settings.readsInBackground,
      }),
    );
    own.add(settings.onDidChange(() => this.#tails.followSetting()));
    own.add(new StartMarker(this.#disk, store, log));
  }

  /**
   * If this window has a temporary service, marks the window, so that other windows don't remove attachments of the
   * records in its memory. Call this before the user can add an attachment.
   */
  #markIfTemporary(): void {
    if (!serviceOf(this.#options.store.connection)?.isTemporary) return;
    this.#memoryWindows.mark().catch((error: unknown) => {
      this.#options.log.warn(`other windows don't know that this one has a temporary service: ${reasonOf(error)}`);
    });
  }

  #tidy(): void {
    this.#tidying = Promise.all([this.#disk.sweep(), this.cache.tidy()]);
  }

  #openCache(records: RecordStores): Cache {
    const { store, messages, settings, clock, log } = this.#options;
    const policy = new CachePolicy(records, settings.isCacheEnabled);
    const summaries = new SessionSummaries(records, store, policy, clock, log);
    const cache = new Cache(policy, messages, summaries, new PathSamples(records, policy, log), store, log);
    const refetcher = new BodyRefetcher({ store, apiFor: this.apiFor, signal: this.#abort.signal, clock, log });
    messages.connect(store, policy, refetcher);
    this.#disposables.add(
      settings.onDidChange(() => {
        cache.followSetting().catch((error: unknown) => log.error(`couldn't delete the cache: ${reasonOf(error)}`));
      }),
    );
    return cache;
  }

  /**
   * The sessions that were running when the last window closed; undefined if the session list and the outbox were
   * empty. Rejects with the system's error.
   */
  async runningAtStart(): Promise<readonly SessionKey[] | undefined> {
    const marker = await readStartMarker(this.#disk);
    return marker.sessionListSize + marker.outboxSize === 0 ? undefined : marker.running;
  }

  /**
   * Loads everything from disk and opens the connections. Call this once, and again only if it rejected. `temporary`
   * replaces the configured services, and its sessions are added to the list. `onUnreadable` receives the files that
   * couldn't be read. Rejects with the system's error.
   */
  async start(
    temporary: (TemporaryService & { readonly sessionIds: readonly string[] }) | undefined,
    onUnreadable: (files: readonly UnreadableFile[]) => void,
  ): Promise<void> {
    await this.#disk.prepare();
    let unreadable = [...(await this.drafts.load()), ...(await this.outbox.load())];
    // A file of a newer version isn't quarantined, and still needs its attachments.
    if (unreadable.length === 0 && !(await this.#mayNeedBlobs())) await this.blobs.sweep();
    await this.connections.useTemporary(temporary);
    unreadable = unreadable.concat(await this.sessionList.settled());
    const origin = temporary && new URL(temporary.baseUrl).origin;
    for (const sessionId of temporary?.sessionIds ?? [])
      await this.sessionList.add({ origin: origin ?? '', sessionId });
    if (unreadable.length > 0) onUnreadable(unreadable);
    const { settings, clock } = this.#options;
    if (settings.isCacheEnabled()) this.#disposables.add(clock.after(tidyAfterMs, () => this.#tidy()));
    else this.#tidy();
  }

  watch(key: SessionKey, wantsMessages: boolean): Disposable {
    if (wantsMessages) void this.restoreFromCache(key);
    return this.poller.watch(key, wantsMessages);
  }

  read(key: SessionKey): Disposable {
    const handles = new Disposables();
    handles.add(this.readMarks.track(key));
    // The conversation page calls `restoreFromCache` after it has shown the newest messages.
    handles.add(this.poller.watch(key, true));
    return handles;
  }

  /** Sets whether the window has the focus. Without it, sessions are refreshed less often. */
  setFocused(isFocused: boolean): void {
    // The window may never get the focus back, so save the drafts immediately.
    if (!isFocused) void this.drafts.flush();
    this.poller.setFocused(isFocused);
    this.#tails.setFocused(isFocused);
    this.readMarks.setFocused(isFocused);
  }

  readNewest(key: SessionKey): Promise<NewestMessages | undefined> {
    return this.#history.readNewest(key);
  }

  async restoreFromCache(key: SessionKey): Promise<void> {
    if (this.#options.store.record(key)) await this.#history.restore(key);
  }

  /**
   * Whether attachments may still be needed by a quarantined draft or message, or by one in the memory of another
   * window.
   */
  async #mayNeedBlobs(): Promise<boolean> {
    const isQuarantined = (await this.#disk.hasQuarantined('drafts')) || (await this.#disk.hasQuarantined('outbox'));
    return isQuarantined || this.#memoryWindows.isAnyRunning();
  }

  /** Saves everything and disposes this object. Resolves when this object doesn't access any file anymore. */
  async stopWriting(): Promise<void> {
    await this.drafts.flush();
    await this.sessionList.flush();
    this.dispose();
    await this.outbox.released();
    await this.#tails.stopWriting();
    // After dispose, because until then every read of a session can begin another write.
    await this.cache.flush();
    await this.usage.flush();
    await this.#tidying;
    await this.#memoryWindows.unmark().catch(() => undefined);
    await this.#disk.flush();
  }

  isBeingChecked(key: SessionKey): boolean {
    return this.#tails.isExpected(key);
  }

  hasNewestMessages(key: SessionKey): boolean {
    return this.poller.hasNewestMessages(key);
  }

  refresh(key: SessionKey): Promise<void> {
    return this.poller.refresh(key);
  }

  async loadOlder(key: SessionKey): Promise<void> {
    await this.#load(key, (api) => this.#history.loadOlder(api, key, this.#abort.signal));
  }

  async loadRest(key: SessionKey): Promise<void> {
    await this.#load(key, (api) => this.#history.loadRest(api, key, this.#abort.signal));
  }

  async #load(key: SessionKey, load: (api: SessionsApi) => Promise<void>): Promise<void> {
    const api = this.apiFor(key.origin);
    if (!api) return;
    try {
      await load(api);
    } catch (error) {
      this.#options.log.debug(`couldn't load older messages: ${reasonOf(error)}`);
    }
  }

  async listPrompts(
    key: SessionKey,
    signal: AbortSignal,
    onPage: (headers: readonly MessageHeader[]) => void,
  ): Promise<boolean> {
    const api = this.apiFor(key.origin);
    const stoppable = AbortSignal.any([signal, this.#abort.signal]);
    return api !== undefined && this.#history.listPrompts(api, key, stoppable, onPage);
  }

  searchServices(request: SearchRequest): Promise<readonly SearchStop[]> {
    return this.#search.search({ ...request, signal: AbortSignal.any([request.signal, this.#abort.signal]) });
  }

  stopLoading(key: SessionKey): void {
    this.#history.stop(key);
  }

  async fetchMessage(key: SessionKey, messageId: string): Promise<boolean | undefined> {
    const api = this.apiFor(key.origin);
    await this.restoreFromCache(key);
    if (!api) return this.#options.store.header(key, messageId) ? true : undefined;
    const isThere = await this.#history.fetchMessage(api, key, messageId, this.#abort.signal);
    this.#history.backfill(api, key, messageId, this.#abort.signal).catch((error: unknown) => {
      this.#options.log.debug(`couldn't load the messages around ${messageId}: ${reasonOf(error)}`);
    });
    return isThere;
  }

  dispose(): void {
    this.#abort.abort();
    this.#disposables.dispose();
  }
}
