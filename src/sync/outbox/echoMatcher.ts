import type { SessionKey } from '../../state/store/sessionKey.ts';
import { findLikelyHeader } from './attempt.ts';
import type { QueueContext } from './queueContext.ts';
import type { QueuedMessage } from './queuedMessage.ts';
import { earliestCreation, findSentMessage, type SearchResult, type SentCriteria, SentSearch } from './sentSearch.ts';

/**
 * Which message of a session belongs to which outgoing entry, so that no two entries become the same message (R32) and
 * an entry shares its bubble with its message already before the service has named it (R33).
 */
export class MessageClaims {
  readonly #key: SessionKey;
  readonly #context: QueueContext;
  readonly #entryIdByMessageId = new Map<string, string>();

  constructor(key: SessionKey, context: QueueContext) {
    this.#key = key;
    this.#context = context;
  }

  claim(messageId: string, item: QueuedMessage): void {
    this.#entryIdByMessageId.set(messageId, item.entryId);
  }

  /** Every message that some entry became. */
  get claimedIds(): Iterable<string> {
    return this.#entryIdByMessageId.keys();
  }

  /** What the message of an entry has to look like; undefined where nothing may be claimed for it. */
  criteriaOf(item: QueuedMessage): SentCriteria | undefined {
    const { attempt, text } = item.stored;
    if (!attempt) return undefined;
    const notBefore = earliestCreation(attempt, this.#context.clocks.offsetMs(this.#key.origin));
    return notBefore === undefined ? undefined : { text, notBefore, excludedIds: this.#excludedIds(item) };
  }

  /**
   * Looks among the messages known for the one that `item`, sending or unknown, most likely became, and remembers it.
   * @returns whether that changed.
   */
  updateLikely(item: QueuedMessage): boolean {
    const { attempt, text } = item.stored;
    const headers = this.#context.store.record(this.#key)?.headers ?? [];
    if (!attempt) return false;
    // Without any clock of the service ours has to do: what is likely only shares a bubble and can be withdrawn.
    const notBefore = earliestCreation(attempt, this.#context.clocks.offsetMs(this.#key.origin));
    const fallback = earliestCreation(attempt, 0) ?? attempt.startedAt;
    const excludedIds = this.#excludedIds(item);
    const wanted = { text, notBefore: notBefore ?? fallback, excludedIds };
    const likelyMessageId = findLikelyHeader(headers, item.stored, wanted)?.messageId;
    if (likelyMessageId === item.likelyMessageId) return false;
    item.likelyMessageId = likelyMessageId;
    return true;
  }

  #excludedIds(item: QueuedMessage): ReadonlySet<string> {
    const excluded = new Set([...(item.stored.attempt?.knownMessageIds ?? []), ...item.rejectedIds]);
    for (const [messageId, entryId] of this.#entryIdByMessageId) if (entryId !== item.entryId) excluded.add(messageId);
    return excluded;
  }
}

/** What a finder tells its lane. */
export interface FinderEvents {
  /** The message of an unknown entry. */
  readonly found: (item: QueuedMessage, messageId: string) => void;
  /** What the store should show of an entry. */
  readonly changed: () => void;
  /** A search is over without a find. */
  readonly ended: (item: QueuedMessage) => void;
}

/**
 * Finds the messages that entries became: by reading the list after an unknown outcome (R32), and among the messages
 * that come into the store anyway, while the service has not answered yet (R33) or long after the search gave up.
 */
export class EchoMatcher {
  readonly #key: SessionKey;
  readonly #context: QueueContext;
  readonly #claims: MessageClaims;
  readonly #events: FinderEvents;

  constructor(key: SessionKey, context: QueueContext, claims: MessageClaims, events: FinderEvents) {
    this.#key = key;
    this.#context = context;
    this.#claims = claims;
    this.#events = events;
  }

  /** Begins to look for an unknown entry in the list, unless that was done or is under way. */
  search(item: QueuedMessage): void {
    const { attempt } = item.stored;
    if (item.state !== 'unknown' || item.isHeld || item.search || !attempt || attempt.isSearched) return;
    item.isSearchDue = false;
    item.search = new SentSearch({
      key: this.#key,
      computerId: this.#context.store.record(this.#key)?.listEntry.computerId,
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
  matchEcho(item: QueuedMessage): void {
    if (item.isHeld || (item.state !== 'sending' && item.state !== 'unknown')) return;
    const isOther = this.#claims.updateLikely(item);
    if (isOther) this.#events.changed();
    if ((isOther || item.state === 'unknown') && item.likelyMessageId !== undefined) {
      void this.#checkEcho(item, item.likelyMessageId);
    }
  }

  #endSearch(item: QueuedMessage, result: SearchResult): void {
    if (result.kind === 'found') {
      this.#events.found(item, result.message.id);
      return;
    }
    item.endSearch(result.kind === 'notFound');
    item.rejectLikely();
    this.#events.ended(item);
  }

  /** The likely message was told by its first line; now by its whole text. */
  async #checkEcho(item: QueuedMessage, messageId: string): Promise<void> {
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
  async #isSent(item: QueuedMessage, messageId: string): Promise<boolean | undefined> {
    const bodies = await this.#context.store.readBodies(this.#key, [messageId]);
    const criteria = this.#claims.criteriaOf(item);
    if (bodies.length === 0 || !criteria) return undefined;
    return findSentMessage(bodies, criteria) !== undefined;
  }
}
