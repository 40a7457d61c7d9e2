import { isScheduled, needsDecision, type OutboxEntry } from '../../state/store/outboxEntry.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';

/** Determines whether the agents of sessions are known to be idle. */
export class Agents {
  readonly #store: Store;
  /** The store's `requestCount` when the last message of a session was accepted, by `keyText`. */
  readonly #requestsBefore = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Records that the service may have accepted a message. From then on, only a later response shows an idle agent. */
  messageAccepted(key: SessionKey): void {
    this.#requestsBefore.set(keyText(key), this.#store.requestCount);
  }

  /** Whether the agent of a session is known to be idle; see {@link isAgentIdle}. */
  isIdle(key: SessionKey): boolean {
    const record = this.#store.record(key);
    return record !== undefined && isAgentIdle(record, this.#requestsBefore.get(keyText(key)) ?? 0);
  }

  /** Whether an agent is known to be idle, and no message is on its way to it. */
  isAvailable(key: SessionKey): boolean {
    return this.isIdle(key) && this.#store.record(key)?.outbox.some(isOnItsWay) === false;
  }
}

/**
 * Whether the agent is known to be idle. A response counts only if it was requested after the last message was
 * accepted, because an earlier one may not reflect the agent's reaction to that message. `requestsBefore` is the number
 * of requests that had been sent when it was accepted. Comparing times would be unreliable: a clock can be set back,
 * and a response can be late.
 */
export function isAgentIdle({ session, requestNumber = 0 }: SessionRecord, requestsBefore: number): boolean {
  if (!session || requestNumber <= requestsBefore) return false;
  // With a status that we don't know, the agent may be working (R54).
  return session.status === 'idle';
}

/** Whether a message can reach the agent without a decision of the user, or has reached it and isn't listed yet. */
function isOnItsWay(entry: OutboxEntry): boolean {
  return !isScheduled(entry) && !needsDecision(entry);
}
