import { Emitter } from '../../shared/lifecycle.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Clock } from '../storage/clock.ts';
import type { Agents } from './agents.ts';
import { findCandidateHeader } from './attempt.ts';
import type { QueueEntries } from './queueEntries.ts';
import type { QueuedMessage } from './queuedMessage.ts';
import type { ServiceSendState } from './sendGate.ts';
import {
  earliestCreation,
  findSentMessage,
  type SearchClient,
  type SearchResult,
  type SentCriteria,
  SentSearch,
} from './sentSearch.ts';

/**
 * Finds the messages that the service created from a session's entries: by searching the list after an unknown outcome
 * (R32), and among the messages that arrive in the store anyway, before the service has responded (R33) or long after
 * the search has ended. A message is never matched with two entries (R32).
 */
export class EchoMatcher implements SearchClient {
  readonly #key: SessionKey;
  readonly #entries: QueueEntries;
  readonly #agents: Agents;
  readonly #store: Store;
  readonly #service: ServiceSendState;
  readonly #clock: Clock;
  readonly #decided = new Emitter<undefined>();
  readonly #entryIdByMessageId = new Map<string, string>();
  /** For each entry, the IDs of candidates that turned out to be other messages. */
  readonly #rejectedIds = new WeakMap<QueuedMessage, Set<string>>();

  constructor(
    key: SessionKey,
    entries: QueueEntries,
    agents: Agents,
    store: Store,
    service: ServiceSendState,
    clock: Clock,
  ) {
    this.#key = key;
    this.#entries = entries;
    this.#agents = agents;
    this.#store = store;
    this.#service = service;
    this.#clock = clock;
  }

  /** Records in an unknown entry which messages belong to other entries. Call this before the entry is saved. */
  excludeClaimed(message: QueuedMessage): void {
    for (const [messageId, entryId] of this.#entryIdByMessageId) {
      if (entryId !== message.entryId) message.exclude(messageId);
    }
  }

  /** Fires when the message of an entry has been found, or its search has ended. */
  readonly onDidDecide = this.#decided.event;

  /** The IDs of all messages that are matched with an entry. */
  get claimedIds(): Iterable<string> {
    return this.#entryIdByMessageId.keys();
  }

  /**
   * Records what follows if the service accepted a message: no other entry can be matched with the service's copy, and
   * the agent isn't known to be idle anymore. Call this when the state of a message comes from a response or from disk.
   */
  noteAcceptance(message: QueuedMessage): void {
    const { messageId } = message.stored;
    if (messageId !== undefined) this.#claim(messageId, message);
    if (message.state === 'accepted') this.#agents.messageAccepted(this.#key);
  }

