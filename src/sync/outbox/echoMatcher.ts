import { type SessionKey } from '../../state/store/sessionKey.ts';
import type { LaneContext } from './queueContext.ts';
import type { MessageClaims } from './messageClaims.ts';
import type { OutgoingItem } from './queuedMessage.ts';
import { findSentMessage } from './sentMessage.ts';
import { type SearchResult, SentSearch } from './sentSearch.ts';

/** What a finder tells its lane. */
export interface FinderEvents {
  /** The message of an unknown entry. */
  readonly found: (item: OutgoingItem, messageId: string) => void;
  /** What the store should show of an entry. */
  readonly changed: () => void;
  /** A search is over without a find. */
  readonly ended: (item: OutgoingItem) => void;
}

/**
 * Finds the messages that entries became: by reading the list after an unknown outcome (R32), and among the messages
 * that come into the store anyway, while the service has not answered yet (R33) or long after the search gave up.
 */
export class MessageFinder {
  readonly #key: SessionKey;
  readonly #context: LaneContext;
  readonly #claims: MessageClaims;
  readonly #events: FinderEvents;

  constructor(key: SessionKey, context: LaneContext, claims: MessageClaims, events: FinderEvents) {
    this.#key = key;
    this.#context = context;
    this.#claims = claims;
    this.#events = events;
  }

  /** Begins to look for an unknown entry in the list, unless that was done or is under way. */
  search(item: OutgoingItem): void {
    const { attempt } = item.stored;
    if (item.state !== 'unknown' || item.isHeld || item.search || !attempt || attempt.isSearched) return;
    item.isSearchDue = false;
    item.search = new SentSearch({
      key: this.#key,
      computerId: this.#context.store.record(this.#key)?.deck.computerId,
      clock: this.#context.clock,
      api: () => this.#context.apiFor(this.#key.origin),
      criteria: (serverTimeMs) => {
        this.#context.clocks.learn(this.#key.origin, serverTimeMs, this.#context.clock.now());
        return this.#claims.criteriaOf(item);
      },
      onEnd: (result) => this.#endSearch(item, result),
    });
    this.#events.changed();
  }

  /** Looks among the messages in the store for one that a sending or unknown entry became. */
  matchEcho(item: OutgoingItem): void {
    if (item.isHeld || (item.state !== 'sending' && item.state !== 'unknown')) return;
    const isOther = this.#claims.updateLikely(item);
    if (isOther) this.#events.changed();
    if ((isOther || item.state === 'unknown') && item.likelyMessageId !== undefined) {
      void this.#checkEcho(item, item.likelyMessageId);
    }
  }

  #endSearch(item: OutgoingItem, result: SearchResult): void {
    if (result.kind === 'found') {
      this.#events.found(item, result.message.id);
      return;
    }
    item.endSearch(result.kind === 'notFound');
    item.rejectLikely();
    this.#events.ended(item);
  }

  /** The likely message was told by its first line; now by its whole text. */
  async #checkEcho(item: OutgoingItem, messageId: string): Promise<void> {
    const verdict = await this.#isSent(item, messageId);
    if (item.isGone || item.isHeld || item.likelyMessageId !== messageId) return;
    const isOnlyHope = item.state === 'unknown' && !item.isSearching;
    if (verdict === false || (verdict === undefined && isOnlyHope)) {
      item.rejectLikely();
      this.#events.changed();
      this.matchEcho(item);
    } else if (verdict === true && item.state === 'unknown') {
      this.#events.found(item, messageId);
    }
  }

  /** Whether a message is the entry's by R32; undefined where its body is not here, or no clock says. */
  async #isSent(item: OutgoingItem, messageId: string): Promise<boolean | undefined> {
    const bodies = await this.#context.store.readBodies(this.#key, [messageId]);
    const criteria = this.#claims.criteriaOf(item);
    if (bodies.length === 0 || !criteria) return undefined;
    return findSentMessage(bodies, criteria) !== undefined;
  }
}
