import { randomUUID } from 'node:crypto';
import type { SessionStatus } from '../../api/resources/session.ts';
import { type Disposable, Disposables, Emitter, type Event, onDispose } from '../../shared/lifecycle.ts';
import type { Failure } from '../../state/store/failure.ts';
import type { OutboxEntry, StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { LeaseFiles } from '../lease/leaseFiles.ts';
import { ownLease, SessionLease } from '../lease/sessionLease.ts';
import type { RecordStore, UnreadableFile } from '../storage/recordStore.ts';
import { newWindowIdentity, type WindowIdentity } from '../storage/windowIdentity.ts';
import { OutboxFiles } from './outboxFiles.ts';
import { OutboxFileSync } from './outboxFileSync.ts';
import type { QueueContext } from './queueContext.ts';
import { QueuedMessage } from './queuedMessage.ts';
import type { WhileRunning } from './sendGate.ts';
import type { SessionQueue } from './sessionQueue.ts';
import { type FoundItem, SessionQueues } from './sessionQueues.ts';

/** What can be said of a message that was handed to the outbox, as the commands that send resolve to. */
export type Settlement =
  | { readonly messageId: string; readonly status: SessionStatus }
  /** On disk; it goes out when what it waits for is over. */
  | { readonly queued: true }
  /** It may or may not have been sent; the user is asked. */
  | { readonly unknown: true };

/** The message was surely not sent. It is kept, with Send Again and Discard. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
  readonly problem: Failure | undefined;

  constructor(problem: Failure | undefined) {
    super('The message was not sent.');
    this.problem = problem;
  }
}

/**
 * Waits until something can be said of a message, or `isOver` says that nobody waits any longer: then it is what is
 * known by then. Undefined: the user took it back. `changes` fires whenever either may have become true.
 * @throws NotSentError when it was surely not sent.
 */
export function waitForSettlement(
  item: QueuedMessage,
  lane: SessionQueue,
  changes: Event<undefined>,
  signal: AbortSignal | undefined,
  isOver: () => boolean,
): Promise<Settlement | undefined> {
  return new Promise((resolve, reject) => {
    const waits = new Disposables();
    const look = () => {
      const verdict = verdictOf(item, lane) ?? (isOver() ? settlementInHaste(item) : undefined);
      if (verdict === undefined) return;
      waits.dispose();
      if (verdict instanceof NotSentError) reject(verdict);
      else resolve(verdict === 'cancelled' ? undefined : verdict);
    };
    waits.add(changes(look));
    waits.add(onDispose(() => signal?.removeEventListener('abort', look)));
    signal?.addEventListener('abort', look);
    look();
  });
}

/** What can be said of a message now; undefined while it is still moving. */
function verdictOf(item: QueuedMessage, lane: SessionQueue): Settlement | NotSentError | 'cancelled' | undefined {
  const { messageId } = item.stored;
  if (messageId !== undefined) return { messageId, status: item.status ?? 'unknown' };
  if (item.isGone) return 'cancelled';
  if (item.state === 'notSent') return new NotSentError(item.stored.problem);
  if (item.state === 'unknown' && !item.isSearching) return { unknown: true };
  return item.state === 'queued' && lane.isStalled ? { queued: true } : undefined;
}

function settlementInHaste(item: QueuedMessage): Settlement {
  return item.state === 'queued' ? { queued: true } : { unknown: true };
}

/** A message as the user typed it. The bytes of its attachments are on disk. */
export interface OutboxContent {
  readonly text: string;
  readonly attachments: readonly StoredAttachment[];
  /** The computer to route the message to, only if the user gave one (spec 4.4). */
  readonly computerId?: string | undefined;
  /** When it goes out while the agent is at work; absent: as the setting says. */
  readonly when?: WhileRunning | undefined;
}

type SharedParts = 'store' | 'blobs' | 'clock' | 'clocks' | 'log' | 'apiFor' | 'pauses';
export interface OutboxOptions extends Pick<QueueContext, SharedParts> {
  readonly disk: RecordStore;
  /** Whether a service ends with this window: what is sent to it is not kept on disk. */
  readonly isTemporary?: ((origin: string) => boolean) | undefined;
  /** Absent: `now`. */
  readonly whileRunning?: (() => WhileRunning) | undefined;
  /** Told of every message that the service has. */
  readonly onAccepted?: QueueContext['onAccepted'] | undefined;
  readonly window?: WindowIdentity | undefined;
}

/**
 * Messages on their way out: on disk before the first byte leaves, in order for each session, never sent twice without
 * asking (R29-R34). Make it before what draws the store: it then corrects what the store shows of a message before
 * anyone draws it twice. Entries of sessions that are not on the deck, and of services that may not be talked to, stay
 * on disk untouched.
 */
export class Outbox implements Disposable {
  readonly #disk: RecordStore;
  readonly #window: WindowIdentity;
  readonly #context: QueueContext;
  readonly #mirror: OutboxFileSync;
  readonly #lanes = new SessionQueues();
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<undefined>());
  #isDisposed = false;

  constructor(options: OutboxOptions) {
    const { disk, store, clock, log, window = newWindowIdentity() } = options;
    const { isTemporary = () => false, whileRunning = () => 'now' } = options;
    this.#disk = disk;
    this.#window = window;
    const files = new OutboxFiles(disk, isTemporary);
    const mirror = new OutboxFileSync({
      ...options,
      ...{ files, window },
      knownIds: () => this.#knownIds(isTemporary),
      fold: (entryId, stored) => {
        if (!this.#isDisposed) this.#lanes.fold(entryId, stored, this.#context);
      },
    });
    this.#mirror = this.#disposables.add(mirror);
    this.#context = {
      ...options,
      files,
      factsOf: (origin) => this.#lanes.factsOf(origin),
      announce: () => this.#changes.fire(undefined),
      openLease: (key, events) =>
        isTemporary(key.origin) ? ownLease : new SessionLease(new LeaseFiles(disk, window, key), clock, log, events),
      refold: () => mirror.refold(),
      isOthers: (entry) => mirror.isOthers(entry),
      finish: (entry) => mirror.finish(entry),
      isWhenIdle: () => whileRunning() === 'whenIdle',
      onAccepted: (entry) => options.onAccepted?.(entry),
    };
    this.#disposables.add(
      store.onDidChange((change) => {
        if (change.type === 'messages') this.#lanes.get(change.key)?.noticeMessages();
        if (change.type === 'session') this.#lanes.get(change.key)?.go();
        if (change.type === 'sessionList') this.#lanes.noticeSessionList();
        if (change.type === 'connection') this.#takeConnection();
      }),
    );
  }

  /**
   * Reads every entry, and follows what other windows on the folder do with theirs from then on. One that was being sent
   * when the last window ended is unknown. Returns what could not be read.
   */
  async load(): Promise<UnreadableFile[]> {
    this.#disposables.add(
      this.#disk.watch('leases', (name) => {
        for (const lane of this.#lanes.all) lane.noticeLease(name);
      }),
    );
    const unreadable = await this.#mirror.open();
    this.#lanes.wake();
    return unreadable;
  }

  /**
   * Takes a message over. Resolves when it is on disk; its attachments are then held here, so that the draft they come
   * from may be cleared. Rejects when it could not be written, and nothing was taken over.
   */
  async enqueue(key: SessionKey, { text, attachments, computerId, when }: OutboxContent): Promise<OutboxEntry> {
    if (this.#isDisposed || !this.#context.store.record(key)) throw new Error('The session is not on the deck.');
    const createdAt = this.#context.clock.now();
    const item = new QueuedMessage({
      entryId: randomUUID(),
      key: { ...key },
      order: this.#lanes.nextOrder(createdAt),
      text,
      attachments: [...attachments],
      computerId,
      when,
      createdAt,
      window: this.#window,
      state: 'queued',
    });
    const lane = this.#lanes.open(key, this.#context);
    item.isHeld = true;
    this.#context.blobs.hold(attachments);
    lane.add(item);
    try {
      await this.#context.files.save(item.stored);
    } catch (error) {
      lane.withdraw(item);
      await this.#context.blobs.release(attachments);
      throw error;
    }
    const entry = item.toEntry();
    item.isHeld = false;
    lane.go();
    return entry;
  }

  /**
   * Waits until something can be said of a message: accepted, waiting, or unknown after it was looked for. Undefined:
   * the user took it back, or there is no such entry. When `signal` aborts, or this is disposed, what is known by then.
   * @throws NotSentError when it was surely not sent.
   */
  settled(entryId: string, signal?: AbortSignal): Promise<Settlement | undefined> {
    const found = this.#lanes.find(entryId);
    if (!found) return Promise.resolve(undefined);
    const isOver = () => signal?.aborted === true || this.#isDisposed;
    return waitForSettlement(found.item, found.lane, this.#changes.event, signal, isOver);
  }

  /** The user wants it sent once more: after "not sent" or "unknown". Resolves to whether that was possible. */
  sendAgain(entryId: string): Promise<boolean> {
    return this.#decide(entryId, isDecidable, ({ lane, item }) => {
      lane.sendAgain(item);
      return true;
    });
  }

  /** Throws a message away that is queued, not sent or unknown. Resolves to whether that was possible. */
  discard(entryId: string): Promise<boolean> {
    return this.#remove(entryId, () => Promise.resolve());
  }

  /**
   * Gives a message that is queued, not sent or unknown back to be changed: `keep` gets its content and resolves when it
   * is safe elsewhere; only then the entry goes. Resolves to whether that was possible; rejects as `keep` does.
   */
  edit(entryId: string, keep: (key: SessionKey, content: OutboxContent) => Promise<void>): Promise<boolean> {
    return this.#remove(entryId, ({ stored }) => keep(stored.key, stored));
  }

  /**
   * Stops a message: a queued one is thrown away, the attempt of a sending one is broken off and ends as not sent if
   * surely no byte of it was processed, else as unknown. Resolves to whether there was anything to stop.
   */
  async cancel(entryId: string): Promise<boolean> {
    const found = this.#lanes.find(entryId);
    if (found?.item.state === 'queued') return this.discard(entryId);
    if (found?.item.state !== 'sending') return false;
    if (!found.item.isSendingHere) return (await found.lane.decide({ cancelEntryId: entryId }, () => true)) ?? false;
    found.item.stopSending();
    return true;
  }

  /** Something changed outside (network, key, settings): everything that waits is tried, but for asked-for pauses. */
  wake(): void {
    this.#lanes.forgiveKeys();
    this.#lanes.wake();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const lane of this.#lanes.all) lane.dispose();
    this.#changes.fire(undefined);
    this.#disposables.dispose();
  }

  /** After dispose: resolves when the other windows can see that this one sends nothing any more. */
  async released(): Promise<void> {
    await Promise.all([...this.#lanes.all].map((lane) => lane.released()));
  }

  #remove(entryId: string, keep: (item: QueuedMessage) => Promise<void>): Promise<boolean> {
    const isRemovable = (item: QueuedMessage) => (item.state === 'queued' && !item.isHeld) || isDecidable(item);
    return this.#decide(entryId, isRemovable, async ({ lane, item }) => {
      await lane.remove(item, () => keep(item));
      return true;
    });
  }

  /**
   * Carries out what the user decided, once no other window can decide otherwise; false where it came too late: what was
   * decided of one attempt does not hold for another.
   */
  async #decide(
    entryId: string,
    isPossible: (item: QueuedMessage) => boolean,
    task: (found: FoundItem) => boolean | Promise<boolean>,
  ): Promise<boolean> {
    const found = this.#lanes.find(entryId);
    if (!found || !isPossible(found.item)) return false;
    const { lane, item } = found;
    const { state, attempt } = item.stored;
    const isAsSeen = () => item.state === state && item.stored.attempt?.startedAt === attempt?.startedAt;
    const isDone = await lane.decide({}, () => !item.isGone && isAsSeen() && isPossible(item) && task(found));
    return isDone ?? false;
  }

  #takeConnection(): void {
    const { connection } = this.#context.store;
    if (connection.kind === 'ready') this.#lanes.factsOf(connection.service.origin).isKeyRefused = false;
    this.#lanes.wake();
  }

  *#knownIds(isTemporary: (origin: string) => boolean): Iterable<string> {
    for (const { key, items } of this.#lanes.all) {
      if (!isTemporary(key.origin)) yield* items.map(({ entryId }) => entryId);
    }
  }
}

/** Whether the user may decide what becomes of it: it was not sent, or was looked for in vain. */
function isDecidable({ state, isHeld, isSearching }: QueuedMessage): boolean {
  return !isHeld && (state === 'notSent' || (state === 'unknown' && !isSearching));
}
