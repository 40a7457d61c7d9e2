import { randomUUID } from 'node:crypto';
import { type Disposable, Disposables, Emitter } from '../events.ts';
import type { OutboxEntry, StoredAttachment } from '../state/outboxEntry.ts';
import { type SessionKey, keyText } from '../state/sessionKey.ts';
import type { Disk, UnreadableFile } from './disk.ts';
import type { LaneContext, ServiceFacts } from './laneContext.ts';
import { OutboxFiles } from './outboxFiles.ts';
import { OutboxLane } from './outboxLane.ts';
import { OutgoingItem } from './outgoingItem.ts';
import { type Settlement, waitForSettlement } from './settlement.ts';

/** A message as the user typed it. The bytes of its attachments are on disk. */
export interface OutboxContent {
  readonly text: string;
  readonly attachments: readonly StoredAttachment[];
  /** The computer to route the message to, only if the user gave one (spec 4.4). */
  readonly computerId?: string | undefined;
}

export interface OutboxOptions extends Omit<LaneContext, 'files' | 'factsOf' | 'announce'> {
  readonly disk: Disk;
}

/**
 * Messages on their way out: on disk before the first byte leaves, in order for each session, never sent twice without
 * asking (R29-R34). Make it before what draws the store: it then corrects what the store shows of a message before
 * anyone draws it twice. Entries of sessions that are not on the deck, and of services that may not be talked to, stay
 * on disk untouched.
 */
export class Outbox implements Disposable {
  readonly #context: LaneContext;
  readonly #lanes = new Map<string, OutboxLane>();
  readonly #facts = new Map<string, ServiceFacts>();
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<undefined>());
  #lastOrder = 0;
  #isDisposed = false;

  constructor({ disk, ...options }: OutboxOptions) {
    this.#context = {
      ...options,
      files: new OutboxFiles(disk, options.log),
      factsOf: (origin) => this.#factsOf(origin),
      announce: () => this.#changes.fire(undefined),
    };
    this.#disposables.add(
      options.store.onDidChange((change) => {
        if (change.type === 'messages') this.#lanes.get(keyText(change.key))?.noticeMessages();
        if (change.type === 'deck') this.#wakeLanes();
        if (change.type === 'connection') this.#takeConnection();
      }),
    );
  }

  /** Reads every entry; one that was being sent when the last window ended is unknown. Returns what could not be read. */
  async load(): Promise<UnreadableFile[]> {
    const { entries, unreadable } = await this.#context.files.load();
    for (const stored of entries) {
      if (this.#find(stored.entryId)) continue;
      const item = new OutgoingItem(stored);
      if (item.state === 'sending')
        item.move('unknown', { problem: { kind: 'cancelled', at: this.#context.clock.now() } });
      this.#context.blobs.hold(stored.attachments);
      this.#lastOrder = Math.max(this.#lastOrder, stored.order);
      this.#lane(stored.key).add(item);
    }
    this.#wakeLanes();
    return unreadable;
  }

  /**
   * Takes a message over. Resolves when it is on disk; its attachments are then held here, so that the draft they come
   * from may be cleared. Rejects when it could not be written, and nothing was taken over.
   */
  async enqueue(key: SessionKey, { text, attachments, computerId }: OutboxContent): Promise<OutboxEntry> {
    if (this.#isDisposed || !this.#context.store.record(key)) throw new Error('The session is not on the deck.');
    const createdAt = this.#context.clock.now();
    this.#lastOrder = Math.max(this.#lastOrder + 1, createdAt);
    const item = new OutgoingItem({
      entryId: randomUUID(),
      key: { ...key },
      order: this.#lastOrder,
      text,
      attachments: [...attachments],
      computerId,
      createdAt,
      state: 'queued',
    });
    const lane = this.#lane(key);
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
    const found = this.#find(entryId);
    if (!found) return Promise.resolve(undefined);
    const isOver = () => signal?.aborted === true || this.#isDisposed;
    return waitForSettlement(found.item, found.lane, this.#changes.event, signal, isOver);
  }

  /** The user wants it sent once more: after "not sent" or "unknown". @returns whether that was possible. */
  sendAgain(entryId: string): boolean {
    const found = this.#find(entryId);
    if (!found || found.item.isHeld || !isDecidable(found.item)) return false;
    found.lane.sendAgain(found.item);
    return true;
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
    const found = this.#find(entryId);
    if (found?.item.state === 'queued') return this.discard(entryId);
    if (found?.item.state !== 'sending') return false;
    found.lane.stopSending(found.item);
    return true;
  }

  /** Something changed outside (network, key, settings): everything that waits is tried, but for asked-for pauses. */
  wake(): void {
    for (const facts of this.#facts.values()) facts.isKeyRefused = false;
    this.#wakeLanes();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const lane of this.#lanes.values()) lane.dispose();
    this.#changes.fire(undefined);
    this.#disposables.dispose();
  }

  async #remove(entryId: string, keep: (item: OutgoingItem) => Promise<void>): Promise<boolean> {
    const found = this.#find(entryId);
    if (!found || found.item.isHeld) return false;
    if (found.item.state !== 'queued' && !isDecidable(found.item)) return false;
    await found.lane.remove(found.item, () => keep(found.item));
    return true;
  }

  #takeConnection(): void {
    const { connection } = this.#context.store;
    if (connection.kind === 'ready') this.#factsOf(connection.service.origin).isKeyRefused = false;
    this.#wakeLanes();
  }

  #wakeLanes(): void {
    for (const lane of this.#lanes.values()) lane.wake();
  }

  #find(entryId: string): { lane: OutboxLane; item: OutgoingItem } | undefined {
    for (const lane of this.#lanes.values()) {
      const item = lane.items.find((candidate) => candidate.entryId === entryId);
      if (item) return { lane, item };
    }
    return undefined;
  }

  #lane(key: SessionKey): OutboxLane {
    const lane = this.#lanes.get(keyText(key)) ?? new OutboxLane({ ...key }, this.#context);
    this.#lanes.set(keyText(key), lane);
    return lane;
  }

  #factsOf(origin: string): ServiceFacts {
    const facts = this.#facts.get(origin) ?? { serverOffsetMs: undefined, notBefore: 0, isKeyRefused: false };
    this.#facts.set(origin, facts);
    return facts;
  }
}

/** Whether the user may decide what becomes of it. */
function isDecidable({ state }: OutgoingItem): boolean {
  return state === 'notSent' || state === 'unknown';
}
