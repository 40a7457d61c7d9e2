import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { LaneContext } from './queueContext.ts';
import type { OutgoingItem } from './queuedMessage.ts';
import { findLikelyHeader } from './attempt.ts';
import { type SentCriteria, earliestCreation } from './sentMessage.ts';

/**
 * Which message of a session belongs to which outgoing entry, so that no two entries become the same message (R32) and
 * an entry shares its bubble with its message already before the service has named it (R33).
 */
export class MessageClaims {
  readonly #key: SessionKey;
  readonly #context: LaneContext;
  readonly #entryIdByMessageId = new Map<string, string>();

  constructor(key: SessionKey, context: LaneContext) {
    this.#key = key;
    this.#context = context;
  }

  claim(messageId: string, item: OutgoingItem): void {
    this.#entryIdByMessageId.set(messageId, item.entryId);
  }

  /** Every message that some entry became. */
  get claimedIds(): Iterable<string> {
    return this.#entryIdByMessageId.keys();
  }

  /** What the message of an entry has to look like; undefined where nothing may be claimed for it. */
  criteriaOf(item: OutgoingItem): SentCriteria | undefined {
    const { attempt, text } = item.stored;
    if (!attempt) return undefined;
    const notBefore = earliestCreation(attempt, this.#context.clocks.offsetMs(this.#key.origin));
    return notBefore === undefined ? undefined : { text, notBefore, excludedIds: this.#excludedIds(item) };
  }

  /**
   * Looks among the messages known for the one that `item`, sending or unknown, most likely became, and remembers it.
   * @returns whether that changed.
   */
  updateLikely(item: OutgoingItem): boolean {
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

  #excludedIds(item: OutgoingItem): ReadonlySet<string> {
    const excluded = new Set([...(item.stored.attempt?.knownMessageIds ?? []), ...item.rejectedIds]);
    for (const [messageId, entryId] of this.#entryIdByMessageId) if (entryId !== item.entryId) excluded.add(messageId);
    return excluded;
  }
}
