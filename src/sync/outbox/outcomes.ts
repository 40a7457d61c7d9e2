import { ApiError } from '../../api/errors.ts';
import type { AddedMessage } from '../../api/sessionsApi.ts';
import type { Failure } from '../../state/store/failure.ts';
import { toFailure } from '../connection/probe.ts';
import { errorCode } from '../storage/atomicFile.ts';

/** The outcome of an attempt to send a message (R31). */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly added: AddedMessage }
  /** Definitely not processed, and retried automatically; with `keyRejected`, only after the API key changes (R12). */
  | { readonly kind: 'retry' | 'keyRejected'; readonly error: ApiError }
  /** Definitely not processed, and not retried automatically, because a retry would probably fail the same way. */
  | { readonly kind: 'notSent'; readonly error: unknown }
  /** The service may have processed it. */
  | { readonly kind: 'unknown'; readonly error: unknown };

type FailedOutcome = Exclude<SendOutcome, { kind: 'accepted' }>;

/** A change of state that follows from the outcome of an attempt. */
export type Transition =
  | { readonly to: 'accepted'; readonly added: AddedMessage }
  | { readonly to: 'queued' | 'unknown' | 'notSent'; readonly failure: Failure };

/**
 * Classifies a failed POST. A message is only sent again automatically if it was definitely not processed: no
 * connection was made, its body is incomplete, or the service returned 429 or 401 (R31). Any other 4xx is a rejection,
 * except 407, which a proxy returns, and 408, which a gateway may return while the service is still working.
 */
export function judgeFailure(error: unknown): FailedOutcome {
  if (!(error instanceof ApiError)) return { kind: 'unknown', error };
  const { kind, status = 0 } = error;
  if (kind === 'invalidRequest') return { kind: 'notSent', error };
  if (kind === 'status' && status === 401) return { kind: 'keyRejected', error };
  if (kind === 'status' && status === 429) return { kind: 'retry', error };
  if (kind === 'status' && status >= 400 && status < 500 && status !== 408) return { kind: 'notSent', error };
  if (error.sent === 'no') return { kind: 'retry', error };
  return { kind: 'unknown', error };
}

/** The transition that follows from an outcome at `at` (Unix ms). A canceled message is not retried automatically. */
export function transitionAfter(outcome: SendOutcome, isCanceled: boolean, at: number): Transition {
  if (outcome.kind === 'accepted') return { to: 'accepted', added: outcome.added };
  const failure = failureOf(outcome, at);
  if (outcome.kind === 'unknown') return { to: 'unknown', failure };
  return { to: outcome.kind === 'notSent' || isCanceled ? 'notSent' : 'queued', failure };
}

/**
 * The transition of a message whose attempt was interrupted before its outcome was saved (R34). It may have arrived,
 * unless this window made the attempt and knows that nothing was sent.
 */
export function transitionAfterInterruption(attempt: 'unsent' | 'canceled' | 'uncertain', at: number): Transition {
  const to = { unsent: 'queued', canceled: 'notSent', uncertain: 'unknown' } as const;
  return { to: to[attempt], failure: { kind: 'cancelled', at } };
}

/** Describes a failed attempt. An error other than an ApiError that prevented the request comes from the local disk. */
function failureOf({ kind, error }: FailedOutcome, at: number): Failure {
  if (kind === 'notSent' && !(error instanceof ApiError)) return { kind: 'disk', code: errorCode(error), at };
  return toFailure(error, at);
}
