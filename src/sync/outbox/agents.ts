import type { Session } from '../../api/resources/session.ts';
import { isScheduled, needsDecision, type OutboxEntry } from '../../state/store/outboxEntry.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import { longestCopyLagMs } from '../connection/olderCopies.ts';
import { type Clock, remainingMs } from '../storage/clock.ts';

/** What was known when the last message of a session was accepted. */
interface Acceptance {
  /** The store's `requestCount`. */
  readonly requestCount: number;
  /** When a message was first accepted after the state `before`, in Unix ms. */
  readonly at: number;
  /** The state before the last message that this window sent; undefined if it has sent none. */
  readonly before: StateBefore | undefined;
}

/** What was known of a session when this window began to send a message. */
type StateBefore = Pick<SessionRecord, 'session'>;

/** Determines whether the agents of sessions are known to be idle. */
export class Agents {
  readonly #store: Store;
  readonly #clock: Clock;
  /** By `keyText`. */
  readonly #acceptances = new Map<string, Acceptance>();
  /** The state of each session before the last message that this window sent, by `keyText`. */
  readonly #before = new Map<string, StateBefore>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Records that this window is about to send a message. */
  messageStarts(key: SessionKey): void {
    this.#before.set(keyText(key), { session: this.#store.record(key)?.session });
  }

  /**
   * Records that the service may have accepted a message. From then on, only a later response shows an idle agent. If
   * this window has sent a message to the session, the response must also differ from the state before the last one, or
   * the longest lag must be over, because a response can come from a copy that lacks the message.
   */
  messageAccepted(key: SessionKey): void {
    const text = keyText(key);
    const [before, known] = [this.#before.get(text), this.#acceptances.get(text)];
    // Reading the same message again, for example from disk, doesn't make the wait longer.
    const at = known && known.before === before ? known.at : this.#clock.now();
    this.#acceptances.set(text, { requestCount: this.#store.requestCount, at, before });
  }

  /** Whether the agent of a session is known to be idle; see {@link messageAccepted} and {@link isAgentIdle}. */
  isIdle(key: SessionKey): boolean {
    const record = this.#store.record(key);
    if (!record) return false;
    const accepted = this.#acceptances.get(keyText(key));
    if (!accepted) return isAgentIdle(record, 0);
    const { before, requestCount, at } = accepted;
    const isLagging = isSameState(record.session, before?.session);
    if (isLagging && remainingMs(at + longestCopyLagMs, longestCopyLagMs, this.#clock.now()) > 0) return false;
    return isAgentIdle(record, requestCount);
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

function isSameState(one: Session | undefined, other: Session | undefined): boolean {
  return (
    one?.updatedAt === other?.updatedAt && one?.messageCount === other?.messageCount && one?.status === other?.status
  );
}

/** Whether a message can reach the agent without a decision of the user, or has reached it and isn't listed yet. */
function isOnItsWay(entry: OutboxEntry): boolean {
  return !isScheduled(entry) && !needsDecision(entry);
}
