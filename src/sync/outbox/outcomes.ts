import { ApiError } from '../../api/errors.ts';
import type { AddedMessage } from '../../api/sessionsApi.ts';
import { reasonOf } from '../../shared/log.ts';
import type { Failure } from '../../state/store/failure.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { problemOf } from '../connection/probe.ts';
import { errorCode } from '../storage/atomicFile.ts';
import type { MessageClaims } from './echoMatcher.ts';
import type { SendAttempt, StoredEntry } from './outboxFiles.ts';
import type { QueueContext } from './queueContext.ts';
import type { QueuedMessage } from './queuedMessage.ts';
import type { LaneItems, LaneSaves } from './queueEntries.ts';
import type { SendPause } from './sendGate.ts';

/** What an attempt to send a message came to (R31). */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly added: AddedMessage }
  /** Surely not processed, and worth trying again by itself; `keyRefused`: once there is another key. */
  | { readonly kind: 'retry' | 'keyRefused'; readonly error: ApiError }
  /** Surely not processed; trying again would end the same. */
  | { readonly kind: 'notSent'; readonly error: unknown }
  /** The service may have processed it. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/**
 * Judges a failed POST. Only what surely was not processed may go out again without asking: no connection was made, or
 * the service said 429 or 401. Any other 4xx is a refusal, but 408, which a gateway may say while the service works on.
 */
export function judgeFailure(error: unknown): Exclude<SendOutcome, { kind: 'accepted' }> {
  if (!(error instanceof ApiError)) return { kind: 'unknown', error };
  const { kind, status = 0 } = error;
  if (kind === 'invalidRequest') return { kind: 'notSent', error };
  if (kind === 'status' && status === 401) return { kind: 'keyRefused', error };
  if (kind === 'status' && status === 429) return { kind: 'retry', error };
  if (kind === 'status' && status >= 400 && status < 500 && status !== 408) return { kind: 'notSent', error };
  if (error.sent === 'no') return { kind: 'retry', error };
  return { kind: 'unknown', error };
}

/** The facts of a failed attempt. What stopped it before the first byte, and is not the API's, was our own disk. */
export function failureProblem({ kind, error }: Exclude<SendOutcome, { kind: 'accepted' }>, at: number): Failure {
  if (kind === 'notSent' && !(error instanceof ApiError)) return { kind: 'disk', code: errorCode(error), at };
  return problemOf(error, at);
}

/** The service refused the key (R12): everything that uses it stops. */
export function takeKeyRefusal(store: Store, origin: string, problem: Failure): void {
  const { connection } = store;
  if (connection.kind === 'ready' && connection.service.origin === origin) {
    store.setConnection({ kind: 'keyRefused', service: connection.service, failure: problem });
  }
}

/** What a queue is made of. */
export interface LaneParts {
  readonly key: SessionKey;
  readonly context: QueueContext;
  readonly items: LaneItems;
  readonly claims: MessageClaims;
  readonly saves: LaneSaves;
  readonly pause: SendPause;
}

/** What becomes of the outgoing messages of a session: by the service's word, by finding them, by other windows. */
export class SendOutcomes {
  readonly #parts: LaneParts;
  #acceptedAt = 0;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** When the service last took a message of this session, Unix ms; 0: never. */
  get acceptedAt(): number {
    return this.#acceptedAt;
  }

  /** The outcome of an attempt of a window in charge. */
  take(item: QueuedMessage, outcome: SendOutcome): void {
    const { key, context, items, saves, pause } = this.#parts;
    if (outcome.kind === 'accepted') {
      pause.forgetFailures();
      this.accept(item, outcome.added);
      return;
    }
    const problem = failureProblem(outcome, context.clock.now());
    context.log.info(`outbox: ${outcome.kind}: ${reasonOf(outcome.error)}`);
    if (outcome.kind === 'unknown') {
      item.move('unknown', { problem });
      item.askForSearch();
    } else if (outcome.kind === 'notSent' || item.isCancelled) {
      item.move('notSent', { problem });
    } else {
      item.move('queued', { problem });
      context.factsOf(key.origin).isKeyRefused ||= outcome.kind === 'keyRefused';
      pause.begin(problem.retryAfterMs);
      if (problem.retryAfterMs !== undefined) context.pauses?.failed(key.origin, problem.retryAfterMs);
    }
    saves.save(item);
    items.show();
    if (outcome.kind === 'keyRefused') takeKeyRefusal(context.store, key.origin, problem);
  }

  /** The outcome of an attempt that outlived the charge: that the service has the message is true all the same. */
  takeLate(item: QueuedMessage, attempt: SendAttempt, outcome: SendOutcome): void {
    if (outcome.kind === 'retry') item.unsentAttemptId = attempt.attemptId;
    if (outcome.kind !== 'accepted' || item.isGone || item.state === 'accepted') return;
    const { messageId, status } = outcome.added;
    item.status = status;
    item.mirror({ ...item.stored, state: 'accepted', messageId, problem: undefined });
    this.#parts.saves.save(item);
    this.#showMirrored(item);
  }

  /** The service has the message, by its own word or because it was found. */
  accept(item: QueuedMessage, { messageId, status, serverTimeMs }: AddedMessage): void {
    const { key, context, items, claims, saves } = this.#parts;
    this.#acceptedAt = context.clock.now();
    context.clocks.learn(key.origin, serverTimeMs, this.#acceptedAt);
    claims.claim(messageId, item);
    item.status = status;
    item.move('accepted', { messageId });
    saves.save(item);
    context.onAccepted(item.stored);
    items.show();
    this.confirm();
  }

  /** What was being sent by a window that is gone may or may not have arrived (R34). */
  settleLeftovers(): void {
    const { context, items, saves } = this.#parts;
    for (const item of items.all) {
      if (item.state !== 'sending' || item.isSendingHere) continue;
      const problem = { kind: 'cancelled', at: context.clock.now() } as const;
      if (item.isSurelyUnsent) item.move(item.isCancelled ? 'notSent' : 'queued', { problem });
      else item.move('unknown', { problem });
      item.askForSearch();
      saves.save(item);
    }
    items.show();
  }

  /** Takes over what lies on disk. */
  mirror(item: QueuedMessage, stored: StoredEntry): void {
    item.mirror(stored);
    this.#showMirrored(item);
  }

  /** Lets go of messages that were seen in the list, once it is on disk that the service has them (R45). */
  confirm(): void {
    const { key, context, items } = this.#parts;
    for (const item of items.all.filter(({ state }) => state === 'accepted')) {
      const headers = context.store.record(key)?.headers ?? [];
      if (!item.isSeen && !headers.some((header) => header.messageId === item.stored.messageId)) continue;
      if (item.isUnsaved) {
        items.hide(item);
      } else {
        items.drop(item);
        void context.finish(item.stored);
      }
    }
  }

  #showMirrored(item: QueuedMessage): void {
    const { key, context, items, claims } = this.#parts;
    const { messageId } = item.stored;
    if (messageId !== undefined) claims.claim(messageId, item);
    item.status ??= context.store.record(key)?.session?.status;
    items.show();
    this.confirm();
  }
}
