import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { LaneContext, ServiceFacts } from './queueContext.ts';
import type { StoredEntry } from './outboxFiles.ts';
import { OutboxLane } from './sessionQueue.ts';
import { OutgoingItem } from './queuedMessage.ts';

/** A window that runs sends what was typed in it itself; the others see to it only when that takes longer than this. */
const leftToOthersMs = 3_000;

/** An outgoing message and the queue it is in. */
export interface FoundItem {
  readonly lane: OutboxLane;
  readonly item: OutgoingItem;
}

/** The queues of all sessions, and what is known of their services. */
export class OutboxLanes {
  readonly #lanes = new Map<string, OutboxLane>();
  readonly #onDeck = new Set<OutboxLane>();
  readonly #facts = new Map<string, ServiceFacts>();
  #lastOrder = 0;

  get all(): Iterable<OutboxLane> {
    return this.#lanes.values();
  }

  /** The queue of a session; undefined where nothing was ever in it. */
  get(key: SessionKey): OutboxLane | undefined {
    return this.#lanes.get(keyText(key));
  }

  /** The queue of a session, made if need be. */
  open(key: SessionKey, context: LaneContext): OutboxLane {
    const known = this.get(key);
    if (known) return known;
    const lane = new OutboxLane({ ...key }, context);
    this.#lanes.set(keyText(key), lane);
    if (lane.isOnDeck) this.#onDeck.add(lane);
    return lane;
  }

  find(entryId: string): FoundItem | undefined {
    for (const lane of this.#lanes.values()) {
      const item = lane.items.find((candidate) => candidate.entryId === entryId);
      if (item) return { lane, item };
    }
    return undefined;
  }

  /** The place of a message typed at `createdAt` (Unix ms): after all others. */
  nextOrder(createdAt: number): number {
    this.#lastOrder = Math.max(this.#lastOrder + 1, createdAt);
    return this.#lastOrder;
  }

  /** What lies on disk of an entry now; undefined: nothing. */
  fold(entryId: string, stored: StoredEntry | undefined, context: LaneContext): void {
    const found = this.find(entryId);
    if (found) {
      found.lane.fold(found.item, stored);
    } else if (stored) {
      context.blobs.hold(stored.attachments);
      this.#lastOrder = Math.max(this.#lastOrder, stored.order);
      const item = new OutgoingItem(stored);
      const lane = this.open(stored.key, context);
      if (context.isOthers(stored)) item.leaveToOthers(context.clock, leftToOthersMs, () => lane.go());
      lane.add(item);
    }
  }

  /** Everything that waits is tried. */
  wake(): void {
    for (const lane of this.#lanes.values()) lane.wake();
  }

  /** Sessions came to the deck or left it: what waits in them is tried, or left alone; that of others goes on as before. */
  noticeDeck(): void {
    for (const lane of this.#lanes.values()) {
      if (lane.isOnDeck === this.#onDeck.has(lane)) continue;
      if (lane.isOnDeck) this.#onDeck.add(lane);
      else this.#onDeck.delete(lane);
      lane.wake();
    }
  }

  /** What is known of a service. */
  factsOf(origin: string): ServiceFacts {
    const facts = this.#facts.get(origin) ?? { notBefore: 0, isKeyRefused: false };
    this.#facts.set(origin, facts);
    return facts;
  }

  /** Keys that were refused get another try. */
  forgiveKeys(): void {
    for (const facts of this.#facts.values()) facts.isKeyRefused = false;
  }
}
