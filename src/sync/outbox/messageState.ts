import type { SessionStatus } from '../../api/resources/session.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { OutboxState } from '../../state/store/outboxEntry.ts';

/** The state of the search for the message of an unknown entry; a `Disposable` is the running search. */
type SearchState = 'none' | 'due' | Disposable;

/**
 * The part of a message's state that applies only while this window is running. `kind` always equals the `state` of the
 * entry.
 */
export type MessageState =
  | { readonly kind: 'queued' | 'notSent' }
  | {
      readonly kind: 'sending';
      /** The request of this window; undefined if another window is sending, or if the request has ended. */
      request: AbortController | undefined;
      /** Whether the user stopped the attempt. */
      isCanceled: boolean;
      /** From 0 to 1. */
      progress: number | undefined;
      candidateMessageId: string | undefined;
    }
  | {
      readonly kind: 'unknown';
      search: SearchState;
      /** Whether the first reads of the search didn't find the message, or the service requested a long pause. */
      isDoubtful: boolean;
      /** The ID of the message that was found. The entry is accepted as soon as this window owns the queue. */
      foundMessageId: string | undefined;
      candidateMessageId: string | undefined;
    }
  | {
      readonly kind: 'accepted';
      /** The agent's status after the message was accepted. */
      status: SessionStatus | undefined;
      /**
       * Whether the message is hidden because the conversation already lists it, although "accepted" is not on disk
       * yet.
       */
      isHidden: boolean;
    };

/**
 * The volatile part of a newly entered state. Keeps the candidate and the found message of the previous state if the
 * new state has them.
 */
export function stateAfter(previous: MessageState | undefined, state: OutboxState): MessageState {
  const candidateMessageId = previous && 'candidateMessageId' in previous ? previous.candidateMessageId : undefined;
  switch (state) {
    case 'sending':
      return { kind: state, request: undefined, isCanceled: false, progress: undefined, candidateMessageId };
    case 'unknown': {
      const foundMessageId = previous?.kind === 'unknown' ? previous.foundMessageId : undefined;
      return { kind: state, search: 'none', isDoubtful: false, foundMessageId, candidateMessageId };
    }
    case 'accepted':
      return { kind: state, status: undefined, isHidden: false };
    default:
      return { kind: state };
  }
}
