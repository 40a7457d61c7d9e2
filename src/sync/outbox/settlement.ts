import type { SessionStatus } from '../../api/resources/session.ts';
import { Disposables, type Event, onDispose } from '../../shared/lifecycle.ts';
import type { Problem } from '../../state/store/failure.ts';
import type { OutboxLane } from './sessionQueue.ts';
import type { OutgoingItem } from './queuedMessage.ts';

/** What can be said of a message that was handed to the outbox, as the commands that send resolve to. */
export type Settlement =
  | { readonly messageId: string; readonly status: SessionStatus }
  /** On disk; it goes out when what it waits for is over. */
  | { readonly queued: true }
  /** It may or may not have been sent; the user is asked. */
  | { readonly unknown: true };

/** The message was surely not sent. It is kept, with Send Again and Discard. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
  readonly problem: Problem | undefined;

  constructor(problem: Problem | undefined) {
    super('The message was not sent.');
    this.problem = problem;
  }
}

/**
 * Waits until something can be said of a message, or `isOver` says that nobody waits any longer: then it is what is
 * known by then. Undefined: the user took it back. `changes` fires whenever either may have become true.
 * @throws NotSentError when it was surely not sent.
 */
export function waitForSettlement(
  item: OutgoingItem,
  lane: OutboxLane,
  changes: Event<undefined>,
  signal: AbortSignal | undefined,
  isOver: () => boolean,
): Promise<Settlement | undefined> {
  return new Promise((resolve, reject) => {
    const waits = new Disposables();
    const look = () => {
      const verdict = verdictOf(item, lane) ?? (isOver() ? settlementInHaste(item) : undefined);
      if (verdict === undefined) return;
      waits.dispose();
      if (verdict instanceof NotSentError) reject(verdict);
      else resolve(verdict === 'cancelled' ? undefined : verdict);
    };
    waits.add(changes(look));
    waits.add(onDispose(() => signal?.removeEventListener('abort', look)));
    signal?.addEventListener('abort', look);
    look();
  });
}

/** What can be said of a message now; undefined while it is still moving. */
function verdictOf(item: OutgoingItem, lane: OutboxLane): Settlement | NotSentError | 'cancelled' | undefined {
  const { messageId } = item.stored;
  if (messageId !== undefined) return { messageId, status: item.status ?? 'unknown' };
  if (item.isGone) return 'cancelled';
  if (item.state === 'notSent') return new NotSentError(item.stored.problem);
  if (item.state === 'unknown' && !item.isSearching) return { unknown: true };
  return item.state === 'queued' && lane.isStalled ? { queued: true } : undefined;
}

function settlementInHaste(item: OutgoingItem): Settlement {
  return item.state === 'queued' ? { queued: true } : { unknown: true };
}
