import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { QueueContext, ServiceSendState } from './queueContext.ts';
import type { StoredEntry } from './outboxFiles.ts';
import { SessionQueue } from './sessionQueue.ts';
import { QueuedMessage } from './queuedMessage.ts';

/** A window that runs sends what was typed in it itself; the others see to it only when that takes longer than this. */
const leftToOthersMs = 3_000;

/** An outgoing message and the queue it is in. */
export interface FoundItem {
  readonly lane: SessionQueue;
  readonly item: QueuedMessage;
}

/** The queues of all sessions, and what is known of their services. */
export class SessionQueues {
  readonly #lanes = new Map<string, SessionQueue>();
  readonly #listed = new Set<SessionQueue>();
  readonly #facts = new Map<string, ServiceSendState>();
  #lastOrder = 0;

  get all(): Iterable<SessionQueue> {
    return this.#lanes.values();
  }

  /** The queue of a session; undefined where nothing was ever in it. */
  get(key: SessionKey): SessionQueue | undefined {
    return this.#lanes.get(keyText(key));
  }

  /** The queue of a session, made if need be. */
  open(key: SessionKey, context: QueueContext): SessionQueue {
    const known = this.get(key);
    if (known) return known;
    const lane = new SessionQueue({ ...key }, context);
    this.#lanes.set(keyText(key), lane);
    if (lane.isListed) this.#listed.add(lane);
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
  fold(entryId: string, stored: StoredEntry | undefined, context: QueueContext): void {
    const found = this.find(entryId);
    if (found) {
      found.lane.fold(found.item, stored);
    } else if (stored) {
      context.blobs.hold(stored.attachments);
      this.#lastOrder = Math.max(this.#lastOrder, stored.order);
      const item = new QueuedMessage(stored);
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
  noticeSessionList(): void {
    for (const lane of this.#lanes.values()) {
      if (lane.isListed === this.#listed.has(lane)) continue;
      if (lane.isListed) this.#listed.add(lane);
      else this.#listed.delete(lane);
      lane.wake();
    }
  }

  /** What is known of a service. */
  factsOf(origin: string): ServiceSendState {
    const facts = this.#facts.get(origin) ?? { notBefore: 0, isKeyRefused: false };
    this.#facts.set(origin, facts);
    return facts;
  }

  /** Keys that were refused get another try. */
  forgiveKeys(): void {
    for (const facts of this.#facts.values()) facts.isKeyRefused = false;
  }
}