  /** Starts the search for a message if it is due. */
  search(message: QueuedMessage): void {
    if (!message.isSearchDue || message.isHeld) return;
    const computerId = this.#store.record(this.#key)?.listEntry.computerId;
    message.startSearch(new SentSearch(this, message, computerId, this.#service, this.#clock));
    this.#entries.publish();
  }

  /** Checks each sending or unknown entry for a matching message in the store. */
  matchAll(): void {
    for (const message of this.#entries.all) this.#match(message);
  }

  criteriaOf(message: QueuedMessage): SentCriteria | undefined {
    const { attempt, text } = message.stored;
    if (!attempt || this.#mayBelongToOther(message)) return undefined;
    const notBefore = earliestCreation(attempt, this.#service.clockOffsetMs);
    return notBefore === undefined ? undefined : { text, notBefore, excludedIds: this.#excludedIds(message) };
  }

  onSearchDoubtful(message: QueuedMessage): void {
    message.setDoubtful();
    this.#entries.publish();
  }

  onSearchEnd(message: QueuedMessage, result: SearchResult): void {
    const isOpen = this.#mayBelongToOther(message);
    if (result.kind === 'found' && !isOpen && this.#isFree(result.message.id, message)) {
      this.#setFound(message, result.message.id);
    } else {
      if (result.kind === 'stopped') message.stopSearch();
      else message.completeSearch();
      if (!isOpen) this.#rejectCandidate(message);
      this.#entries.save(message);
    }
    this.#decided.fire(undefined);
  }

  #claim(messageId: string, message: QueuedMessage): void {
    this.#entryIdByMessageId.set(messageId, message.entryId);
  }

  #match(message: QueuedMessage): void {
    if (message.isHeld || (message.state !== 'sending' && message.state !== 'unknown')) return;
    const isChanged = this.#updateCandidate(message);
    if (isChanged) this.#entries.publish();
    const { candidateMessageId } = message;
    if ((isChanged || message.state === 'unknown') && candidateMessageId !== undefined) {
      void this.#checkCandidate(message, candidateMessageId);
    }
  }

  /** Sets the message that was most probably created from an entry. @returns whether it changed. */
  #updateCandidate(message: QueuedMessage): boolean {
    const { attempt, text } = message.stored;
    const headers = this.#store.record(this.#key)?.headers ?? [];
    if (!attempt) return false;
    // If the service's clock is not known, our clock is good enough: a candidate only shares a row with the entry and
    // can be withdrawn.
    const fallback = earliestCreation(attempt, 0) ?? attempt.startedAt;
    const notBefore = earliestCreation(attempt, this.#service.clockOffsetMs) ?? fallback;
    const criteria = { text, notBefore, excludedIds: this.#excludedIds(message) };
    const messageId = findCandidateHeader(headers, message.stored, criteria)?.messageId;
    if (messageId === message.candidateMessageId) return false;
    message.setCandidate(messageId);
    return true;
  }

  /** Checks the whole text of a candidate, because only its first line is known to match. */
  async #checkCandidate(message: QueuedMessage, messageId: string): Promise<void> {
    const isSent = await this.#isSent(message, messageId);
    if (message.isGone || message.isHeld || message.candidateMessageId !== messageId) return;
    if (this.#mayBelongToOther(message) || !this.#isFree(messageId, message)) return;
    const isUndecidable = isSent === undefined && message.state === 'unknown' && !message.isSearching;
    if (isSent === false || isUndecidable) {
      this.#rejectCandidate(message);
      this.#entries.publish();
      this.#match(message);
    } else if (isSent === true && message.state === 'unknown') {
      this.#setFound(message, messageId);
      this.#decided.fire(undefined);
    }
  }

  /**
   * Whether another entry with the same text is being sent while this one is unknown, because the user let later
   * messages pass. A matching message may then belong to the other entry, as its response will show.
   */
  #mayBelongToOther({ state, stored }: QueuedMessage): boolean {
    if (state !== 'unknown') return false;
    return this.#entries.all.some((other) => other.state === 'sending' && other.stored.text === stored.text);
  }

  #isFree(messageId: string, message: QueuedMessage): boolean {
    return (this.#entryIdByMessageId.get(messageId) ?? message.entryId) === message.entryId;
  }

  /** Matches a message with an entry. No other entry can be matched with this message from now on. */
  #setFound(message: QueuedMessage, messageId: string): void {
    this.#claim(messageId, message);
    message.setFound(messageId);
  }

  /**
   * Whether, by the rule of R32, a message was created from an entry; undefined if that can't be determined, for
   * example because the body of the message isn't available.
   */
  async #isSent(message: QueuedMessage, messageId: string): Promise<boolean | undefined> {
    const bodies = await this.#store.readBodies(this.#key, [messageId]);
    const criteria = this.criteriaOf(message);
    if (bodies.length === 0 || !criteria) return undefined;
    return findSentMessage(bodies, criteria) !== undefined;
  }

  #rejectCandidate(message: QueuedMessage): void {
    const { candidateMessageId } = message;
    if (candidateMessageId === undefined) return;
    this.#rejectedIds.set(message, new Set(this.#rejectedIds.get(message)).add(candidateMessageId));
    message.setCandidate(undefined);
  }

  #excludedIds(message: QueuedMessage): ReadonlySet<string> {
    const knownIds = message.stored.attempt?.knownMessageIds ?? [];
    const excluded = new Set([...knownIds, ...(this.#rejectedIds.get(message) ?? [])]);
    for (const [messageId, entryId] of this.#entryIdByMessageId) {
      if (entryId !== message.entryId) excluded.add(messageId);
    }
    return excluded;
  }
}
